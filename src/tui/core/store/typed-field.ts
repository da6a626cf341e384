// A field for code or a question with a history: Up restores earlier texts.
import {setText, type Editor} from '../../../text/editor/editor.ts';

export type TypedField = {
	readonly draft: Editor;
	/** Oldest first. */
	readonly history: readonly string[];
	/** Index of the history entry in the draft; the history's length means none. */
	readonly historyAt: number;
	/** Text typed before the user entered the history. */
	readonly stash: string;
};

/** The history with a new entry at the end, unless it repeats the last. */
export const withEntry = (history: readonly string[], entry: string): Omit<TypedField, 'draft'> => {
	const kept = history.at(-1) === entry ? history : [...history, entry];
	return {history: kept, historyAt: kept.length, stash: ''};
};

/** Replaces the text of the field. The typed text becomes the newest entry of the history. */
export const replacedBy = ({draft, history}: TypedField, text: string): TypedField => ({
	...(draft.text.trim() === '' || draft.text === text
		? {history, historyAt: history.length, stash: ''}
		: withEntry(history, draft.text)),
	draft: setText(draft, text),
});
