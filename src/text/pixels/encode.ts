// Encodes decoded pictures for the picture protocols of terminals.
import {PNG} from 'pngjs';
import type {Bitmap} from '../output/picture.ts';
import {sixelOf} from './sixel.ts';
import type {Size} from './size.ts';

/**
 * `size`: maximum size of the picture; infinite to keep its size. `colours`: maximum for sixels.
 */
export type Encoding = {readonly as: 'png' | 'sixel'; readonly size: Size; readonly colours: number};

export const encodedBitmap = (bitmap: Bitmap, {as, colours}: Encoding): string => {
	if (as === 'sixel') return sixelOf(bitmap, colours);
	const {width, height, pixels} = bitmap;
	const png = Object.assign(new PNG({width, height}), {data: Buffer.from(pixels)});
	return PNG.sync.write(png, {deflateLevel: 6}).toString('base64');
};
