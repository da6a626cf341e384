import {readFileSync} from 'node:fs';
import {isAlive} from './atomic-write.ts';

/** A process, distinguished from a later one of the same number where the system says when it began. */
export const identityOf = (pid: number): string => {
	try {
		return `${pid} ${readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? ''}`;
	} catch {
		return String(pid);
	}
};

/** Whether that process still runs. */
export const isOwned = (identity: string): boolean => {
	const pid = Number.parseInt(identity, 10);
	return !Number.isNaN(pid) && isAlive(pid) && identityOf(pid) === identity;
};
