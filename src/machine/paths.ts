import {dirname, join, resolve} from 'node:path';
import envPaths from 'env-paths';
import {configFolder, homeFolder, xdgFolder} from './home.ts';

export type Paths = {
	/** Profiles and keys. */
	readonly config: string;
	/** The local service's servers and registry. */
	readonly data: string;
	/** Drafts, history, conversations, logs. */
	readonly state: string;
	/** May be deleted at any time. */
	readonly cache: string;
};

/** Folders of the program: XDG on Linux, else the platform's. Reads the environment each time. */
export const paths = (): Paths => {
	if (process.platform !== 'darwin' && process.platform !== 'win32') {
		const own = (folder: string): string => join(folder, 'svc-tui');
		return {
			config: configFolder(),
			data: own(xdgFolder('XDG_DATA_HOME', '.local', 'share')),
			state: own(xdgFolder('XDG_STATE_HOME', '.local', 'state')),
			cache: own(xdgFolder('XDG_CACHE_HOME', '.cache')),
		};
	}
	const found = envPaths('svc-tui', {suffix: ''});
	return {config: found.config, data: found.data, state: found.log, cache: found.cache};
};

/** Data folder of the automatically started service. */
export const localDataFolder = (): string => join(paths().data, 'service');

/** Resolves a path in the settings, relative to the settings file. Expands `~/`. */
export const pathOf = (written: string, settingsFile: string): string =>
	written.startsWith('~/') ? join(homeFolder(), written.slice(2)) : resolve(dirname(settingsFile), written);
