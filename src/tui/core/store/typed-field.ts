// Field for code or a question, with a history of earlier texts that Up restores.
import {setText, type Editor} from '../../../text/editor/editor.ts';

export type TypedField = {
	readonly draft: Editor;
	/** Oldest first. */
	readonly history: readonly string[];
	/** Index of the history entry that the draft shows; the length of the history if none. */
	readonly historyAt: number;
	/** Text that was typed before Up opened the history. */
	readonly stash: string;
};

/** Adds an entry at the end of the history, unless it equals the last entry. */
export const withEntry = (history: readonly string[], entry: string): Omit<TypedField, 'draft'> => {
	const kept = history.at(-1) === entry ? history : [...history, entry];
	return {history: kept, historyAt: kept.length, stash: ''};
};

/** Replaces the text of the field. The previous text becomes the newest entry of the history. */
export const replacedBy = ({draft, history}: TypedField, text: string): TypedField => ({
	...(draft.text.trim() === '' || draft.text === text
		? {history, historyAt: history.length, stash: ''}
		: withEntry(history, draft.text)),
	draft: setText(draft, text),
});
