// Pictures as the protocols of terminals carry them: encoded here, of pixels that were read here.
import {PNG} from 'pngjs';
import type {Bitmap} from '../output/picture.ts';
import {sixelOf} from './sixel.ts';
import type {Size} from './size.ts';

/** `size`: what it fits into, infinite where it stays as it is. `colours`: how many a sixel may have. */
export type Encoding = {readonly as: 'png' | 'sixel'; readonly size: Size; readonly colours: number};

/** A PNG in base64, or sixels. */
export const encodedBitmap = (bitmap: Bitmap, {as, colours}: Encoding): string => {
	if (as === 'sixel') return sixelOf(bitmap, colours);
	const {width, height, pixels} = bitmap;
	const png = Object.assign(new PNG({width, height}), {data: Buffer.from(pixels)});
	return PNG.sync.write(png, {deflateLevel: 6}).toString('base64');
};
