import {realpathSync} from 'node:fs';
import {homedir, userInfo} from 'node:os';
import {isAbsolute, join, sep} from 'node:path';

const ofTheSystem = (): string => {
	try {
		return userInfo().homedir;
	} catch {
		// A container's user may be in no list.
		return '/';
	}
};

/** `HOME`; where that is empty or relative, and so another folder for each program, what the system says. */
export const homeFolder = (): string => {
	const named = homedir();
	return isAbsolute(named) ? named : ofTheSystem();
};

/** Where settings and keys lie, but for macOS and Windows. */
export const configFolder = (): string => join(xdgFolder('XDG_CONFIG_HOME', '.config'), 'svc-tui');

/** A base folder of the XDG specification, by which a relative one is ignored. */
export const xdgFolder = (variable: string, ...below: readonly string[]): string => {
	const named = process.env[variable];
	return named && isAbsolute(named) ? named : join(homeFolder(), ...below);
};

export const realPathOf = (path: string): string => {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
};

/** `outer` is that folder, or holds it. */
export const containsPath = (outer: string, inner: string): boolean =>
	outer === inner || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);

/** All of what the user has lies in the folder, keys included. `folder`: without links. */
export const containsHome = (folder: string): boolean =>
	[homeFolder(), ofTheSystem()].some(home => containsPath(folder, realPathOf(home)));
