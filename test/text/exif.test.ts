import jpeg from 'jpeg-js';
import {expect, test} from 'vitest';
import {decodePicture} from '../../src/text/output/picture-decode.ts';

const [BLOCK, WIDE, HIGH] = [8, 3, 2];
// Greys of six blocks, which an upright picture shows as 012 above 345.
const GREYS = [0, 50, 100, 150, 200, 250];

const [WIDTH, HEIGHT] = [BLOCK * WIDE, BLOCK * HIGH];
const bytesOf = (): Buffer => {
	const data = Buffer.alloc(WIDTH * HEIGHT * 4, 255);
	for (let at = 0; at < WIDTH * HEIGHT; at++) {
		const block = Math.floor((at % WIDTH) / BLOCK) + WIDE * Math.floor(at / WIDTH / BLOCK);
		data.fill(GREYS[block] ?? 0, at * 4, at * 4 + 3);
	}
	return jpeg.encode({data, width: WIDTH, height: HEIGHT}, 95).data;
};

/** A file whose EXIF data has an orientation, as written by a camera. */
const turned = (orientation: number, isLittle = false, count = 1): Buffer => {
	const tiff = Buffer.alloc(8 + 2 + 12 * 2 + 4);
	const word = (value: number, at: number): unknown =>
		isLittle ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at);
	const long = (value: number, at: number): unknown =>
		isLittle ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at);
	tiff.write(isLittle ? 'II' : 'MM', 'latin1');
	word(42, 2);
	long(8, 4);
	word(count + 1, 8);
	word(0x010f, 10);
	word(2, 12);
	word(0x0112, 22);
	word(3, 24);
	long(1, 26);
	word(orientation, 30);
	const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
	const head = Buffer.from([0xff, 0xe1, 0, 0]);
	head.writeUInt16BE(content.length + 2, 2);
	const plain = bytesOf();
	return Buffer.concat([plain.subarray(0, 2), head, content, plain.subarray(2)]);
};

/** The blocks of the displayed picture, row by row. */
const blocksOf = (bytes: Buffer): string => {
	const {width, height, pixels} = decodePicture(bytes).bitmap;
	const rows: string[] = [];
	for (let y = BLOCK / 2; y < height; y += BLOCK) {
		let row = '';
		for (let x = BLOCK / 2; x < width; x += BLOCK) row += Math.round((pixels[(y * width + x) * 4] ?? 0) / 50);
		rows.push(row);
	}
	return rows.join(' ');
};

test.each([
	[1, '012 345'],
	[2, '210 543'],
	[3, '543 210'],
	[4, '345 012'],
	[5, '03 14 25'],
	[6, '30 41 52'],
	[7, '52 41 30'],
	[8, '25 14 03'],
	[0, '012 345'],
	[9, '012 345'],
])('a photo whose camera names orientation %i is upright', (orientation, blocks) => {
	expect(blocksOf(turned(orientation))).toBe(blocks);
	expect(blocksOf(turned(orientation, true))).toBe(blocks);
});

test('the reported size is that of the upright picture', () =>
	expect(decodePicture(turned(6)).size).toBe('16x24'));

test('a photo whose EXIF is damaged is shown as it is stored', () => {
	expect(blocksOf(turned(1, false, 60_000))).toBe('012 345');
	const lost = turned(6);
	lost.writeUInt32BE(0xffff_fff0, 12 + 4);
	expect(blocksOf(lost)).toBe('012 345');
	expect(blocksOf(bytesOf())).toBe('012 345');
});
