import {snapToBoundary} from '../width/graphemes.ts';

/** One change: at `at`, `removed` was replaced by `inserted`; the cursor before and after it. */
export type Edit = {
	readonly at: number;
	readonly removed: string;
	readonly inserted: string;
	readonly before: number;
	readonly after: number;
};

/** What the last operation was, for what belongs together: letters of a word in one undo step, kills in a row in one yank. */
export type LastOperation = 'typing' | 'erasing' | 'killing' | 'other';

/** An editor's whole state. Immutable; made by `createEditor`, changed by the operations. */
export type Editor = {
	readonly text: string;
	/** UTF-16 offset, always at a grapheme boundary. */
	readonly cursor: number;
	/** Column in cells that Up and Down aim for, while they are pressed in a row. */
	readonly goal: number | null;
	/** What the last kill took away. */
	readonly killed: string;
	readonly past: readonly Edit[];
	readonly future: readonly Edit[];
	readonly last: LastOperation;
};

const MAX_UNDO = 500;

/** CRLF and CR become LF; every other character stays as it is. */
export const withLineFeeds = (text: string): string =>
	text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;

/** An editor that holds `text`, with the cursor at its end and nothing to undo. */
export const createEditor = (text = ''): Editor => {
	const held = withLineFeeds(text);
	return {text: held, cursor: held.length, goal: null, killed: '', past: [], future: [], last: 'other'};
};

const spliced = (text: string, at: number, length: number, inserted: string): string =>
	text.slice(0, at) + inserted + text.slice(at + length);

/** The editor with the cursor at the boundary at or after `cursor`. */
export const moveTo = (editor: Editor, cursor: number): Editor => ({
	...editor,
	cursor: snapToBoundary(editor.text, cursor),
	goal: null,
	last: 'other',
});

const joined = (previous: Edit, edit: Edit, operation: LastOperation): Edit | undefined => {
	if (
		operation === 'typing' &&
		edit.removed === '' &&
		edit.at === previous.at + previous.inserted.length &&
		previous.removed === ''
	) {
		// A step ends with a word: undo takes back a word, not all that was typed.
		if (/\s$/.test(previous.inserted) && !/^\s/.test(edit.inserted)) return undefined;
		return {...previous, inserted: previous.inserted + edit.inserted, after: edit.after};
	}

	if (operation === 'erasing' && edit.inserted === '' && previous.inserted === '') {
		if (edit.at === previous.at)
			return {...previous, removed: previous.removed + edit.removed, after: edit.after};
		// Not next to each other when the text behind the first joined with what stood before it.
		if (edit.at + edit.removed.length === previous.at)
			return {...previous, at: edit.at, removed: edit.removed + previous.removed, after: edit.after};
	}

	return undefined;
};

/** The editor after replacing what lies between two boundaries; the cursor stands behind the new text. One undo step, or part of the last one. */
export const replace = (
	editor: Editor,
	from: number,
	to: number,
	inserted: string,
	operation: LastOperation = 'other',
): Editor => {
	const removed = editor.text.slice(from, to);
	if (removed === inserted) return {...editor, goal: null, last: 'other'};
	const text = spliced(editor.text, from, removed.length, inserted);
	// The new text may join with what follows into one grapheme.
	const cursor = snapToBoundary(text, from + inserted.length);
	const edit: Edit = {at: from, removed, inserted, before: editor.cursor, after: cursor};
	const previous = editor.past.at(-1);
	const merged =
		operation === editor.last && previous !== undefined ? joined(previous, edit, operation) : undefined;
	const past =
		merged === undefined ? [...editor.past.slice(1 - MAX_UNDO), edit] : [...editor.past.slice(0, -1), merged];
	return {...editor, text, cursor, goal: null, past, future: [], last: operation};
};

const stepped = (
	editor: Editor,
	steps: Pick<Editor, 'past' | 'future'>,
	edit: Edit,
	isUndo: boolean,
): Editor => {
	const [taken, put] = isUndo ? [edit.inserted, edit.removed] : [edit.removed, edit.inserted];
	const text = spliced(editor.text, edit.at, taken.length, put);
	return {...editor, ...steps, text, cursor: isUndo ? edit.before : edit.after, goal: null, last: 'other'};
};

/** The editor before the last step, or the same when there is none. */
export const undo = (editor: Editor): Editor => {
	const edit = editor.past.at(-1);
	if (edit === undefined) return editor;
	return stepped(editor, {past: editor.past.slice(0, -1), future: [...editor.future, edit]}, edit, true);
};

/** The editor with the step that `undo` took back, or the same when there is none. */
export const redo = (editor: Editor): Editor => {
	const edit = editor.future.at(-1);
	if (edit === undefined) return editor;
	return stepped(editor, {past: [...editor.past, edit], future: editor.future.slice(0, -1)}, edit, false);
};
