// A field for code or a question: what stood in it before comes back with Up.
import {setText, type Editor} from '../../../text/editor/editor.ts';

export type TypedField = {
	readonly draft: Editor;
	/** Oldest first. */
	readonly history: readonly string[];
	/** Which entry of the history the draft shows; its length means none. */
	readonly historyAt: number;
	/** What was being typed before the history was entered. */
	readonly stash: string;
};

/** With an entry behind all others, unless it is the last of them. */
export const withEntry = (history: readonly string[], entry: string): Omit<TypedField, 'draft'> => {
	const kept = history.at(-1) === entry ? history : [...history, entry];
	return {history: kept, historyAt: kept.length, stash: ''};
};

/** Another text in a field; what was being typed becomes its newest entry. */
export const replacedBy = ({draft, history}: TypedField, text: string): TypedField => ({
	...(draft.text.trim() === '' || draft.text === text
		? {history, historyAt: history.length, stash: ''}
		: withEntry(history, draft.text)),
	draft: setText(draft, text),
});
