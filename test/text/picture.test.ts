import fc from 'fast-check';
import jpeg from 'jpeg-js';
import {PNG} from 'pngjs';
import {expect, test} from 'vitest';
import {decodePicture} from '../../src/text/output/picture-decode.ts';
import {blockCells, PICTURE_BLOCKS, type PictureBlocks} from '../../src/text/output/block-cells.ts';
import {pictureRows, type Bitmap, type ColourDepth} from '../../src/text/output/picture.ts';
import {cellWidth} from '../../src/text/width/width.ts';

const bitmap = (
	width: number,
	height: number,
	pixel: (x: number, y: number) => readonly [number, number, number, number],
): Bitmap => ({
	width,
	height,
	pixels: Uint8Array.from(
		Array.from({length: width * height}, (_, at) => pixel(at % width, Math.floor(at / width))).flat(),
	),
});
const RED = [255, 0, 0, 255] as const;
const BLUE = [0, 0, 255, 255] as const;
const CLEAR = [0, 0, 0, 0] as const;

const pngOf = ({width, height, pixels}: Bitmap): Buffer => {
	const png = new PNG({width, height});
	png.data.set(pixels);
	return PNG.sync.write(png);
};

const style = (depth: ColourDepth, blocks: PictureBlocks = 'halves') => ({depth, blocks}) as const;
/** Block characters that divide a cell in the middle. */
const EVEN = PICTURE_BLOCKS.filter(blocks => blocks !== 'sextants');

test('two pixels above each other share a cell in their own colours', () => {
	const flag = bitmap(1, 2, (_, y) => (y === 0 ? RED : BLUE));
	for (const blocks of EVEN) {
		expect(pictureRows(flag, 10, 10, style(24, blocks))).toEqual([
			'\u001B[38;2;255;0;0;48;2;0;0;255m▀\u001B[0m',
		]);
		expect(pictureRows(flag, 10, 10, style(8, blocks))).toEqual(['\u001B[38;5;196;48;5;21m▀\u001B[0m']);
		expect(pictureRows(flag, 10, 10, style(4, blocks))).toEqual(['\u001B[91;44m▀\u001B[0m']);
	}
});

test('transparent parts show the background of the terminal', () => {
	const corner = bitmap(2, 2, (x, y) => (x === 0 || y === 0 ? CLEAR : RED));
	for (const blocks of EVEN)
		expect(pictureRows(corner, 10, 10, style(24, blocks))).toEqual([
			'\u001B[39;49m \u001B[38;2;255;0;0;49m▄\u001B[0m',
		]);
});

test('without colours a picture is drawn in shades', () => {
	for (const blocks of PICTURE_BLOCKS) {
		const [row] = pictureRows(
			bitmap(5, 2, x => [x * 63, x * 63, x * 63, 255]),
			10,
			10,
			style(1, blocks),
		);
		expect(row).toBe(' ░▒▓█');
	}
});

test('a character for each mask of blocks, none twice, all one cell wide', () => {
	for (const blocks of PICTURE_BLOCKS) {
		const {columns, rows, characters} = blockCells(blocks);
		expect(new Set(characters).size).toBe(2 ** (columns * rows));
		expect(characters.map(cellWidth)).toEqual(characters.map(() => 1));
	}
	// BLOCK SEXTANT-1, -12, -1346 and -23456.
	const {characters: sextants} = blockCells('sextants');
	expect([1, 3, 0b10_11_01, 0b11_11_10].map(mask => sextants[mask]?.codePointAt(0)?.toString(16))).toEqual([
		'1fb00',
		'1fb02',
		'1fb2a',
		'1fb3b',
	]);
	// BLOCK OCTANT-3, -1245, -1278 and -2345678.
	const {characters: octants} = blockCells('octants');
	expect(
		[4, 0b0001_1011, 0b1100_0011, 0b1111_1110].map(mask => octants[mask]?.codePointAt(0)?.toString(16)),
	).toEqual(['1cd00', '1cd13', '1cdae', '1cde5']);
});

