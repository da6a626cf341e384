import {label} from '../safe.ts';
import {cellWidth} from '../width/width.ts';
import type {Table} from './table.ts';
import {areNumbers, readingOf, type Reading} from './reading.ts';

/** Format of a column. `width`: in cells. `isNumber`, `reading`: determined from its first rows. */
export type ColumnFormat = {readonly width: number; readonly isNumber: boolean; readonly reading: Reading};

const WIDEST = 40;
const MOST_ROWS = 200;
/** Maximum number of fields that are read before the first frame. */
const MOST_FIELDS = 40_000;
/** Maximum displayed length of a field, in UTF-16 units. */
const LONGEST = 400;

/** Field as displayed: one line of safe text. */
export const shownField = (text: string): string => label(text.replaceAll('\r\n', '\n'), LONGEST);

/** Name of a column as displayed. A column without a name gets its number. */
export const shownName = (table: Table, column: number): string =>
	shownField(table.names[column] ?? '').trim() === ''
		? column < table.index
			? ''
			: `column ${column + 1}`
		: shownField(table.names[column] ?? '');

type Sample = {readonly rows: readonly (readonly string[])[]; readonly looks: Map<number, ColumnFormat>};
const samples = new WeakMap<Table, Sample>();

const sampleOf = (table: Table): Sample => {
	const wanted = Math.min(
		table.firstRows ?? table.count,
		Math.max(20, Math.min(MOST_ROWS, Math.floor(MOST_FIELDS / Math.max(1, table.names.length)))),
	);
	const known = samples.get(table);
	if (known && known.rows.length >= wanted) return known;
	const sample = {rows: Array.from({length: wanted}, (_, at) => table.row(at)), looks: new Map()};
	samples.set(table, sample);
	return sample;
};

export const columnFormatOf = (table: Table, column: number): ColumnFormat => {
	const {rows, looks} = sampleOf(table);
	const known = looks.get(column);
	if (known) return known;
	let width = Math.min(WIDEST, cellWidth(shownName(table, column)));
	for (const row of rows)
		if (width < WIDEST) width = Math.max(width, Math.min(WIDEST, cellWidth(shownField(row[column] ?? ''))));
	const texts = rows.flatMap((row, at) => (table.isGap?.(at) === true ? [] : [row[column] ?? '']));
	const reading = readingOf(texts, table.isUnsure, table.decimal);
	const look = {
		width: Math.max(1, width),
		isNumber: table.typeOf?.(column).isNumber ?? areNumbers(texts, reading),
		reading,
	};
	looks.set(column, look);
	return look;
};

/**
 * Widens a column's format for rows that come into view, because a truncated number would be
 * misread.
 */
export const widenFormat = (
	table: Table,
	column: number,
	rows: readonly (readonly string[])[],
): ColumnFormat => {
	const look = columnFormatOf(table, column);
	let {width} = look;
	for (const row of rows)
		if (width < WIDEST) width = Math.max(width, Math.min(WIDEST, cellWidth(shownField(row[column] ?? ''))));
	if (width === look.width) return look;
	const wider = {...look, width};
	sampleOf(table).looks.set(column, wider);
	return wider;
};
