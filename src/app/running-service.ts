import type {RunningService} from '../cli/context.ts';
import {askKept, askToStop, findRunning} from '../launch/kept.ts';
import {isFolderInUse} from '../settings/instance-lock.ts';
import {localDataFolder} from '../state/paths.ts';

/** The local service of this machine, for commands that look at it or end it. */
export const runningService = (): RunningService | null => {
	const folder = localDataFolder();
	const found = findRunning(folder);
	if (found === null) return null;
	const {pid, startedAt, leased, engine = null} = found.instance;
	return {
		pid,
		startedAt,
		leased,
		engine,
		kept: async () => askKept(found),
		stop: async () => askToStop(found),
		isThere: () => isFolderInUse(folder),
	};
};
