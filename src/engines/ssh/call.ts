import {spawn} from 'node:child_process';

export type CallResult = {
	/** Exit code of `ssh`. Null if it was killed, by this program or another. */
	readonly code: number | null;
	readonly out: string;
	/** Last part of the standard error output. */
	readonly err: string;
	/** True if the call was ended because it reached its time or size limit. */
	readonly isCut: boolean;
};

export type CallLimits = {
	/** Time limit in ms. Default: 60 s. */
	readonly limit?: number;
	/** Maximum size of the output in bytes. Default: 1 MiB. */
	readonly most?: number;
	readonly signal?: AbortSignal | undefined;
};

const ERROR_LENGTH = 4000;

/**
 * Runs the machine's `ssh`. Never rejects. The size of the output is limited, because it comes from
 * an untrusted host.
 */
export const callSsh = (
	args: readonly string[],
	input = '',
	{limit = 60_000, most = 1 << 20, signal}: CallLimits = {},
): Promise<CallResult> =>
	new Promise(resolve => {
		const child = spawn('ssh', args, {stdio: ['pipe', 'pipe', 'pipe']});
		const chunks: Buffer[] = [];
		let size = 0;
		let err = '';
		let isCut = false;
		const cut = (): void => {
			isCut = true;
			child.kill('SIGKILL');
		};
		const timer = setTimeout(cut, limit);
		signal?.addEventListener('abort', cut, {once: true});
		if (signal?.aborted) cut();
		child.stdout.on('data', (chunk: Buffer) => {
			size += chunk.length;
			if (size > most) cut();
			else chunks.push(chunk);
		});
		child.stderr.on('data', (chunk: Buffer) => {
			err = (err + chunk.toString()).slice(-ERROR_LENGTH);
		});
		child.stdin.on('error', () => undefined);
		child.stdin.end(input);
		const end = (code: number | null, more = ''): void => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', cut);
			resolve({code, out: Buffer.concat(chunks).toString(), err: err + more, isCut});
		};
		child.on('error', error => end(null, error.message));
		child.on('close', code => end(code));
	});
