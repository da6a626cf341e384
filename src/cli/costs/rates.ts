import type {Reply} from '../../api/failure.ts';
import {isCharged, rateIn} from '../../text/charged.ts';
import type {ComputeOption} from '../../contract/compute.ts';
import {createdName} from '../../contract/names.ts';
import type {CreatedServer, ServerItem, StartedServer, StartRequest} from '../../contract/servers.ts';
import {nearestAvailable} from '../../query/nearest.ts';
import {mayBeAvailable, offerOf, priceOf} from '../../query/offers.ts';
import {midnight, runCosts} from '../../costs/daily-costs.ts';
import type {Snapshot} from '../../costs/observation-spans.ts';
import {openObservations} from '../../costs/observations.ts';
import {todayCosts} from '../../costs/today.ts';
import {openRateStorage, validRates, type RateStorage} from '../../costs/reported-rates.ts';
import {readStartupSettings} from '../../settings/startup-settings.ts';
import {perHour} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import {offerText} from '../cheapest.ts';
import {CommandError} from '../command-error.ts';
import type {Context, Service} from '../context.ts';
import {storageFor} from '../storage-for.ts';
import {printNotice} from '../print.ts';
import {storageErrorText} from '../../machine/disk-fault.ts';

/** Minimum number of days of which observations are read, to find the start of a run. */
const DAYS = 7;
/** Longest wait for the catalogue in ms. Short, because prices only supplement the result. */
const CATALOGUE_MAY_TAKE = 3000;

/** Compute options, or undefined if they do not arrive in time. */
export const offersNow = async (
	{client}: Service,
	signal: AbortSignal,
): Promise<readonly ComputeOption[] | undefined> => {
	const reply = await client.compute({
		signal: AbortSignal.any([signal, AbortSignal.timeout(CATALOGUE_MAY_TAKE)]),
	});
	return reply.ok ? reply.value.items : undefined;
};

const storedRates = (context: Context): RateStorage => openRateStorage(storageFor(context));

/**
 * Rates that responses to create and start reported, for servers that still run on the same option.
 */
export const reportedRates = (
	context: Context,
	servers: readonly ServerItem[],
): ReturnType<typeof validRates> => {
	try {
		return validRates(storedRates(context), servers, Date.now());
	} catch {
		// An outdated rate could not be deleted. The next list tries again.
		return new Map();
	}
};

/**
 * Hourly rate of each server: as the service reported it, else from the catalogue. Undefined if
 * neither is known, or if the state has an unknown cost.
 */
export const hourlyRates =
	(held: ReturnType<typeof validRates>, offers: readonly ComputeOption[] | undefined) =>
	(server: ServerItem): number | undefined => {
		const rate = held.get(server.name)?.rate ?? priceOf(server.server_request, offers);
		return isCharged(server.status) === false ? rate : rateIn(server.status, rate);
	};

/** Costs of servers today and since their start. The current list is the last observation. */
export type ObservedCosts = {
	readonly today: ReturnType<typeof todayCosts>;
	readonly runs: ReturnType<typeof runCosts>;
};
export const NO_COSTS: ObservedCosts = {today: new Map(), runs: new Map()};

export const observedCosts = (context: Context, now: Snapshot): ObservedCosts => {
	const at = Date.now();
	const {isByAddress, facts} = readStartupSettings(context.options, context.env);
	const looks = openObservations(storageFor(context), isByAddress ? '' : facts.serviceName);
	const since = storedRates(context)
		.read()
		.reduce((first, each) => Math.min(first, each.since), midnight(at, DAYS - 1));
	const seen = [...looks.read(since), {...now, from: at, to: at}];
	return {today: todayCosts(seen, at), runs: runCosts(seen, at)};
};

/** Hourly rate of each server, including the stored rates. */
export const ratesOf = (
	context: Context,
	servers: readonly ServerItem[],
	offers: readonly ComputeOption[] | undefined,
): ((server: ServerItem) => number | undefined) => hourlyRates(reportedRates(context, servers), offers);

/**
 * Current catalogue price of a compute option. Null if unknown. @throws {CommandError} with the
 * nearest available option if this one is sold out.
 */
export const currentPrice = async (
	context: Context,
	service: Service,
	compute: string,
): Promise<number | null> => {
	const offers = await offersNow(service, context.signal);
	const offer = offerOf(compute, offers);
	if (offer === undefined) return null;
	if (!mayBeAvailable(offer)) {
		const near = nearestAvailable(offer, offers ?? []);
		const nearest =
			near === undefined
				? `${context.typed('compute', '--available')} lists what is available.`
				: `The nearest available option is ${offerText(near)}.`;
		const {note} = offer;
		// The note gives the reason, for example an unreachable host.
		const why =
			typeof note === 'string'
				? `not available; nothing was sent. ${label(note, 400)}`
				: 'sold out; nothing was sent.';
		throw new CommandError('not-found', `${label(compute, 60)} is ${why}`, nearest);
	}
	return priceOf(compute, offers) ?? null;
};

/** Sentence without its full stop, about a rate that differs from the catalogue. */
export const rateMismatchText = (server: string, quoted: number, rate: number): string =>
	`${label(server, 60)} costs ${perHour(rate)}; the catalogue listed ${perHour(quoted)}`;

/**
 * Stores the rate that a create or start response reported, and warns if it differs from the
 * catalogue.
 */
const keepRate = async (
	context: Context,
	server: string,
	answer: CreatedServer | StartedServer,
	quoted: number | null,
	since: number,
): Promise<void> => {
	const {hourly_rate: rate} = answer;
	if (typeof rate !== 'number') return;
	try {
		storedRates(context).keep({server, listed: null, rate, quoted, since});
	} catch (error) {
		await printNotice(context, `The rate cannot be saved to disk: ${storageErrorText(error)}`);
	}
	if (quoted !== null && rate !== quoted)
		await printNotice(context, `${rateMismatchText(server, quoted, rate)}.`);
};

/**
 * Sends create, or start of an existing server, once, and stores the reported rate. `quoted`:
 * catalogue price.
 */
export const rent = async (
	context: Context,
	{client}: Service,
	server: string,
	settings: StartRequest,
	{isThere, quoted}: {readonly isThere: boolean; readonly quoted: number | null},
): Promise<Reply<CreatedServer | StartedServer>> => {
	const {signal} = context;
	const since = Date.now();
	const reply = isThere
		? await client.startServer(server, settings, {signal})
		: await client.createServer({server_name: server, ...settings}, {signal});
	if (reply.ok)
		await keepRate(context, isThere ? server : createdName(reply.value, server), reply.value, quoted, since);
	return reply;
};
