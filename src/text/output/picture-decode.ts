import jpeg from 'jpeg-js';
import {PNG} from 'pngjs';
import type {Size} from '../pixels/size.ts';
import {orientationOf, upright} from './exif.ts';
import {scaled, sizeWithin, type Bitmap} from './picture.ts';

/**
 * Maximum number of pixels to decode. A file of a few bytes can claim a size that exceeds all
 * memory.
 */
const MOST_PIXELS = 24_000_000;
/** Maximum size of the decoded picture, which is more than the cells of a terminal. */
export const MAX_DECODED_SIDE = {width: 512, height: 512} as const;

const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const read = (bytes: Buffer): Bitmap => {
	if (bytes.subarray(0, 8).equals(PNG_START) && bytes.length > 24) {
		const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
		if (width * height > MOST_PIXELS) throw new Error(`${width}x${height} is too large to be drawn here`);
		const {data} = PNG.sync.read(bytes);
		return {width, height, pixels: data};
	}
	if (bytes[0] === 0xff && bytes[1] === 0xd8) {
		const {width, height, data} = jpeg.decode(bytes, {
			useTArray: true,
			maxResolutionInMP: MOST_PIXELS / 1e6,
			maxMemoryUsageInMB: 384,
		});
		return upright({width, height, pixels: data}, orientationOf(bytes));
	}
	throw new Error('it is neither PNG nor JPEG');
};

/**
 * Decodes a PNG or JPEG file. Reduces the picture to fit in `most`, by default 512 × 512. With
 * `isEnlarged` the result has exactly the size `most`. `size`: the original size.
 * @throws {Error} with the reason if the file cannot be decoded.
 */
export const decodePicture = (
	bytes: Uint8Array,
	most: Size = MAX_DECODED_SIDE,
	isEnlarged = false,
): {readonly bitmap: Bitmap; readonly size: string} => {
	const whole = read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
	const {width, height} = isEnlarged ? most : sizeWithin(whole, most.width, most.height);
	return {
		bitmap: width === whole.width && height === whole.height ? whole : scaled(whole, width, height),
		size: `${whole.width}x${whole.height}`,
	};
};
