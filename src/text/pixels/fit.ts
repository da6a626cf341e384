import type {Size} from './size.ts';

/** Maximum scale: beyond it, single pixels become visible. */
const MOST_ENLARGED = 4;

/** Size of a picture in pixels and in cells, as large as possible with its own aspect ratio. */
export type Fitted = {readonly pixels: Size; readonly cells: Size};

export const fitIn = (picture: Size, cell: Size, most: Size, largest: number = MOST_ENLARGED): Fitted => {
	const scale = Math.min(
		largest,
		(most.width * cell.width) / picture.width,
		(most.height * cell.height) / picture.height,
	);
	const pixels = {
		width: Math.max(1, Math.floor(picture.width * scale)),
		height: Math.max(1, Math.floor(picture.height * scale)),
	};
	return {
		pixels,
		cells: {
			width: Math.min(most.width, Math.ceil(pixels.width / cell.width)),
			height: Math.min(most.height, Math.ceil(pixels.height / cell.height)),
		},
	};
};