/** Blocks of a row as `#` if black and `.` if white. */
const blackBlocks = (drawn: string, blocks: PictureBlocks): readonly string[] => {
	const {columns, rows, characters} = blockCells(blocks);
	const lines = Array.from({length: rows}, () => '');
	let isFrontBlack = false;
	let isBackBlack = false;
	for (const [, codes, character] of drawn.matchAll(/\u001B\[([\d;]*)m|(.)/gu)) {
		if (character === undefined) {
			const [front = '', back = ''] = (codes ?? '').split(/(?<=39|38;2;\d+;\d+;\d+);/);
			isFrontBlack = front.endsWith(';0;0;0');
			isBackBlack = back.endsWith(';0;0;0');
			continue;
		}
		const mask = characters.indexOf(character);
		for (let at = 0; at < columns * rows; at++)
			lines[Math.floor(at / columns)] += ((mask >> at) & 1 ? isFrontBlack : isBackBlack) ? '#' : '.';
	}
	return lines;
};

test('two colours of a cell are drawn block by block', () => {
	fc.assert(
		fc.property(
			fc.constantFrom(...(['quadrants', 'sextants', 'octants'] as const)),
			fc.array(fc.boolean(), {minLength: 24, maxLength: 24}),
			(blocks, isBlack) => {
				const {rows} = blockCells(blocks);
				// The picture covers three cells, and a cell is twice as high as wide.
				const picture = bitmap(18, 12, (x, y) =>
					isBlack[Math.floor(x / 3) + 6 * Math.floor((y * rows) / 12)]
						? [0, 0, 0, 255]
						: [255, 255, 255, 255],
				);
				expect(blackBlocks(pictureRows(picture, 3, 1, style(24, blocks))[0] ?? '', blocks)).toEqual(
					Array.from({length: rows}, (_, y) =>
						Array.from({length: 6}, (_, x) => (isBlack[x + 6 * y] ? '#' : '.')).join(''),
					),
				);
			},
		),
	);
});

test('a picture never takes more room than it is given, keeps its shape, and is not enlarged', () => {
	const depths: readonly ColourDepth[] = [1, 4, 8, 24];
	fc.assert(
		fc.property(
			fc.integer({min: 1, max: 60}),
			fc.integer({min: 1, max: 60}),
			fc.integer({min: 1, max: 40}),
			fc.integer({min: 1, max: 20}),
			fc.constantFrom(...depths),
			fc.constantFrom(...PICTURE_BLOCKS),
			(width, height, columns, rows, depth, blocks) => {
				const drawn = pictureRows(
					bitmap(width, height, (x, y) => [x * 4, y * 4, 99, 255]),
					columns,
					rows,
					style(depth, blocks),
				);
				expect(drawn.length).toBeLessThanOrEqual(Math.min(rows, Math.ceil(height / 2)));
				const widths = new Set(drawn.map(cellWidth));
				expect(widths.size).toBe(1);
				expect(Math.max(...widths)).toBeLessThanOrEqual(Math.min(columns, width));
			},
		),
	);
});

test('a PNG is read pixel by pixel, and a JPEG nearly so', () => {
	const original = bitmap(16, 16, (x, y) => [x * 16, y * 16, 128, 255]);
	expect(decodePicture(pngOf(original))).toEqual({
		bitmap: {...original, pixels: Buffer.from(original.pixels)},
		size: '16x16',
	});
	const {
		bitmap: {pixels, width},
	} = decodePicture(jpeg.encode({width: 16, height: 16, data: original.pixels}, 95).data);
	expect(width).toBe(16);
	const worst = pixels.reduce(
		(most, value, at) => Math.max(most, Math.abs(value - (original.pixels[at] ?? 0))),
		0,
	);
	expect(worst).toBeLessThan(24);
});

test('of a large picture no more is kept than a terminal can show', () => {
	const {
		bitmap: {width, height, pixels},
		size,
	} = decodePicture(pngOf(bitmap(2000, 500, () => RED)));
	expect([width, height, size]).toEqual([512, 128, '2000x500']);
	expect([...pixels.subarray(0, 4)]).toEqual(RED);
});

test('a few bytes that name a gigantic picture are refused before memory is taken', () => {
	const png = pngOf(bitmap(1, 1, () => RED));
	png.writeUInt32BE(60_000, 16);
	png.writeUInt32BE(60_000, 20);
	expect(() => decodePicture(png)).toThrow('60000x60000 is too large');
});

test.each([
	['a cut PNG', pngOf(bitmap(40, 40, (x, y) => [x, y, x * y, 255])).subarray(0, 90)],
	['a text', Buffer.from('hello')],
	['nothing', Buffer.alloc(0)],
])('%s is not a picture', (_, bytes) => {
	expect(() => decodePicture(bytes)).toThrow();
});
