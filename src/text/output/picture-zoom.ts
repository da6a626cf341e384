// Selects the part of an enlarged picture that fits in an area of cells.
import type {Size} from '../pixels/size.ts';
import {sizeWithin, type Bitmap} from './picture.ts';

/**
 * Zoom of a picture. `x`, `y`: centre of the visible part, as fractions of the picture's width and
 * height.
 */
export type PictureZoom = {readonly scale: number; readonly x: number; readonly y: number};

export const WHOLE_PICTURE: PictureZoom = {scale: 1, x: 0.5, y: 0.5};

/**
 * Fractions of a picture's width and height that are visible. `room`: area in cells, which are
 * twice as high as wide.
 */
const shareInView = (picture: Size, room: Size, scale: number): Size => {
	const whole = sizeWithin(picture, room.width, room.height * 2);
	return {
		width: Math.min(1, room.width / (whole.width * scale)),
		height: Math.min(1, (room.height * 2) / (whole.height * scale)),
	};
};

/** Moves the centre so that the picture still fills the area. */
const within = (picture: Size, room: Size, {scale, x, y}: PictureZoom): PictureZoom => {
	const {width, height} = shareInView(picture, room, scale);
	return {
		scale,
		x: Math.min(Math.max(x, width / 2), 1 - width / 2),
		y: Math.min(Math.max(y, height / 2), 1 - height / 2),
	};
};

/** Maximum scale, at which each pixel is one cell wide. */
export const largestScale = (picture: Size, room: Size): number =>
	picture.width / sizeWithin(picture, room.width, room.height * 2).width;

/** Multiplies the scale by `factor`, within the limits. */
export const zoomedBy = (picture: Size, room: Size, zoom: PictureZoom, factor: number): PictureZoom =>
	within(picture, room, {
		...zoom,
		scale: Math.max(1, Math.min(zoom.scale * factor, largestScale(picture, room))),
	});

/** Moves the visible part by half its size per step. */
export const pannedBy = (
	picture: Size,
	room: Size,
	zoom: PictureZoom,
	{right = 0, down = 0}: {readonly right?: number; readonly down?: number},
): PictureZoom => {
	const share = shareInView(picture, room, zoom.scale);
	return within(picture, room, {
		...zoom,
		x: zoom.x + (right * share.width) / 2,
		y: zoom.y + (down * share.height) / 2,
	});
};

/** Visible part of a picture. Returns the same object if the whole picture is visible. */
export const partInView = (picture: Bitmap, room: Size, zoom: PictureZoom): Bitmap => {
	const {scale, x, y} = within(picture, room, zoom);
	const share = shareInView(picture, room, scale);
	if (share.width === 1 && share.height === 1) return picture;
	const width = Math.max(1, Math.round(picture.width * share.width));
	const height = Math.max(1, Math.round(picture.height * share.height));
	const left = Math.min(Math.round((x - share.width / 2) * picture.width), picture.width - width);
	const top = Math.min(Math.round((y - share.height / 2) * picture.height), picture.height - height);
	const pixels = new Uint8Array(width * height * 4);
	for (let row = 0; row < height; row++) {
		const from = ((top + row) * picture.width + left) * 4;
		pixels.set(picture.pixels.subarray(from, from + width * 4), row * width * 4);
	}
	return {width, height, pixels};
};
