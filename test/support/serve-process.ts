import {spawn, type ChildProcess} from 'node:child_process';
import {serveProgram} from './serve-program.ts';
import {waitFor} from './wait-for.ts';

export type ServeProcess = AsyncDisposable & {
	readonly child: ChildProcess;
	readonly stdout: () => string;
	readonly stderr: () => string;
	/** Exit code, or the signal's name. */
	readonly exited: Promise<number | string>;
	/** Base URL, once the first line is printed. */
	url(): Promise<string>;
};

/** Starts `serve` as a process, which is killed at the end of the scope. */
export const serveProcess = (
	dataFolder: string,
	{args = [], env = {}}: {readonly args?: readonly string[]; readonly env?: NodeJS.ProcessEnv} = {},
): ServeProcess => {
	const child = spawn(serveProgram[0], [serveProgram[1], 'serve', '--data', dataFolder, ...args], {
		env: {...process.env, ...env},
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let stdout = '';
	let stderr = '';
	child.stdout.setEncoding('utf8').on('data', (part: string) => {
		stdout += part;
	});
	child.stderr.setEncoding('utf8').on('data', (part: string) => {
		stderr += part;
	});
	const exited = new Promise<number | string>(resolve => {
		child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
	});
	return {
		child,
		exited,
		stdout: () => stdout,
		stderr: () => stderr,
		url: () =>
			waitFor(() => {
				const url = /^listening on (https?:\S+)\n/.exec(stdout)?.[1];
				if (url === undefined) throw new Error(`no first line yet: ${stdout}${stderr}`);
				return url;
			}),
		async [Symbol.asyncDispose]() {
			child.kill('SIGKILL');
			await exited;
		},
	};
};

export const isAlive = (pid: number): boolean => {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
};
