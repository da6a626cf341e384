import {constants, setPriority} from 'node:os';

/**
 * Lets a thread run after the others of this machine while they are busy. Elsewhere than on Linux
 * a priority is that of the whole process, and stays.
 */
export const lowerPriority = (): void => {
	if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
};
