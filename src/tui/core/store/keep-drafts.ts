import {
	LINE_FIELDS,
	type Draft,
	type DraftField,
	type Drafts,
	type LineField,
} from '../../../state/drafts.ts';
import type {Keeper} from '../../../state/keeper.ts';
import {createEditor, moveTo, type Editor} from '../../../text/editor/editor.ts';
import {newForm, type CreateForm} from '../../servers/create-form.ts';
import type {State, Store} from '../program.ts';

type Field = {
	readonly draft: Editor;
	readonly history: readonly string[];
	readonly historyAt: number;
	readonly stash: string;
};

/** What would be lost with the program. The newest entry of the history that was never sent is what Ctrl-C has put aside. */
const unsent = ({draft, history, historyAt, stash}: Field, lastSent: string | undefined): Draft | null => {
	if (draft.text !== '' && draft.text !== history[historyAt]) return {text: draft.text, cursor: draft.cursor};
	if (stash !== '' && historyAt < history.length) return {text: stash, cursor: stash.length};
	const newest = history.at(-1);
	return newest === undefined || newest === lastSent ? null : {text: newest, cursor: null};
};

type Source = {
	/** By server; `''` for none. A value that is another object may be another draft. */
	readonly all: (state: State) => ReadonlyMap<string, unknown>;
	readonly unsent: (state: State, server: string) => Draft | null;
	readonly putBack: (state: State, server: string, draft: Draft) => void;
};

/** What Ctrl-C put aside is the newest of the history, what was being typed stands in the field. */
const inField = ({text, cursor}: Draft, history: readonly string[] = []): Partial<Field> =>
	cursor === null
		? {history: [...history, text], historyAt: history.length + 1}
		: {draft: moveTo(createEditor(text), cursor)};

/** The form for a new server that is open, or was closed with something in it. */
const createFormIn = ({dialogs, keptForm}: State): CreateForm | null => {
	for (const dialog of dialogs)
		if (dialog.kind === 'create' && dialog.form.server === null) return dialog.form;
	return keptForm;
};
const signInIn = ({dialogs, keptSignIn}: State) => {
	for (const dialog of dialogs) if (dialog.kind === 'sign-in') return dialog.form;
	return keptSignIn;
};

/** The texts of a form, as far as they can be understood. */
const textsIn = (draft: Draft): Readonly<Record<string, string>> => {
	try {
		return Object.fromEntries(
			Object.entries(JSON.parse(draft.text) as object).filter(([, value]) => typeof value === 'string'),
		);
	} catch {
		return {};
	}
};

const NONE: ReadonlyMap<string, string> = new Map();
const lineSource = (field: LineField): Source => ({
	all: ({lines}) => lines[field] ?? NONE,
	unsent({lines}, server) {
		const text = lines[field]?.get(server) ?? '';
		return text === '' ? null : {text, cursor: text.length};
	},
	putBack: (state, server, {text}) => state.keepLine(field, server, text),
});

