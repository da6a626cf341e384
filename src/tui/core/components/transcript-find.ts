import {rowsWith} from './find-rows.ts';

/** A block of a transcript as it is looked through: with nothing folded. */
export type Findable = {
	/** Another object when its rows are others. */
	readonly key: object;
	/** Quicker than laying it out: false only where nothing is found. */
	readonly mayHold: (query: string) => boolean;
	readonly rows: () => readonly string[];
};

/** A row that holds what is looked for: its block and its place in that, from 0. */
export type FoundRow = {readonly block: number; readonly row: number};

const known = new WeakMap<
	object,
	{readonly query: string; readonly width: number; readonly rows: readonly number[]}
>();

const rowsIn = ({key, mayHold, rows}: Findable, query: string, width: number): readonly number[] => {
	const before = known.get(key);
	if (before?.query === query && before.width === width) return before.rows;
	const found = mayHold(query) ? rowsWith(rows(), query, width) : [];
	known.set(key, {query, width, rows: found});
	return found;
};

/** All rows that hold what is looked for, from top to bottom. A block that does not change is looked through once. */
export const foundIn = (blocks: readonly Findable[], query: string, width: number): readonly FoundRow[] =>
	blocks.flatMap((each, block) => rowsIn(each, query, width).map(row => ({block, row})));

const isBehind = (one: FoundRow, other: FoundRow): boolean =>
	one.block === other.block ? one.row > other.row : one.block > other.block;

/** The number of the next found row behind `from`, or before it; at the end the search goes on at the other one. -1 when there is none. */
export const nextFound = (
	found: readonly FoundRow[],
	from: FoundRow,
	step: 1 | -1,
): {readonly at: number; readonly isAround: boolean} => {
	const at =
		step > 0
			? found.findIndex(each => isBehind(each, from))
			: found.findLastIndex(each => isBehind(from, each));
	if (at !== -1) return {at, isAround: false};
	return {at: step > 0 ? Math.min(0, found.length - 1) : found.length - 1, isAround: true};
};
