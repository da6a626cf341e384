import type {CellOutput} from '../../contract/cells.ts';
import {joinMultiline} from '../../text/output/multiline.ts';
import {fieldsOf} from '../../text/record.ts';

const SVG = 'image/svg+xml';

/** Media types of pictures that can be drawn, best first. */
const PICTURES = ['image/png', 'image/jpeg', SVG] as const;

/** Media type of the picture in an output; null if the output has none. */
export const pictureType = ({data}: CellOutput): (typeof PICTURES)[number] | null =>
	PICTURES.find(type => joinMultiline(fieldsOf(data)[type]) !== '') ?? null;

/** Bytes of the picture in an output, unchanged. */
export const pictureIn = (output: CellOutput): Uint8Array | null => {
	const type = pictureType(output);
	if (type === null) return null;
	const text = joinMultiline(fieldsOf(output['data'])[type]);
	return Buffer.from(text, type === SVG ? 'utf8' : 'base64');
};

/** Bytes of the last picture among outputs, unchanged. */
export const lastPictureIn = (outputs: readonly CellOutput[]): Uint8Array | null =>
	outputs.map(pictureIn).findLast(each => each !== null) ?? null;

export const NO_PICTURE = 'This cell has no picture';
