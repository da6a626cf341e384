import {createEditor, moveTo, type Editor} from '../../../text/editor/editor.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth, slice} from '../../../text/width/width.ts';

/** Longest shown text of a one-line field, in UTF-16 units. */
const LONGEST = 4000;

/**
 * The part of a one-line text around its cursor, at most `width` cells wide, and the cursor's cell
 * in it. The last cell is reserved for a cursor at the end of the text.
 */
export const lineField = (
	{text, cursor}: Editor,
	width: number,
): {readonly text: string; readonly x: number} => {
	const before = cellWidth(label(text.slice(0, cursor), LONGEST));
	const from = Math.max(0, before - width + 1);
	return {text: slice(label(text, LONGEST), from, width), x: before - from};
};

/** Asterisks instead of secret text. */
export const masked = ({text, cursor}: Editor): Editor =>
	moveTo(createEditor('*'.repeat(text.length)), cursor);

/** Text for a one-line field: `sign` replaces each line end and the blanks around it. */
export const onOneLine = (text: string, sign = ' '): string =>
	text.replaceAll(/\s+/g, blank => (/[\r\n]/.test(blank) ? sign : blank));
