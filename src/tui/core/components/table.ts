import {cellWidth, fit} from '../../../text/width/width.ts';
import {fitColumns, widthCounts, type Counts} from '../../../text/columns/fit-columns.ts';
import {alignedCells, droppable, shrunk} from '../../../text/columns/text-table.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';

/** `value` is safe text of one line; `shrink` columns give way, in order of their number, where the width is short. */
export type Column<T> = {
	readonly head: string;
	readonly value: (row: T) => string;
	/** Colours the padded cell. */
	readonly style?: (row: T, cell: string) => string;
	readonly right?: true;
	readonly max?: number;
	/** Cells in which it can still be read: it is cut so far before another column is left out. */
	readonly least?: number;
	/** It is cut before the others are. */
	readonly isMinor?: true;
	/** 1 is left out first. Columns without it are never left out. */
	readonly drop?: number;
};

const GAP = 3;
const MARK = 3;
const NARROWEST = 6;
/** Cells of the longest value that is shown whole where there is nothing else to show. */
const LONGEST = 100;

type Widths = {
	/** The cells that each column wants. */ readonly natural: readonly number[];
	/** With no value cut. */ readonly whole: readonly number[];
	/** Of each column, how many of its values and its head have so many cells, the shortest first. */
	readonly counts: readonly Counts[];
};

const measuredWidths = new WeakMap<object, WeakMap<object, Widths>>();

/** A list of thousands is measured once: as long as columns and rows are the same objects. */
const measuredIn = <T>(columns: readonly Column<T>[], rows: readonly T[]): Widths => {
	const known = measuredWidths.get(columns) ?? new WeakMap<object, Widths>();
	measuredWidths.set(columns, known);
	const measure = (): Widths => {
		const counts = columns.map(({head, value}) =>
			widthCounts([cellWidth(head), ...rows.map(row => Math.min(LONGEST, cellWidth(value(row))))]),
		);
		const whole = counts.map(each => each.at(-1)?.[0] ?? 0);
		const natural = columns.map(({head, max = 40}, index) =>
			Math.max(cellWidth(head), Math.min(max, whole[index] ?? 0)),
		);
		return {natural, whole, counts};
	};
	const found = known.get(rows) ?? measure();
	known.set(rows, found);
	return found;
};

/** With a blank at the end, and a cell for the scroll mark. */
const totalWidth = (widths: readonly number[], gap: number, before: number): number =>
	widths.reduce((sum, each) => sum + (each > 0 ? each + gap : 0), before - gap + 2);

/** The cells that a table takes with every column and no value cut, but for those longer than their `max`. */
export const wantedWidth = <T>(
	columns: readonly Column<T>[],
	rows: readonly T[],
	gap = GAP,
	before = MARK,
): number => totalWidth(measuredIn(columns, rows).natural, gap, before);

/** Of an even share a column has so much at least, up to a few letters, whatever the others would make of it. */
const OWN_SHARE = 0.75;
const FEW = 10;

/** Widths of `room` cells in all; `isFixed`: a column that has all it wants. */
const shared = (
	{natural, counts}: Pick<Widths, 'natural' | 'counts'>,
	room: number,
	isFixed: (column: number) => boolean,
): readonly number[] | null => {
	const sharing = natural.filter((_, column) => !isFixed(column)).length;
	const free = natural.reduce((left, cells, column) => (isFixed(column) ? left - cells : left), room);
	const least = Math.max(NARROWEST, Math.min(FEW, Math.floor((OWN_SHARE * free) / sharing)));
	return fitColumns(
		natural.map((cells, column) => ({
			natural: cells,
			least: isFixed(column) ? cells : least,
			counts: counts[column] ?? [],
		})),
		room,
	);
};

