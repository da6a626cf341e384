import {
	LINE_FIELDS,
	type Draft,
	type DraftField,
	type Drafts,
	type LineField,
} from '../../../storage/drafts.ts';
import type {ServiceStorage} from '../../../storage/service-storage.ts';
import type {State, Store} from '../program.ts';
import type {DraftSource, DraftSources} from './draft-source.ts';
import {storageErrorText} from '../../../machine/disk-fault.ts';
import {messageOf} from '../../../text/errors.ts';
import {route} from './route.ts';
import {notices} from './notices.ts';

const NONE: ReadonlyMap<string, string> = new Map();
const lineSource = (field: LineField): DraftSource => ({
	all: ({lines}) => lines[field] ?? NONE,
	unsent({lines}, server) {
		const text = lines[field]?.get(server) ?? '';
		return text === '' ? null : {text, cursor: text.length};
	},
	putBack: (state, server, {text}) => route(state.app).keepLine(field, server, text),
});

/** Fields that do not belong to a server. */
const ALONE: ReadonlySet<DraftField> = new Set(['create', 'sign-in', 'command']);

/**
 * Starts to store typed text in files. The text of an earlier run is restored when its server
 * becomes the current one, into fields without unsent text. Search fields are not stored.
 * This module is loaded late from its own bundle, in which `features.ts` is empty, so the caller
 * passes the features' data.
 */
export const persistDrafts = (
	store: Store,
	keeper: ServiceStorage,
	files: Drafts,
	ofRooms: DraftSources,
): void => {
	const sources = Object.entries<DraftSource>({
		...Object.fromEntries(LINE_FIELDS.map(field => [field, lineSource(field)])),
		...ofRooms,
	}).map(([field, source]) => ({
		field: field as DraftField,
		...source,
		/** Known drafts by server. */
		known: new Map<string, Draft | null>(),
		unwritten: new Set<string>(),
	}));
	type Source = (typeof sources)[number];
	let hasFailed = false;

	const {changed} = keeper.saver(() => {
		for (const {field, known, unwritten} of sources) {
			for (const server of unwritten) {
				const draft = known.get(server) ?? null;
				try {
					if (draft === null) files.remove(server, field);
					else files.write(server, field, draft);
				} catch (error) {
					if (!hasFailed)
						notices(store.getState).notify(
							'bad',
							`Drafts cannot be saved (${storageErrorText(error)}). Unsent text is lost if the program is killed.`,
						);
					hasFailed = true;
				}
			}
			unwritten.clear();
		}
	});
	const note = ({known, unwritten}: Source, server: string, draft: Draft | null): void => {
		const before = known.get(server);
		if (before?.text === draft?.text && before?.cursor === draft?.cursor) return;
		known.set(server, draft);
		unwritten.add(server);
		changed();
	};
	const putBack = ({field, known, unsent, putBack: put}: Source, server: string): void => {
		if (known.has(server)) return;
		known.set(server, null);
		try {
			const draft = files.read(server, field);
			if (draft === null || unsent(store.getState(), server) !== null) return;
			known.set(server, draft);
			put(store.getState(), server, draft);
		} catch (error) {
			notices(store.getState).notify('bad', messageOf(error));
		}
	};
	const look = ({current}: State, previous: State | undefined): void => {
		for (const source of sources) {
			const server = ALONE.has(source.field) ? '' : current;
			if (server !== null && (previous === undefined || (server !== '' && server !== previous.current)))
				putBack(source, server);
			// The state is read again, because restoring has changed it.
			const state = store.getState();
			const before = previous && source.all(previous);
			const all = source.all(state);
			if (all === before) continue;
			for (const [name, now] of all)
				if (now !== before?.get(name)) note(source, name, source.unsent(state, name));
		}
	};
	store.subscribe(look);
	look(store.getState(), undefined);
};
