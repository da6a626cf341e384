// Tables as text: column widths, columns to drop, aligned rows. All cells must be safe text of one
// line.
import {cellWidth, fit} from '../width/width.ts';

/** Width of the longest text in each column, in terminal cells. */
export const columnWidths = (rows: readonly (readonly string[])[]): number[] => {
	const widths: number[] = [];
	for (const row of rows)
		for (const [column, text] of row.entries())
			widths[column] = Math.max(widths[column] ?? 0, cellWidth(text));
	return widths;
};

export const alignedCells = (
	row: readonly string[],
	widths: readonly number[],
	isRight: (column: number) => boolean = () => false,
): readonly string[] =>
	row.map((text, column) => fit(text, widths[column] ?? 0, isRight(column) ? 'right' : 'left'));

/** Row of aligned columns without trailing spaces. `gap`: cells between two columns. */
export const alignedRow = (
	row: readonly string[],
	widths: readonly number[],
	{gap, isRight}: {readonly gap: number; readonly isRight?: (column: number) => boolean},
): string => alignedCells(row, widths, isRight).join(' '.repeat(gap)).trimEnd();

/**
 * Indexes of the columns that may be dropped, in ascending order of `drop`. Columns without `drop`
 * always stay.
 */
export const droppable = (columns: readonly {readonly drop?: number}[]): readonly number[] =>
	columns
		.flatMap(({drop}, index) => (drop === undefined ? [] : [{drop, index}]))
		.sort((one, other) => one.drop - other.drop)
		.map(({index}) => index);

/** Narrows the widest columns one cell at a time, until they are `over` cells narrower in total. */
export const shrunk = (
	widths: readonly number[],
	over: number,
	{
		narrowest,
		mayShrink = () => true,
	}: {readonly narrowest: number; readonly mayShrink?: (column: number) => boolean},
): number[] => {
	const given = [...widths];
	for (let left = over; left > 0; left--) {
		const widest = given.reduce(
			(most, each, column) =>
				mayShrink(column) && each > narrowest && each > (given[most] ?? 0) ? column : most,
			-1,
		);
		if (widest < 0) break;
		given[widest] = (given[widest] ?? 0) - 1;
	}
	return given;
};

export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
	[head, head.map(() => '---'), ...rows]
		.map(row => `| ${row.map(cell => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`)
		.join('\n');
