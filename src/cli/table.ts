import {alignedRow, columnWidths, droppable, shrunk} from '../text/columns/text-table.ts';

/** `value`: safe text of one line. */
export type Column<Row> = {
	readonly head: string;
	readonly value: (row: Row) => string;
	readonly right?: true;
	/**
	 * Order in which columns are omitted on a narrow terminal, starting with 1. A column without it
	 * is always shown.
	 */
	readonly drop?: number;
};

/** Placeholder for a missing value. */
export const NONE = '-';

const GAP = 2;

/**
 * Narrowest width of a text column, in cells: `READABLE` before columns are omitted, `NARROWEST`
 * after that.
 */
const READABLE = 24;
const NARROWEST = 8;

/**
 * Table as text: a header and rows with aligned columns, each with a line feed. `width`: in
 * terminal cells, infinite for a pipe.
 */
export const tableText = <Row>(all: readonly Column<Row>[], rows: readonly Row[], width: number): string => {
	const cells = [all.map(({head}) => head), ...rows.map(row => all.map(({value}) => value(row)))];
	const natural = columnWidths(cells);
	const isRight = (column: number): boolean => all[column]?.right === true;
	let shown = [...all.keys()];
	const needed = (most: number): number =>
		shown.reduce((sum, column) => {
			const cells = natural[column] ?? 0;
			return sum + (isRight(column) ? cells : Math.min(cells, most)) + GAP;
		}, -GAP);
	for (const next of droppable(all)) {
		if (needed(READABLE) <= width) break;
		shown = shown.filter(column => column !== next);
	}
	const pick = <Value>(values: readonly Value[]): readonly Value[] =>
		values.filter((_, column) => shown.includes(column));
	const isNumber = (place: number): boolean => isRight(shown[place] ?? 0);
	// Text columns are shortened, the widest first. Columns of numbers are not. In a pipe, no
	// column is shortened.
	const widths = shrunk(pick(natural), needed(Infinity) - width, {
		narrowest: NARROWEST,
		mayShrink: place => !isNumber(place),
	});
	return cells.map(row => `${alignedRow(pick(row), widths, {gap: GAP, isRight: isNumber})}\n`).join('');
};