const SOURCES: Readonly<Record<DraftField, Source>> = {
	code: {
		all: state => state.repls,
		unsent(state, server) {
			const repl = state.repls.get(server);
			return repl === undefined ? null : unsent(repl, repl.cells.at(-1)?.source);
		},
		putBack: (state, server, draft) =>
			state.changeRepl(server, inField(draft, state.repls.get(server)?.history)),
	},
	question: {
		all: state => state.conversations,
		unsent(state, server) {
			const conversation = state.conversations.get(server);
			return conversation === undefined ? null : unsent(conversation, conversation.sent ?? undefined);
		},
		putBack: (state, server, draft) =>
			state.changeConversation(server, inField(draft, state.conversations.get(server)?.history)),
	},
	create: {
		all: state => new Map([['', createFormIn(state)]]),
		unsent(state) {
			const form = createFormIn(state);
			if (form === null || (form.name === '' && form.untouched && form.seen.size === 0)) return null;
			const {name, environment, compute, port} = form;
			return {text: JSON.stringify({name, environment, compute, port}), cursor: 0};
		},
		// Typing goes on where it stopped.
		putBack: (state, _, draft) => state.keepForm({...newForm(textsIn(draft)), untouched: false}),
	},
	'sign-in': {
		all: state => new Map([['', signInIn(state)]]),
		unsent(state) {
			const form = signInIn(state);
			// Of a service that is known only the key is typed, and that is never kept.
			if (form === null || ('fields' in form && form.keyFile !== null)) return null;
			const {address, profile} =
				'fields' in form ? {address: form.fields.address.text, profile: form.fields.profile.text} : form;
			return address === '' ? null : {text: JSON.stringify({address, profile}), cursor: 0};
		},
		putBack(state, _, draft) {
			const {address = '', profile = ''} = textsIn(draft);
			state.keepSignIn({address, profile});
		},
	},
	...(Object.fromEntries(LINE_FIELDS.map(field => [field, lineSource(field)])) as Record<LineField, Source>),
};
const NAMES = Object.keys(SOURCES) as readonly DraftField[];
/** These belong to no server. */
const ALONE: ReadonlySet<DraftField> = new Set(['create', 'sign-in', 'command']);

const areSame = (one: Draft | null, other: Draft | null): boolean =>
	one?.text === other?.text && one?.cursor === other?.cursor;

/**
 * Keeps what is typed in files from now on, and puts back what an earlier program has left: when its server becomes the current one,
 * into a field that nobody has typed into. Fields that only search are not kept.
 */
export const keepDrafts = (store: Store, keeper: Keeper, files: Drafts): void => {
	const known = Object.fromEntries(NAMES.map(name => [name, new Map()])) as Record<
		DraftField,
		Map<string, Draft | null>
	>;
	const unwritten = Object.fromEntries(NAMES.map(name => [name, new Set()])) as Record<
		DraftField,
		Set<string>
	>;
	let hasFailed = false;

	const {changed} = keeper.saver(() => {
		for (const field of NAMES) {
			for (const server of unwritten[field]) {
				const draft = known[field].get(server) ?? null;
				try {
					if (draft === null) files.remove(server, field);
					else files.write(server, field, draft);
				} catch (error) {
					if (!hasFailed)
						store
							.getState()
							.notify(
								'bad',
								`What you type cannot be saved (${error instanceof Error ? error.message : String(error)}): it would be lost if the program were killed.`,
							);
					hasFailed = true;
				}
			}
			unwritten[field].clear();
		}
	});
	const note = (field: DraftField, server: string, draft: Draft | null): void => {
		if (areSame(known[field].get(server) ?? null, draft)) return;
		known[field].set(server, draft);
		unwritten[field].add(server);
		changed();
	};
	const putBack = (field: DraftField, server: string): void => {
		if (known[field].has(server)) return;
		known[field].set(server, null);
		const {notify} = store.getState();
		try {
			const draft = files.read(server, field);
			if (draft === null || SOURCES[field].unsent(store.getState(), server) !== null) return;
			known[field].set(server, draft);
			SOURCES[field].putBack(store.getState(), server, draft);
		} catch (error) {
			notify('bad', error instanceof Error ? error.message : String(error));
		}
	};
	const look = ({current}: State, previous: State | undefined): void => {
		for (const field of NAMES) {
			const server = ALONE.has(field) ? '' : current;
			if (server !== null && (previous === undefined || (server !== '' && server !== previous.current)))
				putBack(field, server);
			// Asked for again: what is put back changes it.
			const state = store.getState();
			const before = previous && SOURCES[field].all(previous);
			const all = SOURCES[field].all(state);
			if (all === before) continue;
			for (const [name, now] of all)
				if (now !== before?.get(name)) note(field, name, SOURCES[field].unsent(state, name));
		}
	};
	store.subscribe(look);
	look(store.getState(), undefined);
};
