import {writeFileSync} from 'node:fs';
import {constants, setPriority} from 'node:os';

const LOWER = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Lowers the priority of this thread, so that it runs after others while the machine is busy. Does
 * nothing except on Linux, because elsewhere the priority applies to the whole process.
 */
export const lowerPriority = (): void => {
	if (process.platform === 'linux') setPriority(LOWER);
};

/**
 * Lowers the priority of a child process, so that it runs after this one while the machine is busy.
 * For a `detached` child, Linux may instead use the priority of its autogroup, which is set in a
 * file.
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
