import {alignedRow, columnWidths, droppable, shrunk} from '../text/columns/text-table.ts';

/** `value` is safe text of one line. */
export type Column<Row> = {
	readonly head: string;
	readonly value: (row: Row) => string;
	readonly right?: true;
	/** On a terminal that is too narrow, 1 is left out first. Columns without it stay. */
	readonly drop?: number;
};

/** Stands where there is no value. */
export const NONE = '-';

const GAP = 2;

/** A text gives way down to this before a column is left out; and down to the other one after that. */
const READABLE = 24;
const NARROWEST = 8;

/** Head and rows with aligned columns, each line ended. `width`: cells of the terminal; infinite for a pipe. */
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
	// Texts give way, the longest first; numbers stay whole. A pipe has room for everything.
	const widths = shrunk(pick(natural), needed(Infinity) - width, {
		narrowest: NARROWEST,
		mayShrink: place => !isNumber(place),
	});
	return cells.map(row => `${alignedRow(pick(row), widths, {gap: GAP, isRight: isNumber})}\n`).join('');
};
