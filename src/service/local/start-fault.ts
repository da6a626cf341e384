import {diskReason, type FaultContext} from '../../machine/disk-fault.ts';
import {ServeError} from '../serve-error.ts';

/** Programs that start the service automatically have no `--data`. */
export const anotherFolder = (leased: boolean): string =>
	leased ? 'set XDG_DATA_HOME to a folder you own' : 'name another one with --data';

/** Converts a disk error into a sentence. Other errors are bugs and stay unchanged. */
export const startFault = (error: unknown, dataFolder: string, place: FaultContext): unknown => {
	if (error instanceof ServeError) return error;
	const reason = diskReason(error, place);
	return reason === null
		? error
		: new ServeError(77, `The data folder ${dataFolder} cannot be used: ${reason}.`);
};
