import {alignedRow, columnWidths, droppable, shrunk} from '../text/columns/text-table.ts';

/** `value`: safe text of one line. */
export type Column<Row> = {
	readonly head: string;
	readonly value: (row: Row) => string;
	readonly right?: true;
	/**
	 * Order in which columns are left out on a narrow terminal, 1 first. Columns without it stay.
	 */
	readonly drop?: number;
};

/** Placeholder for a missing value. */
export const NONE = '-';

const GAP = 2;

/** Text columns shrink to `READABLE` before a column is left out, and to `NARROWEST` after that. */
const READABLE = 24;
const NARROWEST = 8;

/**
 * Header and rows with aligned columns, each line ended. `width`: terminal cells. Infinity for a
 * pipe.
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
	// Text columns shrink, the longest first; numbers stay whole. A pipe has room for everything.
	const widths = shrunk(pick(natural), needed(Infinity) - width, {
		narrowest: NARROWEST,
		mayShrink: place => !isNumber(place),
	});
	return cells.map(row => `${alignedRow(pick(row), widths, {gap: GAP, isRight: isNumber})}\n`).join('');
};
