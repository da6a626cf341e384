import {rowsWith} from './find-rows.ts';

/** Block of a transcript for the search. Its rows include folded content. */
export type Findable = {
	/** Identity of the rows: a new object whenever they change. */
	readonly key: object;
	/** False only if the block cannot contain the query. Faster than laying out the block. */
	readonly mayHold: (query: string) => boolean;
	readonly rows: () => readonly string[];
};

/** A row with a hit: its block, and its index within the block, from 0. */
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

/** All rows with a hit, from top to bottom. An unchanged block is searched once. */
export const foundIn = (blocks: readonly Findable[], query: string, width: number): readonly FoundRow[] =>
	blocks.flatMap((each, block) => rowsIn(each, query, width).map(row => ({block, row})));

const isBehind = (one: FoundRow, other: FoundRow): boolean =>
	one.block === other.block ? one.row > other.row : one.block > other.block;

/**
 * Index of the next or previous found row from `from` on, wrapping around the end. -1 if none was
 * found.
 */
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
