import {snapToBoundary} from '../width/graphemes.ts';

/** Replacement of `removed` by `inserted`. `before` and `after`: offsets of the cursor. */
export type Edit = {
	readonly at: number;
	readonly removed: string;
	readonly inserted: string;
	readonly before: number;
	readonly after: number;
};

/**
 * Kind of the last operation. Consecutive operations of the same kind form one undo step, or one
 * text for `yank`.
 */
export type LastOperation = 'typing' | 'erasing' | 'killing' | 'other';

export type Editor = {
	readonly text: string;
	/** UTF-16 offset, always at a grapheme boundary. */
	readonly cursor: number;
	/** Column that consecutive Up and Down keys aim for, in cells. */
	readonly goal: number | null;
	/** Text that `yank` inserts: the last kill, or the last consecutive kills. */
	readonly killed: string;
	readonly past: readonly Edit[];
	readonly future: readonly Edit[];
	readonly last: LastOperation;
};

const MAX_UNDO = 500;

/** CRLF and CR become LF; every other character stays as it is. */
export const withLineFeeds = (text: string): string =>
	text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;

/** Creates an editor with the cursor at the end of the text and nothing to undo. */
export const createEditor = (text = ''): Editor => {
	const held = withLineFeeds(text);
	return {text: held, cursor: held.length, goal: null, killed: '', past: [], future: [], last: 'other'};
};

const spliced = (text: string, at: number, length: number, inserted: string): string =>
	text.slice(0, at) + inserted + text.slice(at + length);

/** Moves the cursor to the grapheme boundary at or after `cursor`. */
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
		// A new word starts a new step, so that undo removes one word at a time.
		if (/\s$/.test(previous.inserted) && !/^\s/.test(edit.inserted)) return undefined;
		return {...previous, inserted: previous.inserted + edit.inserted, after: edit.after};
	}

	if (operation === 'erasing' && edit.inserted === '' && previous.inserted === '') {
		if (edit.at === previous.at)
			return {...previous, removed: previous.removed + edit.removed, after: edit.after};
		// False if the first deletion joined the characters around it into one grapheme.
		if (edit.at + edit.removed.length === previous.at)
			return {...previous, at: edit.at, removed: edit.removed + previous.removed, after: edit.after};
	}

	return undefined;
};

/** Replaces a range and puts the cursor after it. Adds an undo step or extends the last one. */
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
	// The inserted text and the text after it may form one grapheme.
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

/** Reverts the last step. Returns the same editor if there is none. `redo` does likewise. */
export const undo = (editor: Editor): Editor => {
	const edit = editor.past.at(-1);
	if (edit === undefined) return editor;
	return stepped(editor, {past: editor.past.slice(0, -1), future: [...editor.future, edit]}, edit, true);
};

export const redo = (editor: Editor): Editor => {
	const edit = editor.future.at(-1);
	if (edit === undefined) return editor;
	return stepped(editor, {past: [...editor.past, edit], future: editor.future.slice(0, -1)}, edit, false);
};
