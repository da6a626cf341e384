import {cellWidth, fit} from '../text/width.ts';

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

const widthsOf = <Row>(columns: readonly Column<Row>[], cells: readonly (readonly string[])[]): number[] =>
	columns.map(({head}, index) => cells.reduce((most, row) => Math.max(most, cellWidth(row[index] ?? '')), cellWidth(head)));

/** Head and rows with aligned columns, each line ended. `width`: cells of the terminal; infinite for a pipe. */
export const tableText = <Row>(all: readonly Column<Row>[], rows: readonly Row[], width: number): string => {
	let columns = all;
	let widths: number[];
	let cells: string[][];
	for (;;) {
		const shown = columns;
		cells = rows.map(row => shown.map(column => column.value(row)));
		widths = widthsOf(shown, cells);
		const total = widths.reduce((sum, each) => sum + each + GAP, -GAP);
		const next = shown.filter(column => column.drop !== undefined).toSorted((a, b) => (a.drop ?? 0) - (b.drop ?? 0))[0];
		if (total <= width || next === undefined) break;
		columns = shown.filter(column => column !== next);
	}
	const line = (values: readonly string[]): string =>
		`${values.map((value, index) => fit(value, widths[index] ?? 0, columns[index]?.right ? 'right' : 'left')).join(' '.repeat(GAP)).trimEnd()}\n`;
	return line(columns.map(column => column.head)) + cells.map(line).join('');
};
