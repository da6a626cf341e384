import childProcess from 'node:child_process';
import fs, {writeSync} from 'node:fs';
import {registerHooks, syncBuiltinESMExports} from 'node:module';
import os from 'node:os';

// Node's internal function for signals. Saved here, because `lockDown` removes it from `process`.
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
 * Makes Pyodide work under Node's permission model, and closes gaps in that model. Call it after
 * the start of the helper thread and before the import of Pyodide.
 */
export const confine = (): void => {
	// A worker that was started without the permission model's flags would not be restricted by it.
	(process as {permission?: PermissionWithDrop}).permission?.drop?.('worker');

	// NODEFS gets constants from `process.binding`, which the permission model forbids.
	const binding = (name: string): unknown => {
		if (name === 'constants') return {fs: fs.constants, os: os.constants};
		throw new Error('process.binding is not available');
	};
	Object.assign(process, {binding});

	// If this function threw an error, C's `system()` would crash the interpreter.
	Object.assign(childProcess, {spawnSync: () => ({status: 126, signal: null})});

	// NODEFS handles only errors with an errno code. Without the code, Python would raise an error
	// without an errno.
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

	// Replaces Node's console, which needs `process.stderr`, because `lockDown` removes that.
	// Pyodide logs failures with it.
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

	// Replaces `ws`, which Pyodide imports for sockets. They do not work here. Saves 20 ms, and
	// read access to another folder.
	registerHooks({
		resolve: (specifier, context, next) =>
			specifier === 'ws'
				? {url: 'data:text/javascript,export default class {}', shortCircuit: true}
				: next(specifier, context),
	});
};

/** Properties of `process` that Node, the engine and Pyodide still use after the start. */
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

/** Globals that give access to the network or `process` without importing a module. */
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
 * Removes everything that only the start needed, before any user code runs. Removes unused
 * properties of `process` (modules, signals, the environment, reports, users) and globals that give
 * access to the network. Prevents further imports, since `node:sqlite`, `node:v8`, `node:net` and
 * `node:module` ignore permissions.
 */
export const lockDown = (): void => {
	for (const name of Reflect.ownKeys(process)) {
		// Symbol properties are internal to Node.
		if (typeof name === 'symbol' || NEEDED_OF_PROCESS.has(name)) continue;
		Reflect.deleteProperty(process, name);
	}
	Object.assign(process, {env: {}, argv: [], execArgv: []});
	const {versions, platform} = process;
	for (const name of TAKEN_GLOBALS) Reflect.deleteProperty(globalThis, name);
	// Pyodide stores an exit code in `process`, so an object of this name must exist.
	Object.assign(globalThis, {process: {versions, platform}});
	registerHooks({
		resolve: (specifier, context, next) => {
			// Pyodide imports this module when C calls `system()`.
			if (specifier === 'node:child_process') return next(specifier, context);
			throw new Error(`no module can be loaded here: ${specifier}`);
		},
	});
};
