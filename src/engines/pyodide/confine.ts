import childProcess from 'node:child_process';
import fs from 'node:fs';
import {registerHooks, syncBuiltinESMExports} from 'node:module';
import os from 'node:os';

type PermissionWithDrop = {drop?(scope: string): void};

const isDenied = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED';

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

	// Pyodide imports `ws` for sockets, which do not work in here anyway: 20 ms of start and one more readable folder.
	registerHooks({
		resolve: (specifier, context, next) =>
			specifier === 'ws' ? {url: 'data:text/javascript,export default class {}', shortCircuit: true} : next(specifier, context),
	});
};
