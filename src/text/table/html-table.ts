import type {HtmlTable} from '../output/html-text.ts';
import type {Table} from './table.ts';

/** Text at each position of an HTML table. A spanning cell is repeated at all its positions. */
export const gridOf = ({rows, columns}: HtmlTable): readonly (readonly string[])[] => {
	const grid = rows.map(() => Array.from({length: columns}, () => ''));
	for (const [at, row] of rows.entries())
		for (const {text, column, span, rowSpan} of row)
			for (let to = at; to < at + rowSpan; to++) grid[to]?.fill(text, column, column + span);
	return grid;
};

/** True if the cell indicates omitted cells, as in a truncated data frame. */
export const isGapText = (text: string): boolean =>
	text === '...' || text === '…' || text === '⋮' || text === '⋯' || text === '⋱';

/**
 * Number of header rows. If none is marked, the first row is the header if it has only header
 * cells.
 */
export const headRowsOf = ({rows, headRows}: HtmlTable): number =>
	headRows === 0 && rows[0]?.every(({isHead}) => isHead) === true ? 1 : headRows;

/** Number of leading columns with only header cells, which are the index of a data frame. */
export const indexColumns = (html: HtmlTable): number => {
	const {rows, columns} = html;
	let index = columns;
	// A row may contain only header cells because cells that span down from above cover the rest.
	for (const row of rows.slice(headRowsOf(html)))
		index = Math.min(index, row.find(({isHead}) => !isHead)?.column ?? columns);
	return index < columns ? index : 0;
};

const SIZES = [
	/(?<rows>\d[\d,_]*) rows? [×x] (?<columns>\d[\d,_]*) columns?/,
	// R's caption.
	/(?:data\.frame|tibble|data\.table): (?<rows>\d[\d,_]*) [×x] (?<columns>\d[\d,_]*)/,
	/shape: \((?<rows>\d[\d,_]*)(?:, (?<columns>\d[\d,_]*))?,?\)/,
];
const PART_ONLY = /only showing (?:the )?(?:top|first) \d/i;

type Size = {readonly rows: number | null; readonly columns: number | null};
const amount = (digits: string | undefined): number | null =>
	digits === undefined ? null : Number(digits.replaceAll(/[,_]/g, ''));

/** Size of a data frame as stated in the text next to its table. Null if it is not stated. */
export const sizeIn = (text: string): Size | null => {
	for (const pattern of SIZES) {
		const found = pattern.exec(text)?.groups;
		if (found !== undefined) return {rows: amount(found['rows']), columns: amount(found['columns'])};
	}
	return PART_ONLY.test(text) ? {rows: null, columns: null} : null;
};

/** Converts an HTML table. Spanning cells are repeated. Several header rows are joined into one. */
export const htmlTable = (html: HtmlTable, size: Size | null = null): Table => {
	const headRows = headRowsOf(html);
	const grid = gridOf(html);
	const head = grid.slice(0, headRows);
	const names = Array.from({length: html.columns}, (_, column) =>
		[...new Set(head.map(row => row[column] ?? ''))].filter(text => text !== '').join(' / '),
	);
	const body = grid.slice(headRows);
	const gaps = new Set(body.flatMap((row, at) => (row.every(isGapText) ? [at] : [])));
	const gapColumns = new Set(
		names.flatMap((name, column) =>
			isGapText(name) && body.every(row => isGapText(row[column] ?? '')) ? [column] : [],
		),
	);
	const index = indexColumns(html);
	const shownRows = body.length - gaps.size;
	const shownColumns = names.length - index - gapColumns.size;
	const isPart =
		gaps.size + gapColumns.size > 0 ||
		(size !== null && (size.rows === null || size.rows > shownRows || (size.columns ?? 0) > shownColumns));
	return {
		names,
		index,
		isGap: at => gaps.has(at),
		isGapColumn: column => gapColumns.has(column),
		whole: isPart ? {rows: null, columns: null, ...size, shownRows, shownColumns} : null,
		count: body.length,
		complete: true,
		share: 1,
		isUnsure: false,
		otherHead: null,
		advance() {},
		row: at => body[at] ?? [],
		cell: (at, column) => body[at]?.[column] ?? '',
		raw: () => null,
	};
};
