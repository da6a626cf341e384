import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	largestScale,
	pannedBy,
	partInView,
	WHOLE_PICTURE,
	zoomedBy,
	type PictureZoom,
} from '../../src/text/output/picture-zoom.ts';

/** A picture in which each pixel encodes its column and row. */
const picture = (width: number, height: number) => ({
	width,
	height,
	pixels: Uint8Array.from(
		Array.from({length: width * height}, (_, at) => [at % width, Math.floor(at / width), 0, 255]).flat(),
	),
});
const ROOM = {width: 40, height: 10};
const plot = picture(200, 100);

test('a picture is whole at first, and is enlarged up to a cell for each pixel', () => {
	expect(partInView(plot, ROOM, WHOLE_PICTURE)).toBe(plot);
	const twice = zoomedBy(plot, ROOM, WHOLE_PICTURE, 2);
	expect(twice).toEqual({scale: 2, x: 0.5, y: 0.5});
	const part = partInView(plot, ROOM, twice);
	expect([part.width, part.height, ...part.pixels.subarray(0, 2)]).toEqual([100, 50, 50, 25]);
	const most = zoomedBy(plot, ROOM, WHOLE_PICTURE, 100);
	expect(most.scale).toBe(largestScale(plot, ROOM));
	expect(partInView(plot, ROOM, most)).toMatchObject({width: 40, height: 20});
	expect(zoomedBy(plot, ROOM, most, 0.001)).toEqual(WHOLE_PICTURE);
});

test('an edge of the picture ends a move', () => {
	const twice = zoomedBy(plot, ROOM, WHOLE_PICTURE, 2);
	const left = pannedBy(plot, ROOM, twice, {right: -1});
	expect(partInView(plot, ROOM, left).pixels[0]).toBe(0);
	expect(pannedBy(plot, ROOM, left, {right: -1})).toEqual(left);
	const [lowest, right] = [pannedBy(plot, ROOM, twice, {down: 3}), pannedBy(plot, ROOM, twice, {right: 1})];
	expect(partInView(plot, ROOM, lowest).pixels[1]).toBe(50);
	expect(partInView(plot, ROOM, right).pixels[0]).toBe(100);
	expect(pannedBy(plot, ROOM, WHOLE_PICTURE, {right: 1, down: 1})).toEqual(WHOLE_PICTURE);
});

test('the part in view lies within the picture, in any room and after any keys', () => {
	fc.assert(
		fc.property(
			fc.integer({min: 1, max: 60}),
			fc.integer({min: 1, max: 60}),
			fc.integer({min: 1, max: 90}),
			fc.integer({min: 1, max: 30}),
			fc.array(fc.constantFrom('+', '-', 'left', 'right', 'up', 'down'), {maxLength: 12}),
			(width, height, columns, rows, keys) => {
				const whole = picture(width, height);
				const room = {width: columns, height: rows};
				let zoom: PictureZoom = WHOLE_PICTURE;
				for (const key of keys) {
					if (key === '+' || key === '-') zoom = zoomedBy(whole, room, zoom, key === '+' ? 2 : 0.5);
					else
						zoom = pannedBy(whole, room, zoom, {
							right: key === 'right' ? 1 : key === 'left' ? -1 : 0,
							down: key === 'down' ? 1 : key === 'up' ? -1 : 0,
						});
					const part = partInView(whole, room, zoom);
					const [left = -1, top = -1] = part.pixels;
					expect(part.pixels).toHaveLength(part.width * part.height * 4);
					expect([left >= 0, top >= 0]).toEqual([true, true]);
					expect(left + part.width).toBeLessThanOrEqual(width);
					expect(top + part.height).toBeLessThanOrEqual(height);
				}
			},
		),
	);
});
