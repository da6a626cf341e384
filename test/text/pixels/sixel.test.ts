import fc from 'fast-check';
import {expect, test} from 'vitest';
import {fitIn} from '../../../src/text/pixels/fit.ts';
import {sixelOf} from '../../../src/text/pixels/sixel.ts';
import {sixelIn} from '../../support/drawn-pictures.ts';

/** Compares channels in percent, the resolution of sixels. */
const near = (one: readonly number[], other: readonly number[]): boolean =>
	one.every((value, index) => Math.abs(value - (other[index] ?? 0)) <= 8);

test('sixels read back are the picture: size, colours, transparency', () => {
	const pixel = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.constantFrom(0, 255));
	fc.assert(
		fc.property(
			fc.integer({min: 1, max: 20}),
			fc.integer({min: 1, max: 20}),
			fc.infiniteStream(pixel),
			(width, height, stream) => {
				const drawn = Array.from({length: width * height}, () => stream.next().value);
				const picture = sixelIn(sixelOf({width, height, pixels: Uint8Array.from(drawn.flat())}, 1024));
				expect([picture?.width, picture?.height]).toEqual([width, height]);
				for (const [at, [red, green, blue, alpha]] of drawn.entries()) {
					const read = picture?.pixel(at % width, Math.floor(at / width)) ?? [];
					expect(read[3]).toBe(alpha);
					if (alpha === 255) expect([read, near(read, [red, green, blue, 255])]).toEqual([read, true]);
				}
			},
		),
	);
});

test('with more colours than a terminal has, the most frequent stay', () => {
	const pixels = Uint8Array.from(
		Array.from({length: 600}, (_, at) => (at < 500 ? [255, 255, 255, 255] : [at % 256, 0, 99, 255])).flat(),
	);
	const sixels = sixelOf({width: 30, height: 20, pixels}, 16);
	expect(new Set([...sixels.matchAll(/#\d+;2;[\d;]+/g)].map(([found]) => found)).size).toBeLessThanOrEqual(
		16,
	);
	expect(sixelIn(sixels)?.pixel(0, 0)).toEqual([255, 255, 255, 255]);
	expect(sixelIn(sixels)?.pixel(29, 19)[3]).toBe(255);
});

test('a picture fits whole, in its shape, and takes no more cells than there are', () => {
	const length = fc.integer({min: 1, max: 4000});
	fc.assert(
		fc.property(
			length,
			length,
			fc.integer({min: 20, max: 300}),
			fc.integer({min: 5, max: 100}),
			(width, height, columns, rows) => {
				const cell = {width: 9, height: 19};
				const {pixels, cells} = fitIn({width, height}, cell, {width: columns, height: rows});
				expect(pixels.width).toBeLessThanOrEqual(columns * cell.width);
				expect(pixels.height).toBeLessThanOrEqual(rows * cell.height);
				expect(cells.width * cell.width).toBeGreaterThanOrEqual(pixels.width);
				expect(cells.height * cell.height).toBeGreaterThanOrEqual(pixels.height);
				expect(cells.width <= columns && cells.height <= rows).toBe(true);
				const scale = Math.min(4, (columns * cell.width) / width, (rows * cell.height) / height);
				expect(Math.abs(pixels.width - Math.max(1, width * scale))).toBeLessThanOrEqual(1);
				expect(Math.abs(pixels.height - Math.max(1, height * scale))).toBeLessThanOrEqual(1);
			},
		),
	);
});
