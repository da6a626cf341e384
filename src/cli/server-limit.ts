import type {LimitsAnswer} from '../contract/limits.ts';
import type {Failure} from '../api/failure.ts';
import {LIMIT_RULE, limitsText, typedLimit} from '../query/limit-texts.ts';
import {clockTime} from '../text/clock.ts';
import {roundedPrice} from '../text/money.ts';
import {definedFields} from '../text/record.ts';
import {label} from '../text/safe.ts';
import {CommandError, failed, usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {findServer} from './find-server.ts';
import {printResult} from './print.ts';

export type LimitOptions = {readonly idleStop?: string; readonly maxRun?: string};

const wanted = (option: string, text: string | undefined): string | null | undefined => {
	if (text === undefined) return undefined;
	const limit = typedLimit(text);
	if (limit !== undefined) return limit;
	throw usageError(
		`${option} ${JSON.stringify(text)} is not ${LIMIT_RULE}.`,
		'svc-tui server limit --help shows how.',
	);
};

/** Error for a rejected call. Only our own service supports limits. */
const refused = (failure: Failure): CommandError => {
	if (failure.status === 404 && failure.path.endsWith('/limits'))
		return new CommandError('not-found', 'This service does not limit servers.', '');
	return failed(failure);
};

const budgetText = ({daily_budget: budget, spent_today: spent}: LimitsAnswer): string =>
	budget === null
		? ''
		: `Today ${roundedPrice(spent ?? 0)} of the daily budget of ${roundedPrice(budget)}.\n`;

/** Runs `server limit`: changes the limits of a server if any are given, and prints them. */
export const limitServer = async (
	context: Context,
	name: string,
	{idleStop, maxRun}: LimitOptions,
): Promise<void> => {
	const change = definedFields({
		idle_stop: wanted('--idle-stop', idleStop),
		max_run: wanted('--max-run', maxRun),
	});
	const service = await context.connect();
	await findServer(context, service, name);
	const {signal} = context;
	const reply =
		Object.keys(change).length === 0
			? await service.client.limits({signal})
			: await service.client.setLimits({server_name: name, ...change}, {signal});
	if (!reply.ok) throw refused(reply.failure);
	const {servers, daily_budget, spent_today} = reply.value;
	const found = servers.find(server => server.name === name);
	if (!found) throw new CommandError('not-found', `The service has no limits for ${label(name)}.`, '');
	const due = found.stops_at ? `, at ${clockTime(Date.parse(found.stops_at))} as it is now` : '';
	await printResult(
		context,
		{...found, daily_budget, spent_today},
		`${label(name)} ${limitsText(found) ?? 'has no limits'}${due}.\n${budgetText(reply.value)}`,
	);
};
