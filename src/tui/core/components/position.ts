// Where one is in what is longer than its window: in numbers, and as a mark at its right edge.
import {stripVTControlCharacters} from 'node:util';
import {cellWidth, fit, slice} from '../../../text/width/width.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';

/** `12/321`, of a row counted from 0; empty where there are no two. */
export const positionText = (at: number, count: number): string =>
	count < 2 ? '' : `${Math.min(count, Math.max(0, at) + 1)}/${count}`;

/** The same in the title of a list, before its age. */
export const positionMark = (at: number, count: number): string => {
	const position = positionText(at, count);
	return position === '' ? '' : `${paint('dim', `row ${position}`)}   `;
};

/** Of a text of `count` lines: the last line in view, empty where all of it is. */
export const scrollText = (from: number, height: number, count: number): string =>
	count <= height ? '' : positionText(from + height - 1, count);

/** The rows of a window of `height` that the mark takes: as much of it as is in view of `count`, at its end only at the very end. */
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

/** A row with the mark in the last of `width` cells, where that is free: no letter gives way for it. */
const marked = (row: string, width: number): string => {
	const mark = paint('dim', glyph.scroll);
	if (cellWidth(row) < width) return fit(row, width - 1) + mark;
	return stripVTControlCharacters(row).endsWith(' ') ? slice(row, 0, width - 1) + mark : row;
};

/** The rows of a window, with the mark in the last of `width` cells; as they are where all is in view. */
export const withScrollMark = (
	rows: readonly string[],
	{from, height, count, width}: Readonly<Record<'from' | 'height' | 'count' | 'width', number>>,
): readonly string[] => {
	const {first, length} = markedRows(from, height, count);
	return length === 0
		? rows
		: rows.map((row, at) => (at < first || at >= first + length ? row : marked(row, width)));
};
