// Reads one picture in a thread of its own: a large or hostile one must not stop the keys.
import {parentPort} from 'node:worker_threads';
import {decodePicture} from '../../text/output/picture-decode.ts';
import {messageOf} from '../../text/errors.ts';

parentPort?.once('message', (bytes: Uint8Array) => {
	try {
		parentPort?.postMessage(decodePicture(bytes));
	} catch (error) {
		parentPort?.postMessage({problem: messageOf(error)});
	}
});
