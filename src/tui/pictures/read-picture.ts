import {join} from 'node:path';
import type {Bitmap} from '../../text/output/picture.ts';
import type {Encoding} from '../../text/pixels/encode.ts';
import type {Size} from '../../text/pixels/size.ts';
import type {PictureTask} from './picture-worker.ts';
import {kindOfPicture} from './sent.ts';

type Problem = {readonly problem: string};
/**
 * A decoded picture, or the reason why it cannot be drawn. `size`: its own size, such as `640x480`.
 */
export type Picture = {readonly bitmap: Bitmap; readonly size: string} | Problem;

const LIMIT_MS = 15_000;
/**
 * Maximum number of threads. A notebook may contain hundreds of pictures, and each thread takes
 * megabytes of memory.
 */
const MOST_THREADS = 2;
let threads = 0;
const waiting: (() => void)[] = [];

const turn = async (): Promise<void> => {
	if (threads < MOST_THREADS) threads++;
	else await new Promise<void>(go => waiting.push(go));
};
const passOn = (): void => {
	// The newest request comes first: its picture is the one on screen.
	const next = waiting.pop();
	if (next) next();
	else threads--;
};

const inThread = async <Answer>(task: PictureTask, limitMs = LIMIT_MS): Promise<Answer | Problem> => {
	if (kindOfPicture(task.bytes) === null) return {problem: 'only PNG, JPEG and SVG pictures can be drawn'};
	const {Worker} = await import('node:worker_threads');
	await turn();
	// The file name of the worker differs between source (`.ts`) and build (`.js`).
	const ending = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
	const worker = new Worker(join(import.meta.dirname, `picture-worker.${ending}`), {
		resourceLimits: {maxOldGenerationSizeMb: 512},
	});
	let timer: NodeJS.Timeout | undefined;
	try {
		return await new Promise<Answer | Problem>(resolve => {
			timer = setTimeout(() => resolve({problem: 'decoding took too long'}), limitMs).unref();
			worker.once('message', resolve);
			worker.once('error', error => resolve({problem: error.message}));
			worker.once('exit', () => resolve({problem: 'it could not be decoded'}));
			worker.unref();
			worker.postMessage(task);
		});
	} finally {
		clearTimeout(timer);
		void worker.terminate().then(passOn, passOn);
	}
};

/**
 * Decodes a PNG, JPEG or SVG file in a thread. Never rejects. `most`: size limit in pixels, by
 * default 512 in each direction.
 */
export const readPicture = async (
	bytes: Uint8Array,
	{most, limitMs}: {readonly most?: Size; readonly limitMs?: number} = {},
): Promise<Picture> => inThread({bytes, ...(most && {most})}, limitMs);

/** Encodes a PNG, JPEG or SVG file for a terminal, in a thread. Never rejects. */
export const encodePicture = async (
	bytes: Uint8Array,
	encoding: Encoding,
): Promise<{readonly encoded: string} | Problem> => inThread({bytes, encoding});
