import {join} from 'node:path';
import {isMarkedAsUntransferable, Worker} from 'node:worker_threads';
import type {BodyReply} from './body-worker.ts';
import {ServiceFault} from './fault.ts';
import type {JsonBody} from './parse-body.ts';

/**
 * Memory limit of a thread in MiB. High, because nested JSON needs far more memory than its text.
 */
const MEMORY_MB = 768;

/**
 * Maximum number of idle threads, and the time after which an idle thread ends, in ms. Threads are
 * reused, because starting a thread delays the requests of all users by 20 ms.
 */
const MOST_IDLE = 2;
const IDLE_MS = 5000;
const idle = new Map<Worker, NodeJS.Timeout>();

/** Thread that parses a request body. */
export type BodyThread = {
	/** Adds a part of the body. Transfers its memory to the thread. */
	push(part: Buffer): void;
	/** Ends the body. @throws {ServiceFault} if it cannot be parsed. */
	end(): Promise<JsonBody>;
	close(): void;
};

/**
 * Returns bytes whose memory can be transferred to a thread. Copies them only if their memory
 * contains other data: copying 160 MiB makes V8 collect all garbage repeatedly, which delays all
 * users.
 */
const ownMemory = ({buffer, byteOffset, length}: Buffer): Uint8Array<ArrayBuffer> => {
	const bytes = new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
	return length === buffer.byteLength && !isMarkedAsUntransferable(buffer) ? bytes : bytes.slice();
};

const takeWorker = (): Worker => {
	for (const [worker, timer] of idle) {
		clearTimeout(timer);
		idle.delete(worker);
		worker.ref();
		return worker;
	}
	// The built service is one script (`.cjs`), but the worker is a separate module (`.js`).
	const ending = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
	return new Worker(join(import.meta.dirname, `body-worker.${ending}`), {
		resourceLimits: {maxOldGenerationSizeMb: MEMORY_MB},
	});
};

const keepWorker = (worker: Worker): void => {
	if (idle.size >= MOST_IDLE) return void worker.terminate();
	worker.removeAllListeners();
	// Handles the failure of a thread while it is idle.
	worker.once('error', () => {}).once('exit', () => idle.delete(worker));
	worker.unref();
	const end = (): void => void worker.terminate();
	idle.set(worker, setTimeout(end, IDLE_MS).unref());
};

export const openBodyThread = (first: readonly Buffer[]): BodyThread => {
	const worker = takeWorker();
	worker.removeAllListeners();
	const replied = Promise.withResolvers<BodyReply>();
	const complex = {status: 413, message: 'The body is too complex to be read; send less.'} as const;
	let isDone = false;
	worker.once('message', (reply: BodyReply) => {
		isDone = true;
		replied.resolve(reply);
	});
	worker.once('error', () => replied.resolve(complex));
	worker.once('exit', () => replied.resolve(complex));
	const push = (part: Buffer): void => {
		const own = ownMemory(part);
		worker.postMessage(own, [own.buffer]);
	};
	for (const part of first) push(part);
	return {
		push,
		async end() {
			worker.postMessage(null);
			const reply = await replied.promise;
			if ('status' in reply) throw new ServiceFault(reply.status, reply.message);
			const {body, decoded} = reply;
			return {body, decoded: decoded && {bytes: Buffer.from(decoded.bytes.buffer), digest: decoded.digest}};
		},
		close: () => (isDone ? keepWorker(worker) : void worker.terminate()),
	};
};
