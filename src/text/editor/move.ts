import {moveTo, type Editor} from './state.ts';
import {eachGrapheme, nextBoundary, previousBoundary} from '../width/graphemes.ts';
import {block} from '../safe.ts';
import {cellWidth} from '../width/width.ts';

export const lineStartAt = (text: string, at: number): number =>
	at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;

/** Offset of the end of the line that contains `at`: its line feed, or the end of the text. */
export const lineEndAt = (text: string, at: number): number => {
	const end = text.indexOf('\n', at);
	return end === -1 ? text.length : end;
};

const isWordCharacter = (text: string, at: number): boolean =>
	/^[\p{L}\p{N}\p{M}_]/u.test(text.slice(at, at + 2));

export const wordStartBefore = (text: string, at: number): number => {
	let start = at;
	let isInWord = false;
	while (start > 0) {
		const previous = previousBoundary(text, start);
		const isWord = isWordCharacter(text, previous);
		if (isInWord && !isWord) break;
		isInWord ||= isWord;
		start = previous;
	}

	return start;
};

export const wordEndAfter = (text: string, at: number): number => {
	let end = at;
	let isInWord = false;
	eachGrapheme(
		text,
		(start, next) => {
			const isWord = isWordCharacter(text, start);
			if (isInWord && !isWord) return false;
			isInWord ||= isWord;
			end = next;
		},
		at,
	);
	return end;
};

export const left = (editor: Editor): Editor => moveTo(editor, previousBoundary(editor.text, editor.cursor));
export const right = (editor: Editor): Editor => moveTo(editor, nextBoundary(editor.text, editor.cursor));
export const wordLeft = (editor: Editor): Editor =>
	moveTo(editor, wordStartBefore(editor.text, editor.cursor));
export const wordRight = (editor: Editor): Editor => moveTo(editor, wordEndAfter(editor.text, editor.cursor));
export const lineStart = (editor: Editor): Editor => moveTo(editor, lineStartAt(editor.text, editor.cursor));
export const lineEnd = (editor: Editor): Editor => moveTo(editor, lineEndAt(editor.text, editor.cursor));
export const textStart = (editor: Editor): Editor => moveTo(editor, 0);
export const textEnd = (editor: Editor): Editor => moveTo(editor, editor.text.length);

const columnIn = (line: string): number => cellWidth(block(line));

/**
 * Position of the cursor. `row` counts lines from 0. `column` is in cells, in the line as `block`
 * displays it.
 */
export const cursorPosition = ({text, cursor}: Editor): {readonly row: number; readonly column: number} => {
	let row = 0;
	for (let at = text.indexOf('\n'); at !== -1 && at < cursor; at = text.indexOf('\n', at + 1)) row++;
	return {row, column: columnIn(text.slice(lineStartAt(text, cursor), cursor))};
};

/** Offset in the line that starts at `start`, at the column or at the last boundary left of it. */
const offsetAtColumn = (text: string, start: number, column: number): number => {
	const line = text.slice(start, lineEndAt(text, start));
	let offset = 0;
	let reached = 0;
	eachGrapheme(line, (from, to) => {
		const grapheme = line.slice(from, to);
		reached += grapheme === '\t' ? 8 - (reached % 8) : columnIn(grapheme);
		if (reached > column) return false;
		offset = to;
	});
	return start + offset;
};

/** Result of Up and Down. `moved` is false if the cursor was on the first or last line. */
export type Vertical = {readonly editor: Editor; readonly moved: boolean};

const toLine = (editor: Editor, start: number): Vertical => {
	const goal = editor.goal ?? cursorPosition(editor).column;
	return {editor: {...moveTo(editor, offsetAtColumn(editor.text, start, goal)), goal}, moved: true};
};

/** Moves the cursor one line up, to the column where the sequence of Up and Down keys started. */
export const up = (editor: Editor): Vertical => {
	const start = lineStartAt(editor.text, editor.cursor);
	return start === 0 ? {editor, moved: false} : toLine(editor, lineStartAt(editor.text, start - 1));
};

/** Moves the cursor one line down, to the column where the sequence of Up and Down keys started. */
export const down = (editor: Editor): Vertical => {
	const end = lineEndAt(editor.text, editor.cursor);
	return end === editor.text.length ? {editor, moved: false} : toLine(editor, end + 1);
};
