import type {Failure, FailureKind} from '../api/failure.ts';
import {nearestWord} from '../query/nearest-word.ts';
import {computeIdOf} from '../query/option.ts';
import {label} from '../text/safe.ts';
import {CommandError, failed} from './command-error.ts';
import type {Context, Service} from './context.ts';
import {joinNames} from '../text/join-names.ts';

/** Failure kinds that may mean an unknown name. The API does not specify its errors. */
const MAY_BE_UNKNOWN: ReadonlySet<FailureKind> = new Set(['refused', 'not-found', 'server']);

const unknown = (
	what: string,
	name: string,
	names: readonly string[],
	command: string,
	{reason}: Failure,
): CommandError => {
	const near = nearestWord(name.toLowerCase(), names);
	return new CommandError(
		'not-found',
		`There is no ${what} ${JSON.stringify(name)}${near === undefined ? '.' : `; did you mean ${label(near, 40)}?`}${reason === undefined || reason.includes(JSON.stringify(name)) ? '' : ` The service said: ${reason}`}`,
		`${command} lists them: ${joinNames(names)}.`,
	);
};

/**
 * Error for a server that was not created or started. It names an unknown name, or contains the
 * service's message.
 */
export const rentErrorText = async (
	context: Context,
	{client}: Service,
	failure: Failure,
	{environment, server_request: compute}: {readonly environment: string; readonly server_request: string},
): Promise<CommandError> => {
	if (!MAY_BE_UNKNOWN.has(failure.kind)) return failed(failure);
	const {signal} = context;
	const [environments, options] = await Promise.all([
		client.environments({signal}),
		client.compute({signal}),
	]);
	if (environments.ok && environments.value.unreadable === 0) {
		const ids = environments.value.items.map(each => each.environment_id);
		if (environment !== '' && ids.length > 0 && !ids.includes(environment))
			return unknown('environment', environment, ids, context.typed('environments'), failure);
	}
	if (options.ok && options.value.unreadable === 0) {
		const ids = options.value.items.map(option => computeIdOf(option).id);
		if (compute !== '' && ids.length > 0 && !ids.includes(compute))
			return unknown('compute option', compute, ids, context.typed('compute'), failure);
	}
	return failed(failure);
};
