import {isCharged, rateIn} from '../../../text/charged.ts';
import type {ServerItem} from '../../../contract/servers.ts';
import {isUnknown, midnight, totalCost, type ServerCost} from '../../../costs/daily-costs.ts';
import {validRate} from '../../../costs/reported-rates.ts';
import {priceOf} from '../../../query/offers.ts';
import {costOver} from '../../../text/money.ts';
import type {ComputeState} from '../../compute/catalogue.ts';

/** Cost data of a running server, as far as known to this program. */
export type Rental = {
	/**
	 * Compute option that the list first showed for the server. A different option later means that
	 * it was restarted. Null: not listed as running yet.
	 */
	readonly listed: string | null;
	/**
	 * Rate per hour from the response to create or start. Null if another program started the
	 * server: then only the catalogue may have a price.
	 */
	readonly rate: number | null;
	/** Price from the catalogue that the user confirmed. */
	readonly quoted: number | null;
	/** Time of the start request, or of the first observation as running, in ms since the epoch. */
	readonly since: number;
	/** True if the server may have run before `since`. */
	readonly ranBefore: boolean;
	/**
	 * True if the server has been in a state of unknown cost after `since`, so that its cost cannot
	 * be computed from that time.
	 */
	readonly isBroken?: boolean;
};

/** Costs of this day by server, as far as observed until a time in ms. */
export type Spent = {readonly at: number; readonly today: ReadonlyMap<string, ServerCost>};

type Known = {
	readonly rentals: ReadonlyMap<string, Rental>;
	/** Null or missing until the observations of all programs have been read. */
	readonly spent?: Spent | null;
} & Pick<ComputeState, 'compute'>;

/**
 * Rate per hour of a server: from the service's response for this option, else the catalogue's
 * price; undefined if neither is known.
 */
export const rateOf = (
	{rentals, compute}: Known,
	{name, server_request: request}: Pick<ServerItem, 'name' | 'server_request'>,
): number | undefined => {
	const rental = rentals.get(name);
	return (
		(rental?.listed === null || rental?.listed === request ? rental.rate : null) ??
		priceOf(request, compute.value?.items)
	);
};

/**
 * Rate per hour of a server in its current state. Undefined if it is not ready. Exception: a server
 * that this program is starting, if the response named the rate.
 */
export const rateNow = (known: Known, server: ServerItem): number | undefined => {
	const rental = known.rentals.get(server.name);
	const isStarting = isCharged(server.status) === null && rental !== undefined && rental.isBroken !== true;
	const rate = rateOf(known, server);
	return isStarting ? rate : rateIn(server.status, rate);
};

export type CostEstimate = {
	readonly rate: number | undefined;
	readonly estimate: number | undefined;
	/** True if the real cost may be higher, for example because of unobserved time. */
	readonly atLeast: boolean;
};

/** True if this program started the server after `at`, so that the observations lack the start. */
const isStartedAfter = (rental: Rental | undefined, at: number): boolean =>
	rental !== undefined && (rental.rate !== null || rental.quoted !== null) && rental.since > at;

/**
 * Current rate of a server, and its cost of today. Always an estimate, because states are only
 * polled. Computed from the stored observations, or from the rental until the observations have
 * been read and contain every start that this program made.
 */
export const estimateOf = (known: Known, server: ServerItem, now: number): CostEstimate => {
	const rental = known.rentals.get(server.name);
	const rate = rateNow(known, server);
	const {spent = null} = known;
	if (spent !== null && !isStartedAfter(rental, spent.at)) {
		const cost = spent.today.get(server.name);
		if (cost === undefined || isUnknown(cost)) return {rate, estimate: undefined, atLeast: false};
		const {estimate, atLeast} = totalCost([cost]);
		return {rate, estimate, atLeast: atLeast && rate !== 0};
	}
	if (rate === undefined || rental === undefined || (rental.isBroken === true && rate > 0))
		return {rate, estimate: undefined, atLeast: false};
	const since = Math.max(rental.since, midnight(now));
	return {rate, estimate: costOver(rate, now - since), atLeast: rental.ranBefore && rate > 0};
};

/**
 * Sum over servers. `known`: number of servers whose rate is in the sum; `unknown`: number of
 * servers that cost, or may cost, an unknown amount.
 */
export type TotalEstimate = {
	readonly rate: number;
	readonly known: number;
	readonly unknown: number;
	readonly estimate: number;
	readonly atLeast: boolean;
};

/**
 * Sum of the known rates, and of today's costs, including servers that have ended. Unreadable
 * entries of the list may cost money too.
 */
export const totalEstimate = (
	rentals: Known,
	servers: readonly ServerItem[],
	now: number,
	unreadable = 0,
): TotalEstimate => {
	let [rate, known, unknown, estimate, atLeast] = [0, 0, unreadable, 0, unreadable > 0];
	for (const server of servers) {
		const spend = estimateOf(rentals, server, now);
		if (isCharged(server.status) === false) continue;
		if (spend.rate === undefined) unknown++;
		else if (server.status === 'ready' || spend.rate === 0) known++;
		if (server.status === 'ready') rate += spend.rate ?? 0;
		estimate += spend.estimate ?? 0;
		// A server with an unknown rate costs something too.
		atLeast ||= spend.atLeast || spend.rate === undefined || spend.estimate === undefined;
	}
	const today = rentals.spent?.today;
	const isRead = today !== undefined && today.size > 0;
	return {
		rate,
		known,
		unknown,
		estimate: isRead ? totalCost([...today.values()]).estimate : estimate,
		atLeast,
	};
};

/**
 * Result of a poll. `starting`: servers, by name, that this program has asked to start and that are
 * not ready yet.
 */
type Look = {
	readonly servers: readonly ServerItem[];
	readonly isFirst: boolean;
	readonly starting: ReadonlyMap<string, unknown>;
	readonly at: number;
};

/**
 * Updates the rentals from a list. Adds servers that are not offline. Removes offline servers,
 * unless this program is starting them or their reported rate is still valid.
 */
export const updateRentals = (
	rentals: ReadonlyMap<string, Rental>,
	{servers, isFirst, starting, at}: Look,
): ReadonlyMap<string, Rental> => {
	const next = new Map(rentals);
	for (const {name, status, server_request: request} of servers) {
		if (status === 'offline') {
			const kept = rentals.get(name);
			const holds =
				kept !== undefined &&
				kept.rate !== null &&
				validRate({server: name, ...kept, rate: kept.rate}, {status, server_request: request}, at) !== null;
			if (!starting.has(name) && !holds) next.delete(name);
			continue;
		}
		const old = rentals.get(name);
		const isBroken = old?.isBroken === true || (isCharged(status) === null && !starting.has(name));
		const isSame = old !== undefined && (old.listed === null || old.listed === request);
		next.set(
			name,
			isSame
				? {...old, listed: request, ...(isBroken && {isBroken})}
				: {
						listed: request,
						rate: null,
						quoted: null,
						since: at,
						ranBefore: isFirst,
						...(isCharged(status) === null && {isBroken: true}),
					},
		);
	}
	return next;
};
