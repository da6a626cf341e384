import type {Draft, DraftField, DraftFiles} from '../settings/draft-files.ts';
import {createEditor, moveTo, type Editor} from '../text/editor.ts';
import type {State, Store} from './store.ts';

/** Milliseconds after the last key, and the longest while keys go on. */
const AFTER_LAST = 1000;
const AT_LATEST = 5000;

type Field = {readonly draft: Editor; readonly history: readonly string[]; readonly historyAt: number; readonly stash: string};

/** What would be lost with the program. The newest entry of the history that was never sent is what Ctrl-C has put aside. */
const unsent = ({draft, history, historyAt, stash}: Field, lastSent: string | undefined): Draft | null => {
	if (draft.text !== '' && draft.text !== history[historyAt]) return {text: draft.text, cursor: draft.cursor};
	if (stash !== '' && historyAt < history.length) return {text: stash, cursor: stash.length};
	const newest = history.at(-1);
	return newest === undefined || newest === lastSent ? null : {text: newest, cursor: null};
};

const FIELDS = {
	code: {
		all: (state: State) => state.repls,
		unsent: (state: State, server: string): Draft | null => {
			const repl = state.repls.get(server);
			return repl === undefined ? null : unsent(repl, repl.cells.at(-1)?.source);
		},
		change: (state: State) => state.changeRepl,
	},
	question: {
		all: (state: State) => state.conversations,
		unsent: (state: State, server: string): Draft | null => {
			const conversation = state.conversations.get(server);
			return conversation === undefined ? null : unsent(conversation, conversation.sent ?? undefined);
		},
		change: (state: State) => state.changeConversation,
	},
} as const;
const NAMES = ['code', 'question'] as const satisfies readonly DraftField[];

const areSame = (one: Draft | null, other: Draft | null): boolean => one?.text === other?.text && one?.cursor === other?.cursor;

export type KeptDrafts = {
	/** Writes what is not written yet, now. */
	save(): void;
};

/**
 * Keeps what is typed in files from now on, and puts back what an earlier program has left: when its server becomes the current one,
 * into a field that nobody has typed into.
 */
export const keepDrafts = (store: Store, files: DraftFiles): KeptDrafts => {
	const known = {code: new Map<string, Draft | null>(), question: new Map<string, Draft | null>()};
	const unwritten = {code: new Set<string>(), question: new Set<string>()};
	let since: number | undefined;
	let timer: NodeJS.Timeout | undefined;
	let hasFailed = false;

	const save = (): void => {
		clearTimeout(timer);
		since = undefined;
		for (const field of NAMES) {
			for (const server of unwritten[field]) {
				const draft = known[field].get(server) ?? null;
				try {
					if (draft === null) files.remove(server, field);
					else files.write(server, field, draft);
				} catch (error) {
					if (!hasFailed) store.getState().notify('bad', `What you type cannot be saved (${error instanceof Error ? error.message : String(error)}): it would be lost if the program were killed.`);
					hasFailed = true;
				}
			}
			unwritten[field].clear();
		}
	};
	const note = (field: DraftField, server: string, draft: Draft | null): void => {
		if (areSame(known[field].get(server) ?? null, draft)) return;
		known[field].set(server, draft);
		unwritten[field].add(server);
		const now = performance.now();
		since ??= now;
		clearTimeout(timer);
		timer = setTimeout(save, Math.max(0, Math.min(AFTER_LAST, since + AT_LATEST - now))).unref();
	};
	const putBack = (field: DraftField, server: string): void => {
		if (known[field].has(server)) return;
		known[field].set(server, null);
		const {notify} = store.getState();
		try {
			const draft = files.read(server, field);
			if (draft === null || FIELDS[field].unsent(store.getState(), server) !== null) return;
			known[field].set(server, draft);
			const change = FIELDS[field].change(store.getState());
			const {history} = FIELDS[field].all(store.getState()).get(server) ?? {history: []};
			if (draft.cursor === null) change(server, {history: [...history, draft.text], historyAt: history.length + 1});
			else change(server, {draft: moveTo(createEditor(draft.text), draft.cursor)});
		} catch (error) {
			notify('bad', error instanceof Error ? error.message : String(error));
		}
	};
	const look = ({current}: State, previous: State | undefined): void => {
		for (const field of NAMES) {
			if (current !== null && current !== previous?.current) putBack(field, current);
			// Asked for again: what is put back changes it.
			const state = store.getState();
			const before = previous && FIELDS[field].all(previous);
			const all = FIELDS[field].all(state);
			if (all === before) continue;
			for (const [server, now] of all) if (now !== before?.get(server)) note(field, server, FIELDS[field].unsent(state, server));
		}
	};
	store.subscribe(look);
	look(store.getState(), undefined);
	return {save};
};
