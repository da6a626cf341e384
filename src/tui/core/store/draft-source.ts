import type {Draft, DraftField} from '../../../storage/drafts.ts';
import {createEditor, moveTo} from '../../../text/editor/editor.ts';
import {fieldsOf} from '../../../text/record.ts';
import type {State} from '../program.ts';
import type {TypedField} from './typed-field.ts';

/** Access to typed text that would be lost when the program ends. */
export type DraftSource = {
	/**
	 * Drafts by server, or under `''` for a field without a server. When a draft may have changed,
	 * its value is a new object.
	 */
	readonly all: (state: State) => ReadonlyMap<string, unknown>;
	readonly unsent: (state: State, server: string) => Draft | null;
	readonly putBack: (state: State, server: string, draft: Draft) => void;
};
/** Sources by field, which also names the field's file. */
export type DraftSources = {readonly [Name in DraftField]?: DraftSource};

/**
 * The text to store; null if there is none. Text cleared with Ctrl-C is the newest history entry,
 * and counts too.
 */
const unsent = (
	{draft, history, historyAt, stash}: TypedField,
	lastSent: string | undefined,
): Draft | null => {
	if (draft.text !== '' && draft.text !== history[historyAt]) return {text: draft.text, cursor: draft.cursor};
	if (stash !== '' && historyAt < history.length) return {text: stash, cursor: stash.length};
	const newest = history.at(-1);
	return newest === undefined || newest === lastSent ? null : {text: newest, cursor: null};
};

/** Source for the field of a pane, which has a history of sent texts. */
export const fieldSource = <F extends TypedField>(
	all: (state: State) => ReadonlyMap<string, F>,
	lastSent: (field: F) => string | null | undefined,
	change: (state: State, server: string, next: Partial<TypedField>) => void,
): DraftSource => ({
	all,
	unsent(state, server) {
		const field = all(state).get(server);
		return field === undefined ? null : unsent(field, lastSent(field) ?? undefined);
	},
	// Text that was cleared with Ctrl-C returns to the history. Other text returns to the field.
	putBack(state, server, {text, cursor}) {
		const history = [...(all(state).get(server)?.history ?? []), text];
		change(
			state,
			server,
			cursor === null ? {history, historyAt: history.length} : {draft: moveTo(createEditor(text), cursor)},
		);
	},
});

/**
 * Source for a form without a server. `textsIn` returns the texts to store, or null if there are
 * none.
 */
export const formSource = <Form>(
	formIn: (state: State) => Form | null,
	textsIn: (form: Form) => Readonly<Record<string, string>> | null,
	putBack: (state: State, texts: Readonly<Record<string, string>>) => void,
): DraftSource => ({
	all: state => new Map([['', formIn(state)]]),
	unsent(state) {
		const form = formIn(state);
		const texts = form === null ? null : textsIn(form);
		return texts === null ? null : {text: JSON.stringify(texts), cursor: 0};
	},
	putBack(state, _, {text}) {
		let read: unknown;
		try {
			read = JSON.parse(text);
		} catch {
			// Invalid JSON restores nothing.
		}
		const texts = Object.entries(fieldsOf(read)).filter(
			(entry): entry is [string, string] => typeof entry[1] === 'string',
		);
		putBack(state, Object.fromEntries(texts));
	},
});
