// Decodes one picture in its own thread, so that a large or malicious picture cannot block keys.
import {parentPort} from 'node:worker_threads';
import {decodePicture, MAX_DECODED_SIDE} from '../../text/output/picture-decode.ts';
import {encodedBitmap, type Encoding} from '../../text/pixels/encode.ts';
import type {Size} from '../../text/pixels/size.ts';
import {messageOf} from '../../text/errors.ts';
import {kindOfPicture} from './sent.ts';

/**
 * Decodes `bytes` to pixels, at most as large as `most`; with `encoding`, encodes them for a
 * terminal instead.
 */
export type PictureTask = {readonly bytes: Uint8Array; readonly encoding?: Encoding; readonly most?: Size};

const read = async ({bytes, encoding, most = MAX_DECODED_SIDE}: PictureTask) => {
	const {as, size} = encoding ?? {as: 'pixels', size: most};
	// An SVG is drawn at its final size, so that its lines are sharp.
	if (kindOfPicture(bytes) === 'svg') {
		const {drawSvg} = await import('./draw-svg.ts');
		return drawSvg(bytes, size, as === 'sixel' || (as === 'png' && Number.isFinite(size.width)));
	}
	return decodePicture(bytes, size, as === 'sixel');
};

const answer = async (task: PictureTask): Promise<void> => {
	try {
		const {encoding} = task;
		const picture = await read(task);
		parentPort?.postMessage(encoding ? {encoded: encodedBitmap(picture.bitmap, encoding)} : picture);
	} catch (error) {
		parentPort?.postMessage({problem: messageOf(error)});
	}
};

parentPort?.once('message', (task: PictureTask) => void answer(task));
