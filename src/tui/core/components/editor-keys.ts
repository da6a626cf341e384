import * as edit from '../../../text/editor/editor.ts';
import type {Editor} from '../../../text/editor/editor.ts';

/** Access to an editor's state. */
export type EditorAccess = {readonly draft: () => Editor; readonly set: (draft: Editor) => void};

/** Handlers of the editing actions that all editors share. */
export const editingKeys = ({draft, set}: EditorAccess) => {
	const apply = (operation: (editor: Editor) => Editor) => () => set(operation(draft()));
	return {
		left: apply(edit.left),
		right: apply(edit.right),
		wordLeft: apply(edit.wordLeft),
		wordRight: apply(edit.wordRight),
		lineStart: apply(edit.lineStart),
		lineEnd: apply(edit.lineEnd),
		textStart: apply(edit.textStart),
		textEnd: apply(edit.textEnd),
		backspace: apply(edit.backspace),
		delete: apply(edit.deleteForward),
		deleteWord: apply(edit.deleteWordBefore),
		deleteWordAfter: apply(edit.deleteWordAfter),
		killToEnd: apply(edit.killToLineEnd),
		killToStart: apply(edit.killToLineStart),
		yank: () => (draft().killed === '' ? 'Nothing deleted here to put back' : set(edit.yank(draft()))),
		undo: apply(edit.undo),
		redo: apply(edit.redo),
	};
};

export type HistoryAccess = {
	/** Oldest first. */
	readonly entries: () => readonly string[];
	/** Index of the visible entry; the number of entries if none is visible. */
	readonly at: () => number;
	/** Text typed before the user entered the history. */
	readonly stash: () => string;
	readonly set: (change: {draft?: Editor; historyAt?: number; stash?: string}) => void;
	/** True to show only entries that start with the typed text. */
	readonly byPrefix?: boolean;
};

/**
 * Up and Down move by a line. From the first or last line they move to the previous or next history
 * entry; after the last entry the typed text returns.
 */
export const historyKeys = ({draft, set}: EditorAccess, history: HistoryAccess) => {
	const show = (to: number): void => {
		const entries = history.entries();
		const leaving = history.at() >= entries.length;
		const stash = leaving ? draft().text : history.stash();
		const text = to >= entries.length ? stash : (entries[to] ?? '');
		history.set({draft: edit.createEditor(text), historyAt: to, stash});
	};
	/** Prefix that history entries must have to be shown; empty unless `byPrefix`. */
	const prefix = (): string =>
		!history.byPrefix ? '' : history.at() >= history.entries().length ? draft().text : history.stash();
	return {
		earlier() {
			const {editor, moved} = edit.up(draft());
			if (moved) return set(editor);
			const entries = history.entries();
			const start = prefix();
			const now = draft().text;
			const to = entries.findLastIndex(
				(entry, index) => index < history.at() && entry.startsWith(start) && entry !== now,
			);
			if (to === -1) return start === '' ? 'No earlier entries' : 'No earlier entry starts with this';
			show(to);
		},
		later() {
			const {editor, moved} = edit.down(draft());
			if (moved) return set(editor);
			const entries = history.entries();
			if (history.at() >= entries.length) return;
			const start = prefix();
			const to = entries.findIndex((entry, index) => index > history.at() && entry.startsWith(start));
			show(to === -1 ? entries.length : to);
		},
	};
};
