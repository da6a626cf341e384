import {readdirSync} from 'node:fs';
import {PNG} from 'pngjs';
import {expect, test} from 'vitest';
import {readPicture} from '../../../src/tui/pictures/read-picture.ts';

test('a picture is read beside the program, and an invalid one gives the reason', async () => {
	const bytes = PNG.sync.write(new PNG({width: 3, height: 2, fill: true}));
	const {size, bitmap} = (await readPicture(bytes)) as Extract<
		Awaited<ReturnType<typeof readPicture>>,
		{size: string}
	>;
	expect([size, bitmap.width, bitmap.height, bitmap.pixels.length]).toEqual(['3x2', 3, 2, 24]);
	expect(await readPicture(Buffer.from('GIF89a'))).toEqual({
		problem: 'only PNG, JPEG and SVG pictures can be drawn',
	});
});

test('hundreds of pictures are read a few at a time', {tags: 'long'}, async () => {
	const bytes = PNG.sync.write(new PNG({width: 3, height: 2, fill: true}));
	const threads = (): number => readdirSync('/proc/self/task').length;
	const before = threads();
	let most = before;
	const all = await Promise.all(
		Array.from({length: 60}, async () => {
			const picture = await readPicture(bytes);
			most = Math.max(most, threads());
			return picture;
		}),
	);
	expect(all.filter(picture => 'size' in picture)).toHaveLength(60);
	// Workers that are ending exist for another moment.
	expect(most - before).toBeLessThanOrEqual(6);
});
