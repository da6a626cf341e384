// Position in content that is longer than its window: as numbers, and as a mark at the right edge.
import {stripVTControlCharacters} from 'node:util';
import {cellWidth, fit, slice} from '../../../text/width/width.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';

/** Position as `12/321`. `at` is counted from 0. Empty if `count` is less than 2. */
export const positionText = (at: number, count: number): string =>
	count < 2 ? '' : `${Math.min(count, Math.max(0, at) + 1)}/${count}`;

/** Position in the title of a list. */
export const positionMark = (at: number, count: number): string => {
	const position = positionText(at, count);
	return position === '' ? '' : paint('dim', `row ${position}`);
};

/** Position and age in the title of a list. */
export const ageMark = (at: number, count: number, age: string): string =>
	[positionMark(at, count), age].filter(each => each !== '').join(paint('dim', ' · '));

/** Position and age, or as much of them as fits into `room` cells. */
export const fittingAgeMark = (at: number, count: number, age: string, room: number): string =>
	[ageMark(at, count, age), positionMark(at, count), age].find(each => cellWidth(each) <= room) ?? '';

/** Position of the last visible line among `count` lines, as `12/321`; empty if all are visible. */
export const scrollText = (from: number, height: number, count: number): string =>
	count <= height ? '' : positionText(from + height - 1, count);

/**
 * Rows of the scroll mark in a window of `height` rows. The mark's length shows the visible share
 * of `count`. The mark reaches the bottom only if the last row is visible.
 */
export const markedRows = (
	from: number,
	height: number,
	count: number,
): {readonly first: number; readonly length: number} => {
	if (count <= height || height < 1) return {first: 0, length: 0};
	const length = Math.max(1, Math.min(height - 1, Math.round((height * height) / count)));
	const last = count - height;
	const end = height - length;
	if (from <= 0 || from >= last) return {first: from <= 0 ? 0 : end, length};
	const place = Math.round((from / last) * end);
	return {first: Math.min(end, Math.max(1, Math.min(end - 1, place))), length};
};

/** A row with the scroll mark in the last of `width` cells, if that cell is free. */
const marked = (row: string, width: number): string => {
	const mark = paint('dim', glyph.scroll);
	if (cellWidth(row) < width) return fit(row, width - 1) + mark;
	return stripVTControlCharacters(row).endsWith(' ') ? slice(row, 0, width - 1) + mark : row;
};

/**
 * The rows of a window, with the scroll mark in the last of `width` cells; unchanged if everything
 * is visible.
 */
export const withScrollMark = (
	rows: readonly string[],
	{from, height, count, width}: Readonly<Record<'from' | 'height' | 'count' | 'width', number>>,
): readonly string[] => {
	const {first, length} = markedRows(from, height, count);
	return length === 0
		? rows
		: rows.map((row, at) => (at < first || at >= first + length ? row : marked(row, width)));
};
