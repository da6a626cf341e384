import type {HtmlCell, HtmlTable} from '../../../text/output/html-text.ts';
import {label} from '../../../text/safe.ts';
import {layoutColumns, leftFor, type ColumnRoom, type PlacedColumn} from '../../../text/table/layout.ts';
import {headRowsOf, indexColumns, isGapText} from '../../../text/table/html-table.ts';
import {areNumbers} from '../../../text/table/reading.ts';
import {isMissing} from '../../../text/table/values.ts';
import {cellWidth, fit} from '../../../text/width/width.ts';
import {paint} from '../theme/theme.ts';
import {columnsRule} from './columns-rule.ts';

const GAP = 2;
const WIDEST = 40;
/** Largest share of the width that columns which do not scroll may take. */
const STAYING_SHARE = 0.6;

const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width + GAP, -GAP);

const shownText = ({text}: HtmlCell): string => label(text, 400);

/** Width that each column needs. A cell that spans several columns widens the last of them. */
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
			needed - (span === 1 ? 0 : sum(widths.slice(column, last)) + GAP),
		);
	}
	return widths;
};

const rightColumns = (table: HtmlTable): readonly boolean[] => {
	const {rows, columns} = table;
	const texts = Array.from({length: columns}, (): string[] => []);
	for (const {isHead, span, column, text} of rows.slice(headRowsOf(table)).flat())
		if (!isHead && span === 1 && text !== '') texts[column]?.push(text);
	return texts.map(column => {
		const values = column.filter(text => !isGapText(text));
		return values.length > 0 && (values.every(isMissing) || areNumbers(values, false));
	});
};

type Measures = {readonly widths: readonly number[]; readonly isRight: readonly boolean[]};
const measures = new WeakMap<HtmlTable, Measures>();

const measured = (table: HtmlTable): Measures => {
	const known = measures.get(table) ?? {widths: columnWidths(table), isRight: rightColumns(table)};
	measures.set(table, known);
	return known;
};

/**
 * Division into columns that stay and columns that scroll. If not all columns fit, the index
 * columns stay, up to `STAYING_SHARE` of the width.
 */
const roomOf = (table: HtmlTable, widths: readonly number[], width: number): ColumnRoom => {
	const all = widths.map((_, column) => column);
	let staying = sum(widths) <= width ? 0 : indexColumns(table);
	while (staying > 1 && sum(widths.slice(0, staying)) > Math.floor(width * STAYING_SHARE)) staying--;
	return {
		frozen: all.slice(0, staying),
		columns: all.slice(staying),
		width,
		gap: GAP,
		widthOf: column => widths[column] ?? 1,
	};
};

/** A row as text. Each cell spans its visible columns, which are adjacent. */
const rowLine = (
	row: readonly HtmlCell[],
	placed: readonly PlacedColumn[],
	isRight: readonly boolean[],
): string => {
	let line = '';
	let end = 0;
	for (let at = 0; at < placed.length; at++) {
		const {column, x} = placed[at] ?? {column: 0, x: 0};
		const cell = row.find(each => each.column <= column && column < each.column + each.span);
		if (cell !== undefined) while ((placed[at + 1]?.column ?? Infinity) < cell.column + cell.span) at++;
		const last = placed[at] ?? {x, width: 0};
		const room = last.x + last.width - x;
		const isNumber = cell?.span === 1 && isRight[column] === true;
		const text = fit(cell === undefined ? '' : shownText(cell), room, isNumber ? 'right' : 'left');
		line += ' '.repeat(x - end) + (cell?.isHead ? paint('heading', text) : text);
		end = x + room;
	}
	return line.trimEnd();
};

/**
 * Table with aligned columns and right-aligned numbers, as in a notebook. If not all columns fit,
 * the first visible scrolling column is `left`, or an earlier one if the last column is visible
 * from there. A rule below the header counts the columns beyond the edges.
 */
export const htmlTableLines = (table: HtmlTable, width: number, left: number): readonly string[] => {
	const {widths, isRight} = measured(table);
	const room = roomOf(table, widths, width);
	const {placed, before, after} = layoutColumns(room, Math.min(left, leftFor(room, 0, table.columns - 1)));
	const lines = table.rows.map(row => rowLine(row, placed, isRight));
	return before + after === 0
		? lines
		: [
				...lines.slice(0, headRowsOf(table)),
				columnsRule({before, after}, width),
				...lines.slice(headRowsOf(table)),
			];
};
