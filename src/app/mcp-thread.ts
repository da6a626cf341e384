import {join} from 'node:path';
import type {Worker} from 'node:worker_threads';
import type {McpHandler} from '../service/http/mcp-route.ts';
import {messageOf} from '../text/errors.ts';
import type {McpOptions} from './main-command.ts';

/** Memory for the tools of all users, in MiB. Beyond it the thread ends, not the service. */
const MEMORY_MB = 512;

export type McpMessage = Omit<Parameters<McpHandler>[0], 'signal'>;
/** Message of a client. `message`: null once the client with this id has disconnected. */
export type McpRequest = {readonly id: number; readonly message: McpMessage | null};
export type McpReply = {readonly id: number} & (
	{readonly answer: Awaited<ReturnType<McpHandler>>} | {readonly error: string}
);

type Waiting = PromiseWithResolvers<Awaited<ReturnType<McpHandler>>>;

const openThread = async (url: string, options: McpOptions, onEnd: () => void) => {
	const {Worker} = await import('node:worker_threads');
	// The built service is a script (`.cjs`), but the worker is a module (`.js`).
	const ending = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
	const worker: Worker = new Worker(join(import.meta.dirname, `mcp-worker.${ending}`), {
		workerData: {url, options},
		resourceLimits: {maxOldGenerationSizeMb: MEMORY_MB},
	});
	worker.unref();
	const waiting = new Map<number, Waiting>();
	const end = (error: unknown): void => {
		onEnd();
		for (const {reject} of waiting.values()) reject(error);
		waiting.clear();
	};
	worker.on('message', ({id, ...reply}: McpReply) => {
		const request = waiting.get(id);
		waiting.delete(id);
		if ('error' in reply) request?.reject(new Error(reply.error));
		else request?.resolve(reply.answer);
	});
	worker.once('error', error => end(new Error(`the thread of the MCP tools failed: ${messageOf(error)}`)));
	worker.once('exit', () => end(new Error('the thread of the MCP tools has ended')));
	let last = 0;
	const post = (request: McpRequest): void => worker.postMessage(request);
	return {
		async answer({signal, ...message}: Parameters<McpHandler>[0]) {
			const id = ++last;
			const request: Waiting = Promise.withResolvers();
			waiting.set(id, request);
			post({id, message});
			const abort = (): void => post({id, message: null});
			signal.addEventListener('abort', abort, {once: true});
			return request.promise.finally(() => signal.removeEventListener('abort', abort));
		},
	};
};

/**
 * Handles MCP messages in a thread, because the tools parse lists, tables and patterns. In the main
 * thread this would delay the requests of all other users.
 */
export const openMcpThread = (url: string, options: McpOptions): McpHandler => {
	let thread: ReturnType<typeof openThread> | undefined;
	return async message => {
		thread ??= openThread(url, options, () => {
			thread = undefined;
		});
		return (await thread).answer(message);
	};
};
