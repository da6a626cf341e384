import {spawn} from 'node:child_process';
import {closeSync, fstatSync, openSync, readFileSync} from 'node:fs';
import {serviceLogFile} from '../settings/instance.ts';
import {makeFolder} from '../machine/make-folder.ts';
import {serviceEnvironment} from '../settings/service-environment.ts';

export type SpawnedService = {
	readonly pid: number | undefined;
	/** Exit code once the process has ended; undefined while it runs. */
	exitCode(): number | undefined;
	/** The last line that it wrote before it ended. */
	lastLine(): string;
};

// Young objects get 1 MB instead of up to 16: the service keeps few, and is 5 MB smaller.
const memory = '--max-semi-space-size=1';
// SIGUSR1 opens no inspector in it.
const wall = '--disable-sigusr1';

/** Starts the service in a session of its own, so that no signal of our terminal reaches it; it writes to its log only. */
export const spawnService = (program: readonly string[], dataFolder: string): SpawnedService => {
	makeFolder(dataFolder);
	const logFile = serviceLogFile(dataFolder);
	const log = openSync(logFile, 'a', 0o600);
	const begin = fstatSync(log).size;
	const [command = process.execPath, ...args] = program;
	let exitCode: number | undefined;
	let failed = '';
	// The last of two flags counts: the program's own is for the screens.
	const [flags, file, serve] = [args.slice(0, -1), args.slice(-1), ['serve', '--leased', '--port', '0']];
	const child = spawn(command, [...flags, wall, memory, ...file, ...serve, '--data', dataFolder], {
		cwd: dataFolder,
		detached: true,
		env: {...serviceEnvironment(), MALLOC_ARENA_MAX: '01'},
		stdio: ['ignore', log, log],
	});
	closeSync(log);
	child.once('error', error => {
		failed = error.message;
		exitCode = -1;
	});
	child.once('exit', code => {
		exitCode = code ?? -1;
	});
	child.unref();
	return {
		pid: child.pid,
		exitCode: () => exitCode,
		lastLine: () =>
			failed || (readFileSync(logFile).subarray(begin).toString('utf8').trim().split('\n').at(-1) ?? ''),
	};
};
