import fc from 'fast-check';
import jpeg from 'jpeg-js';
import {PNG} from 'pngjs';
import {expect, test} from 'vitest';
import {decodePicture} from '../../src/text/output/picture-decode.ts';
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

test('two pixels above each other share a cell in their own colours', () => {
	const flag = bitmap(1, 2, (_, y) => (y === 0 ? RED : BLUE));
	expect(pictureRows(flag, 10, 10, 24)).toEqual(['\u001B[38;2;255;0;0;48;2;0;0;255m▀\u001B[0m']);
	expect(pictureRows(flag, 10, 10, 8)).toEqual(['\u001B[38;5;196;48;5;21m▀\u001B[0m']);
	expect(pictureRows(flag, 10, 10, 4)).toEqual(['\u001B[91;44m▀\u001B[0m']);
});

test('transparent parts show the background of the terminal', () => {
	expect(
		pictureRows(
			bitmap(2, 2, (x, y) => (x === 0 || y === 0 ? CLEAR : RED)),
			10,
			10,
			24,
		),
	).toEqual(['\u001B[39;49m \u001B[38;2;255;0;0;49m▄\u001B[0m']);
});

test('without colours a picture is drawn in shades', () => {
	const [row] = pictureRows(
		bitmap(5, 2, x => [x * 63, x * 63, x * 63, 255]),
		10,
		10,
		1,
	);
	expect(row).toBe(' ░▒▓█');
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
			(width, height, columns, rows, depth) => {
				const drawn = pictureRows(
					bitmap(width, height, (x, y) => [x * 4, y * 4, 99, 255]),
					columns,
					rows,
					depth,
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
