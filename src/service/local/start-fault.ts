import {diskReason, type FaultContext} from '../../machine/disk-fault.ts';
import {ServeError} from '../serve-error.ts';

/** The advice for a folder that cannot be used: the program that starts the service by itself has no `--data`. */
export const anotherFolder = (leased: boolean): string =>
	leased ? 'set XDG_DATA_HOME to a folder of yours' : 'name another one with --data';

/** What the disk said while the service started, as a sentence; any other error is a bug and comes back as it is. */
export const startFault = (error: unknown, dataFolder: string, place: FaultContext): unknown => {
	if (error instanceof ServeError) return error;
	const reason = diskReason(error, place);
	return reason === null
		? error
		: new ServeError(77, `The data folder ${dataFolder} cannot be used: ${reason}.`);
};