/** Widths that fit `width` cells: the natural ones, and what is left over goes to those that cut a value; else they are shared by need; where that is too little to be read in, columns are left out first, by their `drop` number. */
export const columnWidths = <T>(
	columns: readonly Column<T>[],
	rows: readonly T[],
	width: number,
	gap = GAP,
	before = MARK,
): readonly number[] => {
	const {natural, whole, counts} = measuredIn(columns, rows);
	const shown = [...natural];
	let spare = width - totalWidth(natural, gap, before);
	if (spare > 0)
		return natural.map((cells, index) => {
			const more = Math.min(spare, Math.max(0, (whole[index] ?? 0) - cells));
			spare -= more;
			return cells + more;
		});
	const readable = (): readonly number[] =>
		shown.map((cells, index) => Math.min(cells, columns[index]?.least ?? cells));
	for (const index of droppable(columns)) {
		if (totalWidth(readable(), gap, before) <= width) break;
		shown[index] = 0;
	}
	const over = (those: readonly number[]): number => totalWidth(those, gap, before) - width;
	const narrowed = shrunk(shown, over(shown), {
		narrowest: NARROWEST,
		mayShrink: index => columns[index]?.isMinor === true,
	});
	if (over(narrowed) <= 0) return narrowed;
	// What is cut of a number makes another one of it.
	const isFixed = (column: number): boolean => columns[column]?.right === true || narrowed[column] === 0;
	const room = narrowed.reduce((sum, each) => sum + each, 0) - over(narrowed);
	return (
		shared({natural: narrowed, counts}, room, isFixed) ??
		shrunk(narrowed, over(narrowed), {narrowest: NARROWEST})
	);
};

/** The rows in view as text. Widths are taken from `measured`, or else from `all`, so that nothing jumps while scrolling or filtering. */
export const tableLines = <T>(options: {
	readonly columns: readonly Column<T>[];
	readonly all: readonly T[];
	readonly from: number;
	readonly height: number;
	readonly cursor: number;
	readonly focused: boolean;
	readonly width: number;
	/** The rows are old: they could not be renewed. */
	readonly stale?: boolean;
	readonly measured?: readonly T[];
	/** In place of the columns' own heads, and as wide. */
	readonly heads?: readonly string[];
	/** Cells between two columns. */
	readonly gap?: number;
	/** Cells before the first column. */
	readonly before?: number;
	/** What stands in the cells before and behind the cursor's mark; one cell each. */
	readonly marks?: (row: T) => readonly [string, string];
	/** The whole line of a row that has no columns; it stands a step before those that have. */
	readonly whole?: (row: T) => string | undefined;
}): {readonly head: string; readonly lines: readonly string[]} => {
	const {
		columns,
		all,
		from,
		height,
		cursor,
		focused,
		width,
		stale = false,
		measured = all,
		heads,
		gap = GAP,
		before: cellsBefore = MARK,
		marks,
		whole,
	} = options;
	const widths = columnWidths(columns, measured, width, gap, cellsBefore);
	const beyond = ' '.repeat(cellsBefore - MARK);
	const isRight = (column: number): boolean => columns[column]?.right === true;
	const line = (cells: readonly string[], mark: string): string =>
		`${mark}${cells.filter((_, index) => (widths[index] ?? 0) > 0).join(' '.repeat(gap))}`;
	const head = line(
		alignedCells(
			columns.map((column, index) => heads?.[index] ?? column.head),
			widths,
			isRight,
		),
		' '.repeat(cellsBefore),
	);
	const lines = all.slice(from, from + height).map((row, offset) => {
		const isCursor = from + offset === cursor;
		const styled = !(isCursor && focused);
		const [before, behind] = marks?.(row) ?? [' ', ' '];
		const mark = `${before}${isCursor ? glyph.cursor : ' '}${behind}`;
		const sentence = whole?.(row);
		const cells =
			sentence !== undefined
				? []
				: alignedCells(
						columns.map(column => column.value(row)),
						widths,
						isRight,
					).map((cell, index) => (styled && columns[index]?.style?.(row, cell)) || cell);
		const text = sentence === undefined ? line(cells, mark + beyond) : `${mark} ${sentence}`;
		if (isCursor && focused) return paint('selected', fit(text, width));
		return stale ? paint('dim', text) : text;
	});
	return {head: paint('dim', head), lines};
};
