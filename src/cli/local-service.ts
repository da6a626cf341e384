import type {Failure} from '../api/failure.ts';
import {CommandError, failed, usageError} from './command-error.ts';
import type {Context, Service} from './context.ts';

/** Error for a rejected call. The service's own message contains the remedy. */
export const refused = (failure: Failure): CommandError =>
	failure.reason === undefined || failure.status === 401
		? failed(failure)
		: new CommandError(failure.kind, failure.reason, '', undefined, failure);

/** Connects to the local service. @throws {CommandError} if another service is selected. */
export const connectLocal = async (context: Context): Promise<Service> => {
	const service = await context.connect();
	if (service.isLocal) return service;
	throw usageError(
		'Only the local service reaches hosts over SSH, and another service is selected.',
		'--profile local selects the local service.',
	);
};
