import {keyFor} from '../keys/live-keys.ts';
import type {Scope} from '../program.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';

export type Window = {
	/** Index of the first visible line among all lines. */
	readonly from: number;
	readonly lines: readonly string[];
	/** Index of the block that each line belongs to. */
	readonly owners: readonly number[];
	/** Largest possible index of the first visible line. */
	readonly last: number;
	/** Lines below the window. */
	readonly below: number;
};

type Blocks = readonly (readonly string[])[];

const starts = new WeakMap<Blocks, Uint32Array>();

/**
 * Index of each block's first line among all lines, and at the end the number of lines. Computed
 * once per array of blocks, which never changes.
 */
const startsOf = (blocks: Blocks): Uint32Array => {
	const known = starts.get(blocks);
	if (known !== undefined) return known;
	const counted = new Uint32Array(blocks.length + 1);
	for (let index = 0; index < blocks.length; index++)
		counted[index + 1] = (counted[index] ?? 0) + (blocks[index]?.length ?? 0);
	starts.set(blocks, counted);
	return counted;
};

/** Index of a block's first line among all lines. */
export const startOf = (blocks: Blocks, index: number): number => startsOf(blocks)[index] ?? 0;

/** Index of the block that contains a line, or the number of blocks. */
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

/** The visible part of blocks of lines. `top` null shows the end. Reads the visible lines only. */
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

/** Block of a row, and the row's index in that block. Null if there are fewer rows. */
export const blockAtRow = (
	blocks: Blocks,
	line: number,
): {readonly block: number; readonly row: number} | null => {
	const block = blockAt(blocks, line);
	return block === blocks.length ? null : {block, row: line - startOf(blocks, block)};
};

/** Text about the number of lines below the window after the user has scrolled up. */
export const belowMark = (below: number, scope: Scope, isShort = false): string =>
	below === 0
		? ''
		: paint('busy', `${glyph.down} ${below} more line${below === 1 ? '' : 's'}`) +
			(isShort ? '' : ` ${paint('dim', `${keyFor(`${scope}.last`)} to the end`)}`);
