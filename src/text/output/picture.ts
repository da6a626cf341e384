import {blockCells, type BlockCells, type PictureBlocks} from './block-cells.ts';

/** Pixels of a picture: RGBA, 4 bytes each, row by row from the top left. */
export type Bitmap = {readonly width: number; readonly height: number; readonly pixels: Uint8Array};

/**
 * Number of colour bits in a terminal, as returned by Node's `getColorDepth`. 1 means no colours.
 */
export type ColourDepth = 1 | 4 | 8 | 24;

/** Colours that a terminal supports, and the blocks that its cells are divided into. */
export type PictureStyle = {readonly depth: ColourDepth; readonly blocks: PictureBlocks};

type Colour = readonly [red: number, green: number, blue: number];

const LEVELS = [0, 95, 135, 175, 215, 255] as const;
/** The 16 basic colours as xterm displays them. */
const SIXTEEN: readonly Colour[] = [
	[0, 0, 0],
	[205, 0, 0],
	[0, 205, 0],
	[205, 205, 0],
	[0, 0, 238],
	[205, 0, 205],
	[0, 205, 205],
	[229, 229, 229],
	[127, 127, 127],
	[255, 0, 0],
	[0, 255, 0],
	[255, 255, 0],
	[92, 92, 255],
	[255, 0, 255],
	[0, 255, 255],
	[255, 255, 255],
];
const SHADES = ' ░▒▓█';
const RESET = '\u001B[0m';

const distance = ([r1, g1, b1]: Colour, [r2, g2, b2]: Colour): number =>
	(r1 - r2) ** 2 + (g1 - g2) ** 2 + (b1 - b2) ** 2;

const nearestIn = (colours: readonly Colour[], colour: Colour): number => {
	let best = 0;
	for (const [index, each] of colours.entries())
		if (distance(each, colour) < distance(colours[best] ?? each, colour)) best = index;
	return best;
};

const cubeStep = (value: number): number =>
	value < 48 ? 0 : value < 115 ? 1 : Math.min(5, Math.floor((value - 35) / 40));

/** Nearest colour among the 6x6x6 cube and the 24 greys, as an index in the 256-colour palette. */
const of256 = (colour: Colour): number => {
	const [r, g, b] = colour;
	const steps = [cubeStep(r), cubeStep(g), cubeStep(b)] as const;
	const inCube: Colour = [LEVELS[steps[0]] ?? 0, LEVELS[steps[1]] ?? 0, LEVELS[steps[2]] ?? 0];
	const step = Math.max(0, Math.min(23, Math.round(((r + g + b) / 3 - 8) / 10)));
	const level = 8 + 10 * step;
	return distance(colour, [level, level, level]) < distance(colour, inCube)
		? 232 + step
		: 16 + 36 * steps[0] + 6 * steps[1] + steps[2];
};

/** SGR parameters for a colour. Null selects the terminal's default colour. */
const code = (colour: Colour | null, depth: ColourDepth, isBackground: boolean): string => {
	if (colour === null) return isBackground ? '49' : '39';
	const ground = isBackground ? 48 : 38;
	if (depth === 24) return `${ground};2;${colour.join(';')}`;
	if (depth === 8) return `${ground};5;${of256(colour)}`;
	const index = nearestIn(SIXTEEN, colour);
	return String((index < 8 ? 30 + index : 82 + index) + (isBackground ? 10 : 0));
};

/** Scales a picture down. Each new pixel is the average of a box of pixels, weighted by opacity. */
export const scaled = ({width, height, pixels}: Bitmap, toWidth: number, toHeight: number): Bitmap => {
	const made = new Uint8Array(toWidth * toHeight * 4);
	for (let y = 0; y < toHeight; y++) {
		const top = Math.floor((y * height) / toHeight);
		const bottom = Math.max(top + 1, Math.floor(((y + 1) * height) / toHeight));
		for (let x = 0; x < toWidth; x++) {
			const left = Math.floor((x * width) / toWidth);
			const right = Math.max(left + 1, Math.floor(((x + 1) * width) / toWidth));
			let [red, green, blue, opacity] = [0, 0, 0, 0];
			for (let row = top; row < bottom; row++) {
				for (let at = (row * width + left) * 4; at < (row * width + right) * 4; at += 4) {
					const alpha = pixels[at + 3] ?? 0;
					red += (pixels[at] ?? 0) * alpha;
					green += (pixels[at + 1] ?? 0) * alpha;
					blue += (pixels[at + 2] ?? 0) * alpha;
					opacity += alpha;
				}
			}
			const to = (y * toWidth + x) * 4;
			const whole = opacity || 1;
			made.set(
				[
					Math.round(red / whole),
					Math.round(green / whole),
					Math.round(blue / whole),
					Math.round(opacity / ((bottom - top) * (right - left))),
				],
				to,
			);
		}
	}
	return {width: toWidth, height: toHeight, pixels: made};
};

