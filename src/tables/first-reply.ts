import type {EventEmitter} from 'node:events';
import {label} from '../text/safe.ts';

/** Longest time for a file, in ms. */
export const LIMIT_MS = 30_000;

type Problem = {readonly problem: string};

/**
 * Resolves to the first message of a thread or process that reads a file, or to the reason for a
 * missing message. `send` starts the reading.
 */
export const firstReply = async <Reply>(
	reader: EventEmitter,
	signal: AbortSignal,
	send: (failed: (problem: string) => void) => void,
): Promise<Reply | Problem> => {
	let timer: NodeJS.Timeout | undefined;
	try {
		return await new Promise<Reply | Problem>(resolve => {
			const end = (problem: string): void => resolve({problem});
			timer = setTimeout(() => end('reading it took too long'), LIMIT_MS).unref();
			signal.addEventListener('abort', () => end('stopped'), {once: true});
			reader.once('message', reply => resolve(reply as Reply));
			reader.once('error', (error: Error) => end(error.message));
			reader.once('exit', () => end('it could not be read'));
			send(end);
		});
	} finally {
		clearTimeout(timer);
	}
};

/** Sentence for a file that cannot be shown. */
export const notShown = (path: string, problem: string): string =>
	`${label(path, 60)} cannot be shown as a table: ${label(problem, 200)}`;
