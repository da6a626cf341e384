import {readFileSync} from 'node:fs';
import {isAlive} from './atomic-write.ts';

/**
 * Process id with its start time, if available. The start time is needed because the system reuses
 * ids.
 */
export const identityOf = (pid: number): string => {
	try {
		return `${pid} ${readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? ''}`;
	} catch {
		return String(pid);
	}
};

/** True if that process still runs. */
export const isOwned = (identity: string): boolean => {
	const pid = Number.parseInt(identity, 10);
	return !Number.isNaN(pid) && isAlive(pid) && identityOf(pid) === identity;
};
