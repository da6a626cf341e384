import {readHtml, type HtmlCell, type HtmlTable} from '../../../text/output/html-text.ts';
import {block, label} from '../../../text/safe.ts';
import {cellWidth, fit} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {paint} from '../theme/theme.ts';

const GAP = '  ';
const WIDEST = 40;
const NUMBER = /^[-+]?(?:[\d,_]*\.?\d+(?:e[-+]?\d+)?%?|nan|inf|none|nat|<na>)$/i;
/** Stands for the columns that do not fit. */
const MORE = -1;

const sum = (widths: readonly number[]): number =>
	widths.reduce((total, width) => total + width + GAP.length, -GAP.length);

/** Columns from the left and from the right as many as fit, with `MORE` between them. */
const chosenColumns = (widths: readonly number[], width: number): readonly number[] => {
	const all = widths.map((_, column) => column);
	if (sum(widths) <= width) return all;
	let right = all.length - 1;
	let left = 0;
	const kept: number[] = [];
	for (let room = width - 1 - GAP.length; left <= right;) {
		const next = kept.length % 2 === 0 ? left : right;
		room -= (widths[next] ?? 1) + GAP.length;
		if (room < 0 && kept.length > 0) break;
		kept.push(next);
		if (next === left) left++;
		else right--;
	}
	return [...all.slice(0, left), ...(left <= right ? [MORE] : []), ...all.slice(right + 1)];
};

const shownText = ({text}: HtmlCell): string => label(text, 400);

/** What each column needs: a cell over several widens the last of them. */
const columnWidths = ({rows, columns}: HtmlTable): readonly number[] => {
	const widths = Array.from({length: columns}, () => 1);
	const cells = rows
		.flat()
		.map(cell => ({cell, needed: Math.min(WIDEST, cellWidth(shownText(cell)))}))
		.sort((one, other) => one.cell.span - other.cell.span);
	for (const {
		cell: {column, span},
		needed,
	} of cells) {
		const last = column + span - 1;
		widths[last] = Math.max(
			widths[last] ?? 1,
			needed - (span === 1 ? 0 : sum(widths.slice(column, last)) + GAP.length),
		);
	}
	return widths;
};

const rightColumns = ({rows, columns, headRows}: HtmlTable): readonly boolean[] => {
	const texts = Array.from({length: columns}, (): string[] => []);
	for (const {isHead, span, column, text} of rows.slice(headRows).flat())
		if (!isHead && span === 1 && text !== '') texts[column]?.push(text);
	return texts.map(column => column.length > 0 && column.every(text => NUMBER.test(text)));
};

/** A row: each cell over as many of its columns as stand side by side from its first shown one. */
const rowLine = (
	row: readonly HtmlCell[],
	shown: readonly number[],
	widths: readonly number[],
	isRight: readonly boolean[],
): string => {
	const line: string[] = [];
	for (let at = 0; at < shown.length;) {
		const column = shown[at] ?? MORE;
		const cell = row.find(each => each.column <= column && column < each.column + each.span);
		let end = at + 1;
		while (
			cell !== undefined &&
			end < shown.length &&
			shown[end] !== MORE &&
			(shown[end] ?? 0) < cell.column + cell.span
		)
			end++;
		const room = sum(shown.slice(at, end).map(each => widths[each] ?? 1));
		if (column === MORE) line.push(paint('dim', '…'));
		else {
			// Behind the columns that are left out a cell that began before them is not told again.
			const isFirst = cell !== undefined && !shown.slice(0, at).some(each => each >= cell.column);
			const text = fit(
				isFirst ? shownText(cell) : '',
				room,
				isRight[column] && cell?.span === 1 ? 'right' : 'left',
			);
			line.push(cell?.isHead ? paint('heading', text) : text);
		}
		at = end;
	}
	return line.join(GAP).trimEnd();
};

/** A table in aligned columns: numbers to the right, as a notebook shows them. What does not fit is told. */
const tableLines = (table: HtmlTable, width: number): readonly string[] => {
	const natural = columnWidths(table);
	const shown = chosenColumns(natural, width);
	const hidden = table.columns - shown.filter(column => column !== MORE).length;
	// One column is shown however wide it is.
	const widest = hidden === 0 ? width : width - 1 - GAP.length;
	const widths = natural.map(each => Math.min(each, widest));
	const isRight = rightColumns(table);
	const lines = table.rows.map(row => rowLine(row, shown, widths, isRight));
	return hidden === 0
		? lines
		: [
				...lines,
				...wrap(`… ${hidden} of ${table.columns} columns do not fit here`, width).map(line =>
					paint('dim', line),
				),
			];
};

/** Whether each cell stands where the HTML says: of a table whose cells span columns all columns must fit. */
const fitsExactly = (table: HtmlTable, width: number): boolean =>
	table.isExact &&
	(table.rows.every(row => row.every(cell => cell.span === 1)) || sum(columnWidths(table)) <= width);

/** HTML as rows of at most `width` cells: its text, and its tables as text tables. `isExact`: every cell stands under its head. */
export const layOutHtml = (
	html: string,
	width: number,
): {readonly lines: readonly string[]; readonly isExact: boolean} => {
	const parts = readHtml(html);
	return {
		lines: parts.flatMap(part =>
			part.kind === 'table' ? tableLines(part, width) : wrap(block(part.text), width),
		),
		isExact: parts.every(part => part.kind === 'text' || fitsExactly(part, width)),
	};
};

/** True when HTML holds a table, which plain text tells less well. */
export const holdsTable = (html: string): boolean => /<table\b/i.test(html);
