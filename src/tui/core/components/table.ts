import {cellWidth, fit, withoutColours} from '../../../text/width/width.ts';
import {fitColumns, widthCounts, type Counts} from '../../../text/columns/fit-columns.ts';
import {alignedCells, droppable, shrunk} from '../../../text/columns/text-table.ts';
import {glyph} from '../theme/glyphs.ts';
import {isSelectionTinted, paint} from '../theme/theme.ts';
import {inSentenceCase} from './sentence-case.ts';

/** Column of a table. `value` returns safe text of one line. */
export type Column<T> = {
	readonly head: string;
	readonly value: (row: T) => string;
	/** Colours the padded cell. */
	readonly style?: (row: T, cell: string) => string;
	readonly right?: true;
	readonly max?: number;
	/** Narrowest readable width in cells: the column is cut to it before others are left out. */
	readonly least?: number;
	/** True if this column is never cut below its `max`, like right-aligned columns. */
	readonly isWhole?: true;
	/** True if this column is cut before the others. */
	readonly isMinor?: true;
	/** Order of omission, starting with 1. Columns without it are never left out. */
	readonly drop?: number;
};

const GAP = 3;
const MARK = 3;
const NARROWEST = 6;
/** Widest value that is shown whole if nothing else needs the space, in cells. */
const LONGEST = 100;

type Widths = {
	/** Widths that each column needs, in cells. */
	readonly natural: readonly number[];
	readonly whole: readonly number[];
	readonly counts: readonly Counts[];
};

const measuredWidths = new WeakMap<object, WeakMap<object, Widths>>();

/** Caches the widths by columns and rows, so that a list of thousands is measured once. */
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

/** Total width, including a blank at the end and a cell for the scroll mark. */
const totalWidth = (widths: readonly number[], gap: number, before: number): number =>
	widths.reduce((sum, each) => sum + (each > 0 ? each + gap : 0), before - gap + 2);

/** Width of a table with every column. Only values longer than their column's `max` are cut. */
export const wantedWidth = <T>(
	columns: readonly Column<T>[],
	rows: readonly T[],
	gap = GAP,
	before = MARK,
): number => totalWidth(measuredIn(columns, rows).natural, gap, before);

/**
 * Least width of a column: this share of an even split of the width, but at most `FEW` cells. It
 * applies however much the other columns need.
 */
const OWN_SHARE = 0.75;
const FEW = 10;

/** Divides `room` cells among the columns; fixed ones keep their width. Null if impossible. */
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

/**
 * Widths that fit into `width` cells. Cells left over widen columns whose values would be cut. If
 * there are too few cells, the columns share them by need. If a column would then be too narrow to
 * read, columns are left out first, by their `drop` number.
 */
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
	// A number that is cut would look like another number.
	const isFixed = (column: number): boolean =>
		columns[column]?.right === true || columns[column]?.isWhole === true || narrowed[column] === 0;
	const room = narrowed.reduce((sum, each) => sum + each, 0) - over(narrowed);
	return (
		shared({natural: narrowed, counts}, room, isFixed) ??
		shrunk(narrowed, over(narrowed), {narrowest: NARROWEST})
	);
};

/** True for a column title with an arrow, which marks the sorted column. */
const isSorted = (head: string): boolean => [glyph.up, glyph.down].some(arrow => head.includes(arrow));

/**
 * The visible rows as text. Widths come from `measured`, or else from `all`, so that nothing moves
 * while the user scrolls or filters.
 */
export const tableLines = <T>(options: {
	readonly columns: readonly Column<T>[];
	readonly all: readonly T[];
	readonly from: number;
	readonly height: number;
	readonly cursor: number;
	readonly focused: boolean;
	readonly width: number;
	/** True if the rows are old, because they could not be reloaded. */
	readonly stale?: boolean;
	readonly measured?: readonly T[];
	/** Replaces the columns' own headers, with the same widths. */
	readonly heads?: readonly string[];
	/** True for a row that is muted as a whole. */
	readonly isMuted?: (row: T) => boolean;
	/** Cells between two columns. */
	readonly gap?: number;
	/** Cells before the first column. */
	readonly before?: number;
	/** Contents of the cells before and after the cursor's mark; one cell each. */
	readonly marks?: (row: T) => readonly [string, string];
	/**
	 * Text of a row that spans all columns. Such a row starts one step further left than the
	 * others.
	 */
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
		isMuted = () => false,
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
			columns.map((column, index) => inSentenceCase(heads?.[index] ?? column.head)),
			widths,
			isRight,
		).map(cell => (isSorted(cell) ? cell : paint('dim', cell))),
		' '.repeat(cellsBefore),
	);
	const lines = all.slice(from, from + height).map((row, offset) => {
		const isCursor = from + offset === cursor;
		const isSelected = isCursor && focused;
		const styled = !isSelected || isSelectionTinted();
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
					).map((cell, index) => {
						const own = (styled && !isMuted(row) && columns[index]?.style?.(row, cell)) || cell;
						return isSelected && index === 0 ? paint('heading', own) : own;
					});
		const text =
			sentence === undefined
				? line(cells, mark + beyond)
				: `${mark} ${styled ? sentence : withoutColours(sentence)}`;
		const shown = stale || isMuted(row) ? paint('dim', text) : text;
		if (isSelected) return paint('selected', fit(styled ? shown : text, width));
		return shown;
	});
	return {head, lines};
};
