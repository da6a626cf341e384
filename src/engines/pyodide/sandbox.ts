import childProcess from 'node:child_process';
import fs, {writeSync} from 'node:fs';
import {registerHooks, syncBuiltinESMExports} from 'node:module';
import os from 'node:os';

// Node's own way to send a signal, which `lockDown` takes from the process.
const {_kill: kill} = process as unknown as {_kill(pid: number, signal: number): number};
const {pid} = process;
const SIGKILL = 9;

/** Ends this process at once. */
export const endProcess = (): never => {
	for (;;) kill(pid, SIGKILL);
};

type PermissionWithDrop = {drop?(scope: string): void};

const isDenied = (error: unknown): boolean =>
	error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED';

/**
 * Makes Pyodide work under Node's permission model, and closes what the model leaves open. To be called after the helper thread
 * has started and before Pyodide is imported.
 */
export const confine = (): void => {
	// A worker could be started without the model's flags, which voids it.
	(process as {permission?: PermissionWithDrop}).permission?.drop?.('worker');

	// NODEFS asks process.binding for constants, which the model forbids.
	const binding = (name: string): unknown => {
		if (name === 'constants') return {fs: fs.constants, os: os.constants};
		throw new Error('process.binding is not available');
	};
	Object.assign(process, {binding});

	// C's system() would be refused by an exception that kills the interpreter.
	Object.assign(childProcess, {spawnSync: () => ({status: 126, signal: null})});

	// NODEFS knows errno codes only; what the model refuses would reach Python as an error without a number.
	const symlink = fs.symlinkSync;
	const symlinkSync = (...parameters: Parameters<typeof symlink>): void => {
		try {
			symlink(...parameters);
		} catch (error) {
			throw isDenied(error) ? Object.assign(new Error('permission denied'), {code: 'EPERM'}) : error;
		}
	};
	Object.assign(fs, {symlinkSync});
	syncBuiltinESMExports();

	// Node's console writes to `process.stderr`, which `lockDown` takes away. Pyodide says here why it cannot start.
	const tell = (...words: readonly unknown[]): void => {
		try {
			writeSync(2, `${words.map(String).join(' ')}\n`);
		} catch {
			// Nobody reads.
		}
	};
	Object.assign(globalThis, {
		console: {log: tell, info: tell, debug: tell, warn: tell, error: tell, trace: tell},
	});

	// Pyodide imports `ws` for sockets, which do not work in here anyway: 20 ms of start and one more readable folder.
	registerHooks({
		resolve: (specifier, context, next) =>
			specifier === 'ws'
				? {url: 'data:text/javascript,export default class {}', shortCircuit: true}
				: next(specifier, context),
	});
};

/** What Node's own modules, our code and Pyodide's ask of `process` after the start. */
const NEEDED_OF_PROCESS = new Set<string | symbol>([
	'version',
	'versions',
	'arch',
	'platform',
	'release',
	'nextTick',
	'emitWarning',
	'exit',
	'reallyExit',
	'exitCode',
	'_exiting',
	'hrtime',
	'uptime',
	'cpuUsage',
	'memoryUsage',
	'domain',
	'_events',
	'_eventsCount',
	'_maxListeners',
	'_fatalException',
	'_tickCallback',
	'constructor',
]);

/** Ways to the network, and to `process`, for which no module is needed. */
const TAKEN_GLOBALS = [
	'process',
	'fetch',
	'WebSocket',
	'EventSource',
	'BroadcastChannel',
	'Worker',
	'navigator',
	'localStorage',
	'sessionStorage',
	'Storage',
	'CloseEvent',
] as const;

/**
 * Takes away what only the start needed, before any code of the user runs: `process` but for what Node itself asks of it (modules, signals to
 * other processes, the environment, reports, users), every module not loaded yet or loaded anew (`node:sqlite`, `node:v8`, `node:net` and
 * `node:module` heed no permission), and globals that reach the network.
 */
export const lockDown = (): void => {
	for (const name of Reflect.ownKeys(process)) {
		// Symbols are Node's own.
		if (typeof name === 'symbol' || NEEDED_OF_PROCESS.has(name)) continue;
		Reflect.deleteProperty(process, name);
	}
	Object.assign(process, {env: {}, argv: [], execArgv: []});
	const {versions, platform} = process;
	for (const name of TAKEN_GLOBALS) Reflect.deleteProperty(globalThis, name);
	// Pyodide notes an exit code in it.
	Object.assign(globalThis, {process: {versions, platform}});
	registerHooks({
		resolve: (specifier, context, next) => {
			// Pyodide asks for it when C calls system().
			if (specifier === 'node:child_process') return next(specifier, context);
			throw new Error(`no module can be loaded here: ${specifier}`);
		},
	});
};
