import type {ChildProcessByStdio} from 'node:child_process';
import {once} from 'node:events';
import type {Readable} from 'node:stream';

/**
 * Resolves to the first output of a program, such as its address. @throws {Error} if the program
 * ends before. The error contains its standard error if that is a pipe.
 */
export const firstOutput = async (
	child: ChildProcessByStdio<null, Readable, Readable | null>,
): Promise<string> => {
	let errors = '';
	child.stderr?.setEncoding('utf8').on('data', (part: string) => {
		errors += part;
	});
	const ended = once(child, 'close').then(([code, signal]: unknown[]) => {
		throw new Error(`${child.spawnargs.join(' ')} ended with ${code ?? signal}: ${errors}`);
	});
	const [first] = (await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), ended])) as [string];
	// Further output is discarded, because it would fill the pipe.
	child.stdout.resume();
	return first;
};
