import {keyFor} from '../keys/live-keys.ts';
import type {Scope} from '../program.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';

export type Window = {
	/** The first line's number among all. */
	readonly from: number;
	readonly lines: readonly string[];
	/** Which block each of them belongs to. */
	readonly owners: readonly number[];
	/** Greatest first line. */
	readonly last: number;
	/** Lines below the window. */
	readonly below: number;
};

type Blocks = readonly (readonly string[])[];

const starts = new WeakMap<Blocks, Uint32Array>();

/** First line of each block among all lines, and behind the last one how many there are. Counted once for an array of blocks, which nobody changes. */
const startsOf = (blocks: Blocks): Uint32Array => {
	const known = starts.get(blocks);
	if (known !== undefined) return known;
	const counted = new Uint32Array(blocks.length + 1);
	for (let index = 0; index < blocks.length; index++)
		counted[index + 1] = (counted[index] ?? 0) + (blocks[index]?.length ?? 0);
	starts.set(blocks, counted);
	return counted;
};

/** First line of a block within all lines. */
export const startOf = (blocks: Blocks, index: number): number => startsOf(blocks)[index] ?? 0;

/** The block that holds a line, or the number of blocks. */
const blockAt = (blocks: Blocks, line: number): number => {
	const counted = startsOf(blocks);
	let low = 0;
	let high = blocks.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((counted[middle + 1] ?? 0) > line) high = middle;
		else low = middle + 1;
	}
	return low;
};

/** The part of some blocks of lines that is in view. `top` null shows the end. Costs the lines in view, not all. */
export const windowOf = (blocks: Blocks, top: number | null, height: number): Window => {
	const total = startOf(blocks, blocks.length);
	const last = Math.max(0, total - height);
	const from = top === null ? last : Math.min(top, last);
	const lines: string[] = [];
	const owners: number[] = [];
	for (let index = blockAt(blocks, from); index < blocks.length && lines.length < height; index++) {
		const start = Math.max(0, from - startOf(blocks, index));
		for (const line of (blocks[index] ?? []).slice(start, start + height - lines.length)) {
			lines.push(line);
			owners.push(index);
		}
	}
	return {from, lines, owners, last, below: Math.max(0, total - from - height)};
};

/** Which block a row of all is in, and which row of that it is. Null: there are not so many rows. */
export const blockAtRow = (
	blocks: Blocks,
	line: number,
): {readonly block: number; readonly row: number} | null => {
	const block = blockAt(blocks, line);
	return block === blocks.length ? null : {block, row: line - startOf(blocks, block)};
};

/** Says what came in below while the reader stayed where they were. */
export const belowMark = (below: number, scope: Scope, isShort = false): string =>
	below === 0
		? ''
		: paint('busy', `${glyph.down} ${below} more line${below === 1 ? '' : 's'}`) +
			(isShort ? '' : ` ${paint('dim', `${keyFor(`${scope}.last`)} to the end`)}`);
