import {layoutColumns, leftFor, type ColumnLayout, type ColumnRoom} from '../../text/table/layout.ts';
import {widenFormat} from '../../text/table/column-format.ts';
import {windowAround} from '../core/components/scroll.ts';
import type {Rect} from '../core/program.ts';
import {rowCount, type TableView} from './tables.ts';

const GAP = 2;
/** Number of rows for title, header and rule. */
const HEAD_ROWS = 3;
/** Width of the column statistics in cells, with the line at their left. */
const SIDE = 34;

export type TableRoom = {
	readonly layout: ColumnLayout;
	readonly left: number;
	/** Indices of the visible rows, counted in the table's own order. */
	readonly rows: readonly number[];
	/** Index of the first visible row, counted among the rows that pass the filter. */
	readonly top: number;
	readonly height: number;
	/**
	 * Width of the row numbers and the space after them, in cells. 0 if the table has its own
	 * index.
	 */
	readonly numbers: number;
	/** Width of the columns and of the statistics beside them, in cells. */
	readonly width: number;
	readonly side: number;
};

/** Visible columns that scroll sideways. */
export const movingColumns = ({table, hidden}: Pick<TableView, 'table' | 'hidden'>): readonly number[] =>
	table.names.map((_, column) => column).filter(column => column >= table.index && !hidden.has(column));

const frozenColumns = ({table, hidden}: TableView): readonly number[] =>
	Array.from({length: table.index}, (_, column) => column).filter(column => !hidden.has(column));

/** Columns that are not hidden, from left to right; the cursor moves among them. */
export const shownColumns = (view: TableView): readonly number[] => [
	...frozenColumns(view),
	...movingColumns(view),
];

export const tableRoom = (
	view: TableView,
	{width: whole, height: rows}: Omit<Rect, 'x' | 'y'>,
): TableRoom => {
	const {table, facts, row, column} = view;
	const height = Math.max(1, rows - HEAD_ROWS);
	const count = rowCount(view);
	const top = windowAround(row, height, count);
	const shown = Array.from(
		{length: Math.max(0, Math.min(height, count - top))},
		(_, at) => view.rows?.[top + at] ?? top + at,
	);
	const numbers = table.index > 0 ? 0 : Math.max(2, String(view.known).length) + 3;
	const side = facts ? Math.min(SIDE, Math.floor(whole / 2)) : 0;
	const width = whole - 2 - numbers - side;
	const fields = shown.map(at => table.row(at));
	const room: ColumnRoom = {
		frozen: frozenColumns(view),
		columns: movingColumns(view),
		width,
		gap: GAP,
		widthOf: each => widenFormat(table, each, fields).width + (view.sort?.column === each ? 2 : 0),
	};
	const left = leftFor(room, view.left, column);
	return {layout: layoutColumns(room, left), left, rows: shown, top, height, numbers, width, side};
};
