import {homedir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import envPaths from 'env-paths';

export type Paths = {
	/** Profiles and keys. */ readonly config: string;
	/** The local service's servers and registry. */ readonly data: string;
	/** Drafts, history, conversations, logs. */ readonly state: string;
	/** May be deleted at any time. */ readonly cache: string;
};

/** Where things are kept: XDG on Linux, the platform's own places elsewhere. Reads the environment at the moment of the call. */
export const paths = (): Paths => {
	const found = envPaths('svc-tui', {suffix: ''});
	return {config: found.config, data: found.data, state: found.log, cache: found.cache};
};

/** Data folder of the service that the program starts by itself. */
export const localDataFolder = (): string => join(paths().data, 'service');

/** A path as the settings write it: relative to their own folder, `~/` is the home folder. */
export const pathOf = (written: string, settingsFile: string): string => (written.startsWith('~/') ? join(homedir(), written.slice(2)) : resolve(dirname(settingsFile), written));
