/** Position of a column in a row, in terminal cells. */
export type PlacedColumn = {readonly column: number; readonly x: number; readonly width: number};

/** Columns in view, and the number of scrolling columns to the left and right of them. */
export type ColumnLayout = {
	readonly placed: readonly PlacedColumn[];
	readonly before: number;
	readonly after: number;
};

export type ColumnRoom = {
	/** Columns that do not scroll, shown at the left. */
	readonly frozen: readonly number[];
	/** Columns that scroll, in order. */
	readonly columns: readonly number[];
	readonly width: number;
	readonly gap: number;
	readonly widthOf: (column: number) => number;
};

/** Maximum share of the width for the frozen columns. They are cut if they need more. */
const FROZEN_SHARE = 0.6;

const frozenIn = ({frozen, columns, width, gap, widthOf}: ColumnRoom): readonly PlacedColumn[] => {
	const room = columns.length === 0 ? width : Math.floor(width * FROZEN_SHARE);
	const placed: PlacedColumn[] = [];
	let x = 0;
	for (const column of frozen) {
		const each = Math.min(widthOf(column), room - x);
		if (each <= 0) break;
		placed.push({column, x, width: each});
		x += each + gap;
	}
	return placed;
};

const endOf = (placed: readonly PlacedColumn[], gap: number): number => {
	const last = placed.at(-1);
	return last === undefined ? 0 : last.x + last.width + gap;
};

/**
 * Lays out the scrolling columns from number `left` on. The first is shown even if it must be cut.
 */
export const layoutColumns = (room: ColumnRoom, left: number): ColumnLayout => {
	const {columns, width, gap, widthOf} = room;
	const placed = [...frozenIn(room)];
	const from = Math.max(0, Math.min(left, columns.length - 1));
	let at = from;
	for (let x = endOf(placed, gap); at < columns.length && x < width; at++) {
		const column = columns[at] ?? 0;
		const wanted = widthOf(column);
		if (x + wanted > width && at > from) break;
		placed.push({column, x, width: Math.min(wanted, width - x)});
		x += wanted + gap;
	}
	return {placed, before: columns.length === 0 ? 0 : from, after: columns.length - at};
};

/**
 * Number of the first scrolling column at which `column` is in view, as close to `left` as
 * possible.
 */
export const leftFor = (room: ColumnRoom, left: number, column: number): number => {
	const {columns, width, gap, widthOf} = room;
	const at = columns.indexOf(column);
	if (at === -1) return Math.max(0, Math.min(left, columns.length - 1));
	if (at <= left) return at;
	const start = endOf(frozenIn(room), gap);
	let first = at;
	for (let used = start + widthOf(column); first > left; first--) {
		used += gap + widthOf(columns[first - 1] ?? 0);
		if (used > width) break;
	}
	return first;
};
