// Reads one picture in a thread of its own: a large or hostile one must not stop the keys.
import {parentPort} from 'node:worker_threads';
import {decodePicture} from '../../text/output/picture-decode.ts';
import {encodedPicture, type Encoding} from '../../text/pixels/encode.ts';
import {messageOf} from '../../text/errors.ts';

/** `encoding`: what is answered in place of the pixels. */
export type PictureTask = {readonly bytes: Uint8Array; readonly encoding?: Encoding};

parentPort?.once('message', ({bytes, encoding}: PictureTask) => {
	try {
		parentPort?.postMessage(encoding ? {encoded: encodedPicture(bytes, encoding)} : decodePicture(bytes));
	} catch (error) {
		parentPort?.postMessage({problem: messageOf(error)});
	}
});
