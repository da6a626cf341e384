import {lineEndAt, lineStartAt, wordEndAfter, wordStartBefore} from './move.ts';
import {replace, withLineFeeds, type Editor} from './state.ts';
import {nextBoundary, previousBoundary} from '../width/graphemes.ts';

export {createEditor, moveTo, redo, undo, type Editor} from './state.ts';
export {
	cursorPosition,
	down,
	left,
	lineEnd,
	lineStart,
	right,
	textEnd,
	textStart,
	up,
	wordLeft,
	wordRight,
	type Vertical,
} from './move.ts';

/**
 * Inserts text at the cursor. Characters typed in a row form one undo step per word. Longer text is
 * a step of its own. CRLF and CR become LF.
 */
export const insert = (editor: Editor, text: string): Editor => {
	const inserted = withLineFeeds(text);
	if (inserted === '') return editor;
	const isTyped = inserted !== '\n' && nextBoundary(inserted, 0) === inserted.length;
	return replace(editor, editor.cursor, editor.cursor, inserted, isTyped ? 'typing' : 'other');
};

/** Inserts a line end followed by `indent`, which the caller computes (`nextIndent` for Python). */
export const newline = (editor: Editor, indent = ''): Editor => insert(editor, `\n${indent}`);

export const backspace = (editor: Editor): Editor => {
	if (editor.cursor === 0) return editor;
	return replace(editor, previousBoundary(editor.text, editor.cursor), editor.cursor, '', 'erasing');
};

export const deleteForward = (editor: Editor): Editor => {
	if (editor.cursor === editor.text.length) return editor;
	return replace(editor, editor.cursor, nextBoundary(editor.text, editor.cursor), '', 'erasing');
};

/** Removes a range and saves it for `yank`. Consecutive kills extend the saved text. */
const kill = (editor: Editor, from: number, to: number): Editor => {
	if (from === to) return editor;
	const taken = editor.text.slice(from, to);
	const earlier = editor.last === 'killing' ? editor.killed : '';
	const killed = to === editor.cursor ? taken + earlier : earlier + taken;
	return {...replace(editor, from, to, '', 'killing'), killed};
};

export const deleteWordBefore = (editor: Editor): Editor =>
	kill(editor, wordStartBefore(editor.text, editor.cursor), editor.cursor);
export const deleteWordAfter = (editor: Editor): Editor =>
	kill(editor, editor.cursor, wordEndAfter(editor.text, editor.cursor));
export const killToLineStart = (editor: Editor): Editor =>
	kill(editor, lineStartAt(editor.text, editor.cursor), editor.cursor);

/** Kills the rest of the line. At the end of a line, kills the line end. */
export const killToLineEnd = (editor: Editor): Editor => {
	const end = lineEndAt(editor.text, editor.cursor);
	return kill(editor, editor.cursor, end === editor.cursor ? nextBoundary(editor.text, end) : end);
};

export const yank = (editor: Editor): Editor => insert(editor, editor.killed);

/** Replaces the whole text in one undo step and puts the cursor at its end. */
export const setText = (editor: Editor, text: string): Editor =>
	replace(editor, 0, editor.text.length, withLineFeeds(text));
