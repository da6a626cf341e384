import type {RunningService} from '../cli/context.ts';
import {fetchRetained, askToStop, findRunning} from '../launch/retained.ts';
import {isFolderInUse} from '../settings/instance-lock.ts';
import {SetupError} from '../settings/setup-error.ts';
import {diskReason} from '../machine/disk-fault.ts';
import {localDataFolder} from '../machine/paths.ts';

/** Looks up the running local service. @throws {SetupError} if its lock cannot be read. */
const find = (folder: string): ReturnType<typeof findRunning> => {
	try {
		return findRunning(folder);
	} catch (error) {
		const reason = diskReason(error, {elsewhere: 'set XDG_DATA_HOME to a folder you own', file: folder});
		throw reason === null ? error : new SetupError(`The data folder ${folder} cannot be used: ${reason}.`);
	}
};

/**
 * Running local service of this machine, for commands that inspect or stop it. Null if there is
 * none.
 */
export const runningService = (): RunningService | null => {
	const folder = localDataFolder();
	const found = find(folder);
	if (found === null) return null;
	const {pid, url, startedAt, leased, engine = null} = found.instance;
	return {
		pid,
		url,
		startedAt,
		leased,
		engine,
		kept: async () => fetchRetained(found),
		stop: async () => askToStop(found),
		isThere: () => isFolderInUse(folder),
	};
};
