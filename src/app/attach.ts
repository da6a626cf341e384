import {join} from 'node:path';
import type {AttachOptions, Attached} from '../launch/attach-local.ts';

/** Finds the local service, or starts it with this program, and holds a lease on it. */
export const attachLocalService = async (
	how: Pick<AttachOptions, 'onEnd' | 'onChange' | 'signal' | 'keep'>,
): Promise<Attached> => {
	const [{attachLocal}, {localDataFolder}] = await Promise.all([
		import('../launch/attach-local.ts'),
		import('../machine/paths.ts'),
	]);
	const program = [process.execPath, ...process.execArgv, join(import.meta.dirname, 'boot.js')];
	return attachLocal({dataFolder: localDataFolder(), program, ...how});
};
