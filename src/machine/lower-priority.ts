import {writeFileSync} from 'node:fs';
import {constants, setPriority} from 'node:os';

const LOWER = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Lets a thread run after the others of this machine while they are busy. Elsewhere than on Linux
 * a priority is that of the whole process, and stays.
 */
export const lowerPriority = (): void => {
	if (process.platform === 'linux') setPriority(LOWER);
};

/**
 * Lets a child process run after this one while the machine is busy. For a
 * `detached` child, Linux may use the priority of its autogroup instead, which a file sets.
 */
export const lowerPriorityOf = (pid: number | undefined): void => {
	if (pid === undefined) return;
	try {
		setPriority(pid, LOWER);
		if (process.platform === 'linux') writeFileSync(`/proc/${pid}/autogroup`, String(LOWER));
	} catch {
		// The process has ended, or this system has no groups.
	}
};
