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

/** The part of some blocks of lines that is in view. `top` null shows the end. Costs the lines in view, not all. */
export const windowOf = (blocks: readonly (readonly string[])[], top: number | null, height: number): Window => {
	const total = blocks.reduce((sum, lines) => sum + lines.length, 0);
	const last = Math.max(0, total - height);
	const from = top === null ? last : Math.min(top, last);
	const lines: string[] = [];
	const owners: number[] = [];
	let at = 0;
	for (const [index, block] of blocks.entries()) {
		if (at >= from + height) break;
		if (at + block.length > from) lines.push(...block.slice(Math.max(0, from - at), from + height - at));
		while (owners.length < lines.length) owners.push(index);
		at += block.length;
	}
	return {from, lines, owners, last, below: Math.max(0, total - from - height)};
};

/** Which block a row of all is in, and which row of that it is. Null: there are not so many rows. */
export const placeIn = (blocks: readonly (readonly string[])[], line: number): {readonly block: number; readonly row: number} | null => {
	let row = line;
	for (const [block, lines] of blocks.entries()) {
		if (row < lines.length) return {block, row};
		row -= lines.length;
	}
	return null;
};

/** Says what came in below while the reader stayed where they were. */
export const belowMark = (below: number): string => (below === 0 ? '' : `${paint('busy', `${glyph.below} ${below} more line${below === 1 ? '' : 's'}`)} ${paint('dim', 'G to the end')}`);

/** First line of a block within all lines. */
export const startOf = (blocks: readonly (readonly string[])[], index: number): number => blocks.slice(0, index).reduce((sum, lines) => sum + lines.length, 0);
