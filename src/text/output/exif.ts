// Orientation of a photo as recorded by the camera.
import type {Bitmap} from './picture.ts';

/** EXIF's orientation: 1 is upright, 2 to 8 are rotated or mirrored. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const ORIENTATION_TAG = 0x0112;
const SHORT = 3;

const inTiff = (tiff: Buffer): Orientation => {
	const isLittle = tiff.toString('latin1', 0, 2) === 'II';
	const word = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
	const from = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
	const count = word(from);
	for (let index = 0; index < count; index++) {
		const at = from + 2 + index * 12;
		if (word(at) !== ORIENTATION_TAG || word(at + 2) !== SHORT) continue;
		const value = word(at + 8);
		return value >= 1 && value <= 8 ? (value as Orientation) : 1;
	}
	return 1;
};

/** Orientation recorded in a JPEG file. 1 if there is none or the record is damaged. */
export const orientationOf = (bytes: Buffer): Orientation => {
	try {
		for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
			const marker = bytes[at + 1];
			// Skips a fill byte. Stops where the pixel data starts.
			if (marker === 0xff) {
				at++;
				continue;
			}
			if (marker === 0xda || marker === 0xd9) return 1;
			const length = bytes.readUInt16BE(at + 2);
			const content = bytes.subarray(at + 4, at + 2 + length);
			if (marker === 0xe1 && content.toString('latin1', 0, 6) === 'Exif\0\0')
				return inTiff(content.subarray(6));
			at += 2 + length;
		}
	} catch (error) {
		// An offset points beyond the end of the file.
		if (!(error instanceof RangeError)) throw error;
	}
	return 1;
};

export const upright = (bitmap: Bitmap, orientation: Orientation): Bitmap => {
	if (orientation === 1) return bitmap;
	const {width, height, pixels} = bitmap;
	const isTurned = orientation >= 5;
	const [toWidth, toHeight] = isTurned ? [height, width] : [width, height];
	const from = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height);
	const made = new Uint32Array(toWidth * toHeight);
	// True if the columns or rows of the source run in the opposite direction in the upright
	// picture.
	const isRightToLeft = [2, 3, 7, 8].includes(orientation);
	const isUpward = [3, 4, 6, 7].includes(orientation);
	for (let y = 0; y < toHeight; y++)
		for (let x = 0; x < toWidth; x++) {
			const [along, down] = isTurned ? [y, x] : [x, y];
			const column = isRightToLeft ? width - 1 - along : along;
			const row = isUpward ? height - 1 - down : down;
			made[y * toWidth + x] = from[row * width + column] ?? 0;
		}
	return {width: toWidth, height: toHeight, pixels: new Uint8Array(made.buffer)};
};