/** Largest size with the same aspect ratio that fits. Never larger than the original. */
export const sizeWithin = (
	{width, height}: Pick<Bitmap, 'width' | 'height'>,
	mostWidth: number,
	mostHeight: number,
): {readonly width: number; readonly height: number} => {
	const scale = Math.min(1, mostWidth / width, mostHeight / height);
	return {width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale))};
};

const pixelAt = ({width, height, pixels}: Bitmap, x: number, y: number): Colour | null => {
	const at = (y * width + x) * 4;
	return y >= height || (pixels[at + 3] ?? 0) < 128
		? null
		: [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
};

const brightness = (colour: Colour | null): number =>
	colour === null ? 0 : (0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]) / 255;

const shadeRow = (bitmap: Bitmap, y: number): string => {
	let row = '';
	for (let x = 0; x < bitmap.width; x++) {
		const bright = (brightness(pixelAt(bitmap, x, y)) + brightness(pixelAt(bitmap, x, y + 1))) / 2;
		row += SHADES[Math.min(SHADES.length - 1, Math.floor(bright * SHADES.length))] ?? ' ';
	}
	return row;
};

/** Mean of colours, or null if there are none. */
const meanOf = (colours: readonly Colour[]): Colour | null => {
	if (colours.length === 0) return null;
	const [red, green, blue] = colours.reduce(([r, g, b], each) => [r + each[0], g + each[1], b + each[2]]);
	const {length} = colours;
	return [Math.round(red / length), Math.round(green / length), Math.round(blue / length)];
};

/** Mask of the blocks that are nearer to colour `one` than to `other`. */
const nearerTo = (blocks: readonly Colour[], one: Colour, other: Colour): number =>
	blocks.reduce(
		(mask, each, at) => (distance(each, one) <= distance(each, other) ? mask | (1 << at) : mask),
		0,
	);

/** `mask`: blocks in the foreground colour. Null means the terminal's default colour. */
type Cell = {readonly mask: number; readonly front: Colour | null; readonly back: Colour | null};

/** Two colours that approximate the blocks of a cell best, by 2-means clustering. */
const twoColours = (blocks: readonly Colour[]): Cell => {
	let one = blocks[0] as Colour;
	let other = blocks.reduce((far, each) => (distance(each, one) > distance(far, one) ? each : far), one);
	// Draws blocks even if both colours are equal, so that text copied from the terminal shows that
	// there is a picture.
	if (distance(one, other) === 0) return {mask: (1 << (blocks.length / 2)) - 1, front: one, back: one};
	one = blocks.reduce((far, each) => (distance(each, other) > distance(far, other) ? each : far), other);
	let mask = nearerTo(blocks, one, other);
	for (let round = 0; round < 2; round++) {
		one = meanOf(blocks.filter((_, at) => (mask >> at) & 1)) ?? one;
		other = meanOf(blocks.filter((_, at) => !((mask >> at) & 1))) ?? other;
		mask = nearerTo(blocks, one, other);
	}
	return {mask, front: one, back: other};
};

const cellOf = (blocks: readonly (Colour | null)[]): Cell => {
	const opaque = blocks.filter(each => each !== null);
	if (opaque.length === blocks.length) return twoColours(opaque);
	const mask = blocks.reduce<number>((all, each, at) => (each === null ? all : all | (1 << at)), 0);
	return {mask, front: meanOf(opaque), back: null};
};

/** Draws a row of cells. `y`: first row of blocks, which are the pixels of the bitmap. */
const colourRow = (
	bitmap: Bitmap,
	y: number,
	depth: ColourDepth,
	{columns, rows, characters}: BlockCells,
): string => {
	let row = '';
	let style = '';
	for (let x = 0; x < bitmap.width; x += columns) {
		const {mask, front, back} = cellOf(
			Array.from({length: columns * rows}, (_, at) =>
				pixelAt(bitmap, x + (at % columns), y + Math.floor(at / columns)),
			),
		);
		const next = `\u001B[${code(front, depth, false)};${code(back, depth, true)}m`;
		if (next !== style) row += next;
		style = next;
		row += characters[mask] ?? ' ';
	}
	return row + RESET;
};

/**
 * Draws a picture in at most `columns` × `rows` cells, or in four shades if there are no colours.
 * Never enlarges it beyond one cell per pixel.
 */
export const pictureRows = (
	bitmap: Bitmap,
	columns: number,
	rows: number,
	{depth, blocks}: PictureStyle,
): readonly string[] => {
	// A cell is about twice as high as wide.
	const size = sizeWithin(bitmap, Math.max(1, columns), Math.max(1, rows) * 2);
	const cells = blockCells(depth === 1 ? 'halves' : blocks);
	const height = Math.max(1, Math.round((size.height * cells.rows) / 2));
	const small = scaled(bitmap, size.width * cells.columns, height);
	return Array.from({length: Math.ceil(height / cells.rows)}, (_, row) =>
		depth === 1 ? shadeRow(small, row * cells.rows) : colourRow(small, row * cells.rows, depth, cells),
	);
};
