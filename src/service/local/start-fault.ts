import {diskReason, type FaultContext} from '../../machine/disk-fault.ts';
import {ServeError} from '../serve-error.ts';

/** Advice on how to use another folder. An automatically started service has no option --data. */
export const anotherFolder = (leased: boolean): string =>
	leased ? 'set XDG_DATA_HOME to a folder you own' : 'name another one with --data';

/**
 * Converts a disk error into a {@link ServeError} with a sentence. Other errors are bugs and are
 * returned unchanged.
 */
export const startFault = (error: unknown, dataFolder: string, place: FaultContext): unknown => {
	if (error instanceof ServeError) return error;
	const reason = diskReason(error, place);
	return reason === null
		? error
		: new ServeError(77, `The data folder ${dataFolder} cannot be used: ${reason}.`);
};
