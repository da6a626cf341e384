// Pictures as the protocols of terminals carry them: encoded here, of pixels that were read here.
import {PNG} from 'pngjs';
import {decodePicture} from '../output/picture-decode.ts';
import {sixelOf} from './sixel.ts';
import type {Size} from './size.ts';

/** `size`: what it fits into, infinite where it stays as it is. `colours`: how many a sixel may have. */
export type Encoding = {readonly as: 'png' | 'sixel'; readonly size: Size; readonly colours: number};

/** The picture of a PNG or JPEG file in another size: a PNG in base64, or sixels. @throws {Error} with the reason */
export const encodedPicture = (bytes: Uint8Array, {as, size, colours}: Encoding): string => {
	const {bitmap} = decodePicture(bytes, size, as === 'sixel');
	if (as === 'sixel') return sixelOf(bitmap, colours);
	const {width, height, pixels} = bitmap;
	const png = Object.assign(new PNG({width, height}), {data: Buffer.from(pixels)});
	return PNG.sync.write(png, {deflateLevel: 6}).toString('base64');
};
