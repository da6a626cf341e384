import childProcess from 'node:child_process';
import fs, {writeSync} from 'node:fs';
import {registerHooks, syncBuiltinESMExports} from 'node:module';
import os from 'node:os';

// Node's internal function for signals, which `lockDown` removes from `process`.
const {_kill: kill} = process as unknown as {_kill(pid: number, signal: number): number};
const {pid} = process;
const SIGKILL = 9;

export const endProcess = (): never => {
	for (;;) kill(pid, SIGKILL);
};

type PermissionWithDrop = {drop?(scope: string): void};

const isDenied = (error: unknown): boolean =>
	error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED';

/**
 * Makes Pyodide work under Node's permission model, and closes the model's gaps. Call it between
 * the start of the helper thread and the import of Pyodide.
 */
export const confine = (): void => {
	// A worker without the flags of the permission model would escape that model.
	(process as {permission?: PermissionWithDrop}).permission?.drop?.('worker');

	// NODEFS asks `process.binding` for constants, which the model forbids.
	const binding = (name: string): unknown => {
		if (name === 'constants') return {fs: fs.constants, os: os.constants};
		throw new Error('process.binding is not available');
	};
	Object.assign(process, {binding});

	// An exception from C's `system()` would kill the interpreter.
	Object.assign(childProcess, {spawnSync: () => ({status: 126, signal: null})});

	// NODEFS only knows errno codes. Without one, Python would see an error without a number.
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

	// Node's console needs `process.stderr`, which `lockDown` removes. Pyodide logs failures here.
	const tell = (...words: readonly unknown[]): void => {
		try {
			writeSync(2, `${words.map(String).join(' ')}\n`);
		} catch {
			// Standard error is closed.
		}
	};
	Object.assign(globalThis, {
		console: {log: tell, info: tell, debug: tell, warn: tell, error: tell, trace: tell},
	});

	// Pyodide imports `ws` for sockets, which do not work here. Saves 20 ms, and access to one more
	// folder.
	registerHooks({
		resolve: (specifier, context, next) =>
			specifier === 'ws'
				? {url: 'data:text/javascript,export default class {}', shortCircuit: true}
				: next(specifier, context),
	});
};

/** Properties of `process` that Node, the engine and Pyodide use after the start. */
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

/** Globals that reach the network or `process` without a module. */
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
 * Removes all that only the start needed, before any user code runs: unused properties of `process`
 * (modules, signals, the environment, reports, users), all further module loading (`node:sqlite`,
 * `node:v8`, `node:net` and `node:module` ignore permissions), and globals that reach the network.
 */
export const lockDown = (): void => {
	for (const name of Reflect.ownKeys(process)) {
		// Symbols belong to Node.
		if (typeof name === 'symbol' || NEEDED_OF_PROCESS.has(name)) continue;
		Reflect.deleteProperty(process, name);
	}
	Object.assign(process, {env: {}, argv: [], execArgv: []});
	const {versions, platform} = process;
	for (const name of TAKEN_GLOBALS) Reflect.deleteProperty(globalThis, name);
	// Pyodide stores an exit code in `process`.
	Object.assign(globalThis, {process: {versions, platform}});
	registerHooks({
		resolve: (specifier, context, next) => {
			// Pyodide loads this module if C calls `system()`.
			if (specifier === 'node:child_process') return next(specifier, context);
			throw new Error(`no module can be loaded here: ${specifier}`);
		},
	});
};
