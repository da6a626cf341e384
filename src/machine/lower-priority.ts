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
 * Lets a child process run after this one while the machine is busy. Linux may schedule a process
 * group of its own (`detached`) by the priority of the group, which is a file.
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
