import {writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {PNG} from 'pngjs';
import {expect, test} from 'vitest';
import {drawSvg} from '../../../src/tui/pictures/draw-svg.ts';
import {encodePicture, readPicture} from '../../../src/tui/pictures/read-picture.ts';
import {tempFolder} from '../../support/temp-folder.ts';

const ROOM = {width: 512, height: 512};
const svg = (inner: string, attributes = 'width="40" height="20"'): Buffer =>
	Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inner}</svg>`);
const pixelsOf = async (bytes: Uint8Array, most = ROOM) => {
	const {bitmap, size} = await drawSvg(bytes, most);
	const pixel = (x: number, y: number): readonly number[] => [
		...bitmap.pixels.subarray((y * bitmap.width + x) * 4, (y * bitmap.width + x) * 4 + 4),
	];
	return {...bitmap, size, pixel};
};
const WHITE = [255, 255, 255, 255];
const RED = [255, 0, 0, 255];

test('an SVG is drawn on white in its own size, or in as much as there is room for', async () => {
	const drawn = await pixelsOf(svg('<rect width="20" height="20" fill="red"/>'));
	expect([drawn.size, drawn.width, drawn.height]).toEqual(['40x20', 40, 20]);
	expect([drawn.pixel(5, 5), drawn.pixel(30, 5)]).toEqual([RED, WHITE]);
	const large = await pixelsOf(
		svg('<rect width="50%" height="100%" fill="red"/>', 'width="1e8" height="5e7"'),
	);
	expect([large.size, large.width, large.height]).toEqual(['100000000x50000000', 512, 256]);
	expect([large.pixel(5, 5), large.pixel(500, 5)]).toEqual([RED, WHITE]);
	await expect(drawSvg(svg('', 'width="1" height="1e8"'), ROOM)).rejects.toThrow('Target size is zero');
});

test('lines stay sharp where a terminal enlarges it', async () => {
	const bytes = svg('<rect width="20.5" height="20" fill="red"/>');
	const encoded = await encodePicture(bytes, {as: 'png', size: {width: 160, height: 80}, colours: Infinity});
	if ('problem' in encoded) throw new Error(encoded.problem);
	const {width, height, data} = PNG.sync.read(Buffer.from(encoded.encoded, 'base64'));
	expect([width, height]).toEqual([160, 80]);
	const row = [...data.subarray(0, 160 * 4)].filter((_, at) => at % 4 === 1);
	expect(row).toEqual([...Array(82).fill(0), ...Array(78).fill(255)]);
});

test('text is drawn with any font name, with no font of this system, and the name space may be missing', async () => {
	for (const family of ['Helvetica', 'monospace', 'No Such Font, serif'])
		expect(
			(await pixelsOf(svg(`<text y="18" font-size="18" font-family="${family}">M</text>`))).pixels.some(
				(value, at) => at % 4 === 0 && value < 100,
			),
		).toBe(true);
	const bare = Buffer.from(
		'\uFEFF<?xml version="1.0"?>\n<svg width="4" height="4"><rect width="4" height="4" fill="red"/></svg>',
	);
	expect((await pixelsOf(bare)).pixel(1, 1)).toEqual(RED);
});

test('nothing is loaded for it, from neither the network nor a file', async () => {
	using temp = tempFolder();
	const png = Object.assign(new PNG({width: 4, height: 4}), {data: Buffer.alloc(64, 128)});
	const bytes = PNG.sync.write(png);
	const file = join(temp.path, 'grey.png');
	writeFileSync(file, bytes);
	let asked = 0;
	const server = createServer((_, answer) => {
		asked++;
		answer.end(bytes);
	});
	await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
	try {
		const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/grey.png`;
		const image = (href: string): string => `<image width="40" height="20" href="${href}"/>`;
		const outside = [address, `file://${file}`, file].map(image).join('');
		const drawn = await readPicture(
			svg(
				`<style>@import url(${address}); rect {fill: url(${address}#a)}</style>${outside}<script>fetch("${address}")</script>`,
			),
		);
		if ('problem' in drawn) throw new Error(drawn.problem);
		expect(new Set(drawn.bitmap.pixels)).toEqual(new Set([255]));
		// Pictures embedded in the file are drawn.
		expect(
			(await pixelsOf(svg(image(`data:image/png;base64,${bytes.toString('base64')}`)))).pixel(20, 10),
		).not.toEqual(WHITE);
	} finally {
		server.close();
	}
	expect(asked).toBe(0);
});

const entities = (count: number): string =>
	Array.from({length: count}, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join('');

test.each([
	['text that is none', '<svg', 'the SVG cannot be read: '],
	['a page of HTML', '<html><body>no</body></html>', 'the SVG cannot be read: '],
	['no size', '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"/>', 'SVG has an invalid size'],
	[
		'entities in entities',
		`<!DOCTYPE svg [<!ENTITY e0 "a">${entities(20)}]><svg xmlns="http://www.w3.org/2000/svg"><text>&e20;</text></svg>`,
		'entity reference loop',
	],
	[
		'a file as an entity',
		'<!DOCTYPE svg [<!ENTITY e SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&e;</text></svg>',
		"unknown entity reference 'e'",
	],
	[
		'elements in elements',
		svg(`${'<g>'.repeat(100_000)}${'</g>'.repeat(100_000)}`).toString(),
		'nodes limit',
	],
])('%s is refused with the reason', async (_, text, reason) => {
	await expect(drawSvg(Buffer.from(text), ROOM)).rejects.toThrow(reason);
});

test('a picture that takes too much memory fails, a slow one is stopped, and the next one is read', async () => {
	// Each of the twelve layers needs 64 MB.
	const layers = svg(
		`${'<g opacity="0.5">'.repeat(12)}<rect width="100%" height="100%"/>${'</g>'.repeat(12)}`,
		'width="4096" height="4096"',
	);
	const whole = {width: Infinity, height: Infinity};
	expect(await encodePicture(layers, {as: 'png', size: whole, colours: Infinity})).toEqual({
		problem: 'drawing the SVG failed or takes more than 512 MB',
	});
	// Each `use` shows ten of the previous one: 10^12 squares.
	const uses = Array.from(
		{length: 12},
		(_, at) => `<g id="e${at + 1}">${`<use href="#e${at}"/>`.repeat(10)}</g>`,
	);
	const endless = svg(`<defs><rect id="e0" width="9" height="9"/>${uses.join('')}</defs><use href="#e12"/>`);
	expect(await Promise.all([1, 2, 3].map(() => readPicture(endless, {limitMs: 50})))).toEqual(
		Array(3).fill({problem: 'decoding took too long'}),
	);
	expect(await readPicture(svg(''))).toMatchObject({size: '40x20'});
});
