import {realpathSync} from 'node:fs';
import {homedir, userInfo} from 'node:os';
import {isAbsolute, join, sep} from 'node:path';

const ofTheSystem = (): string => {
	try {
		return userInfo().homedir;
	} catch {
		// A container's user may be missing in the user database.
		return '/';
	}
};

/** Home folder: `HOME`, or the entry in the system's user database if that is empty or relative. */
export const homeFolder = (): string => {
	const named = homedir();
	return isAbsolute(named) ? named : ofTheSystem();
};

/** Folder of settings and keys, except on macOS and Windows. */
export const configFolder = (): string => join(xdgFolder('XDG_CONFIG_HOME', '.config'), 'svc-tui');

/** Base folder of the XDG specification, which ignores relative paths. */
export const xdgFolder = (variable: string, ...below: readonly string[]): string => {
	const named = process.env[variable];
	return named && isAbsolute(named) ? named : join(homeFolder(), ...below);
};

/** Folder for the user's sockets, removed when the user signs out. Null if the system has none. */
export const runtimeFolder = (): string | null => {
	const named = process.env['XDG_RUNTIME_DIR'];
	return named && isAbsolute(named) ? named : null;
};

export const realPathOf = (path: string): string => {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
};

/** True if the folder is or contains the other. */
export const containsPath = (outer: string, inner: string): boolean =>
	outer === inner || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);

/** True if the folder contains the user's home, with all keys. `folder`: without links. */
export const containsHome = (folder: string): boolean =>
	[homeFolder(), ofTheSystem()].some(home => containsPath(folder, realPathOf(home)));
