// Characters that show a terminal cell as a grid of blocks.

/** Ways to divide a cell, coarse to fine: 1×2, 2×2, 2×3 and 2×4 blocks. */
export const PICTURE_BLOCKS = ['halves', 'quadrants', 'sextants', 'octants'] as const;
export type PictureBlocks = (typeof PICTURE_BLOCKS)[number];

/**
 * Grid of blocks in a cell. `characters` are indexed by mask. Bit `row * columns + column` of a
 * mask is set if that block has the foreground colour.
 */
export type BlockCells = {
	readonly columns: number;
	readonly rows: number;
	readonly characters: readonly string[];
};

const SEXTANTS = 0x1_fb_00;
const OCTANTS = 0x1_cd_00;
/**
 * Masks of sextants that look like a space, a half block or a full block, and have that character.
 */
const HALVES_OF_SEXTANTS = new Map([
	[0, ' '],
	[0b01_01_01, '▌'],
	[0b10_10_10, '▐'],
	[0b11_11_11, '█'],
]);
/** Masks of octants whose characters are not in the Unicode range of octants. */
const OTHERS_OF_OCTANTS = new Map<number, string>([
	[0, ' '],
	[0b00_00_00_01, '\u{1CEA8}'],
	[0b00_00_00_10, '\u{1CEAB}'],
	[0b00_00_00_11, '\u{1FB82}'],
	[0b00_00_01_01, '▘'],
	[0b00_00_10_10, '▝'],
	[0b00_00_11_11, '▀'],
	[0b00_01_01_00, '\u{1FBE6}'],
	[0b00_10_10_00, '\u{1FBE7}'],
	[0b00_11_11_11, '\u{1FB85}'],
	[0b01_00_00_00, '\u{1CEA3}'],
	[0b01_01_00_00, '▖'],
	[0b01_01_01_01, '▌'],
	[0b01_01_10_10, '▞'],
	[0b01_01_11_11, '▛'],
	[0b10_00_00_00, '\u{1CEA0}'],
	[0b10_10_00_00, '▗'],
	[0b10_10_01_01, '▚'],
	[0b10_10_10_10, '▐'],
	[0b10_10_11_11, '▜'],
	[0b11_00_00_00, '▂'],
	[0b11_11_00_00, '▄'],
	[0b11_11_01_01, '▙'],
	[0b11_11_10_10, '▟'],
	[0b11_11_11_00, '▆'],
	[0b11_11_11_11, '█'],
]);

/**
 * Characters for all masks in order. Masks in `others` have their own character. The rest are
 * consecutive in Unicode, starting with `first`.
 */
const inOrder = (count: number, first: number, others: ReadonlyMap<number, string>): readonly string[] => {
	let next = first;
	return Array.from({length: count}, (_, mask) => others.get(mask) ?? String.fromCodePoint(next++));
};

/**
 * Grid and characters for a kind of blocks.
 * @see https://www.unicode.org/charts/PDF/U1FB00.pdf
 * @see https://www.unicode.org/charts/PDF/U1CC00.pdf
 */
export const blockCells = (blocks: PictureBlocks): BlockCells => {
	switch (blocks) {
		case 'halves':
			return {columns: 1, rows: 2, characters: [...' ▀▄█']};
		case 'quadrants':
			return {columns: 2, rows: 2, characters: [...' ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█']};
		case 'sextants':
			return {columns: 2, rows: 3, characters: inOrder(64, SEXTANTS, HALVES_OF_SEXTANTS)};
		case 'octants':
			return {columns: 2, rows: 4, characters: inOrder(256, OCTANTS, OTHERS_OF_OCTANTS)};
	}
};
