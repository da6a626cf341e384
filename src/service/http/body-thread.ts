import {join} from 'node:path';
import {Worker} from 'node:worker_threads';
import type {BodyReply} from './body-worker.ts';
import {ServiceFault} from './fault.ts';
import type {JsonBody} from './parse-body.ts';

/** Memory limit of a thread in MiB, since nested JSON takes far more memory than its text. */
const MEMORY_MB = 768;

/** Thread that reads one body. */
export type BodyThread = {
	push(part: Buffer): void;
	/** @throws {ServiceFault} if the body cannot be read. */
	end(): Promise<JsonBody>;
	close(): void;
};

export const openBodyThread = (first: readonly Buffer[]): BodyThread => {
	// The built service is a script (`.cjs`), but the worker is a module (`.js`).
	const ending = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
	const worker = new Worker(join(import.meta.dirname, `body-worker.${ending}`), {
		resourceLimits: {maxOldGenerationSizeMb: MEMORY_MB},
	});
	const replied = Promise.withResolvers<BodyReply>();
	const complex = {status: 413, message: 'The body is too complex to be read; send less.'} as const;
	worker.once('message', replied.resolve);
	worker.once('error', () => replied.resolve(complex));
	worker.once('exit', () => replied.resolve(complex));
	const push = (part: Buffer): void => worker.postMessage(part);
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
		close: () => void worker.terminate(),
	};
};
