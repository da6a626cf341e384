import {eachGrapheme, unitCells} from './graphemes.ts';
import {graphemeCells} from './grapheme-width.ts';
import {NO_STYLE, applySgr, closeStyle, openStyle, type Style} from './sgr.ts';

const COLOURS = /\u001b\[[\d;:]*m/g;

const cellsBetween = (text: string, start: number, end: number): number => {
	const cells = end === start + 1 ? unitCells(text.charCodeAt(start)) : 0;
	return cells === 0 ? graphemeCells(text.slice(start, end)) : cells;
};

/**
 * Called with a grapheme, or with a colour sequence, which has 0 cells. Returning `false` ends the
 * iteration.
 */
export type VisitToken = (token: string, cells: number) => boolean | void;

/**
 * Calls `visit` for each grapheme and colour sequence after `from`, which must be a boundary.
 * Linear.
 */
export const eachToken = (text: string, visit: VisitToken, from = 0): void => {
	const visitGrapheme = (start: number, end: number): boolean | void =>
		visit(text.slice(start, end), cellsBetween(text, start, end));
	let at = from;
	if (text.includes('\u001b', from)) {
		COLOURS.lastIndex = from;
		for (const match of text.matchAll(COLOURS)) {
			if (!eachGrapheme(text, visitGrapheme, at, match.index)) return;
			if (visit(match[0], 0) === false) return;
			at = match.index + match[0].length;
		}
	}

	eachGrapheme(text, visitGrapheme, at);
};

export const isColour = (token: string): boolean => token.length > 2 && token.startsWith('\u001b[');

/**
 * Width in cells of a text whose characters cannot join into graphemes. Undefined if some might.
 */
export const plainCells = (text: string): number | undefined => {
	let cells = 0;
	for (let at = 0; at < text.length; at++) {
		const unit = unitCells(text.charCodeAt(at));
		if (unit === 0) return undefined;
		cells += unit;
	}

	return cells;
};

/** Removes colour sequences (SGR). */
export const withoutColours = (text: string): string =>
	text.includes('\u001b') ? text.replaceAll(COLOURS, '') : text;

/** True if a text fits in `cells` cells. Undefined if graphemes must be measured to find out. */
const plainFits = (text: string, cells: number): boolean | undefined => {
	const width = plainCells(withoutColours(text));
	return width === undefined ? undefined : width <= cells;
};

/** Width of a text in terminal cells. Colour sequences, tabs and line ends count as 0. */
export const cellWidth = (text: string): number => {
	const bare = withoutColours(text);
	return plainCells(bare) ?? widthOfGraphemes(bare);
};

const widthOfGraphemes = (text: string): number => {
	let cells = 0;
	eachGrapheme(text, (start, end) => {
		cells += cellsBetween(text, start, end);
	});
	return cells;
};

/**
 * Skips the start of a text that needs no segmenter, up to `column` at most. Returns the offset and
 * column reached.
 */
const skipPlain = (text: string, column: number): {readonly offset: number; readonly column: number} => {
	let at = 0;
	let reached = 0;
	for (; at + 1 < text.length; at++) {
		const cells = unitCells(text.charCodeAt(at));
		if (cells === 0 || unitCells(text.charCodeAt(at + 1)) === 0 || reached + cells > column) break;
		reached += cells;
	}

	return {offset: at, column: reached};
};

/**
 * Part of a line between two columns, for horizontal scrolling. At most `cells` cells wide.
 * Replaces a wide character that is cut by an edge with spaces. Switches on the colours that are
 * active at the left edge, and resets them at the end.
 */
export const slice = (text: string, from: number, cells: number): string => {
	if (cells <= 0) return '';
	const start = Math.max(0, from);
	const end = start + cells;
	const skipped = skipPlain(text, start);
	let column = skipped.column;
	let style: Style = NO_STYLE;
	let shown: string | undefined;
	eachToken(
		text,
		(token, width) => {
			if (isColour(token)) {
				style = applySgr(style, token.slice(2, -1)).style;
				if (shown !== undefined) shown += token;
				return;
			}

			const next = column + width;
			const isLeftOfEdge = next <= start && (width > 0 || start > 0) && shown === undefined;
			if (!isLeftOfEdge) {
				shown ??= openStyle(style);
				if (next > end) shown += ' '.repeat(end - Math.max(column, start));
				else shown += column < start ? ' '.repeat(next - start) : token;
			}

			column = next;
			return column < end;
		},
		skipped.offset,
	);
	if (shown === undefined) return '';
	return shown.includes('\u001b') ? closeStyle(shown) : shown;
};

/**
 * Maximum length of a text that is measured completely, in UTF-16 units. In longer texts only the
 * visible part is measured.
 */
const SHORT = 1000;

const fitsIn = (text: string, cells: number): boolean => {
	const plain = text.length <= SHORT ? plainFits(text, cells) : undefined;
	if (plain !== undefined) return plain;
	let column = 0;
	eachToken(text, (_, width) => {
		column += width;
		return column <= cells;
	});
	return column <= cells;
};

/** Returns the text if it fits, else its start followed by `…`. Never wider than `cells` cells. */
export const cut = (text: string, cells: number): string => {
	if (cells <= 0) return '';
	return fitsIn(text, cells) ? text : `${slice(text, 0, cells - 1).trimEnd()}…`;
};

/** Returns the text in exactly `cells` cells, either cut with `…` or padded with spaces. */
export const fit = (text: string, cells: number, align: 'left' | 'right' = 'left'): string => {
	const shown = cut(text, cells);
	const padding = ' '.repeat(Math.max(0, cells - cellWidth(shown)));
	if (align === 'left') return shown + padding;
	// Measured with the padding, because a combining character at the start of the text joins the
	// last space.
	return ' '.repeat(Math.max(0, cells - cellWidth(padding + shown))) + padding + shown;
};
