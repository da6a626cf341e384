import {isCharged, rateIn} from '../../../text/charged.ts';
import type {ServerItem} from '../../../contract/servers.ts';
import {isUnknown, type RunCost} from '../../../costs/daily-costs.ts';
import {validRate} from '../../../costs/reported-rates.ts';
import {priceOf} from '../../../query/offers.ts';
import {costOver} from '../../../text/money.ts';
import type {ComputeState} from '../../compute/catalogue.ts';

/** A server that runs, as far as this program knows what it costs. */
export type Rental = {
	/** The compute that the list showed for it first: with another one it was started anew elsewhere. Null: not listed as running yet. */
	readonly listed: string | null;
	/** Per hour, as create or start answered; null: started elsewhere, and only the catalogue may know. */
	readonly rate: number | null;
	/** The catalogue's price that was confirmed. */
	readonly quoted: number | null;
	/** ms since the epoch: when it was asked to start, or first seen running. */
	readonly since: number;
	/** It may have run before `since`. */
	readonly ranBefore: boolean;
	/** Seen in a state of unknown cost since: what it has cost cannot be worked out from `since`. */
	readonly isBroken?: boolean;
};

/** Costs of runs, as far as they were seen until a time in ms. */
export type Spent = {readonly at: number; readonly runs: ReadonlyMap<string, RunCost>};

type Known = {
	readonly rentals: ReadonlyMap<string, Rental>;
	/** Null or missing until the looks of this and other programs were read. */
	readonly spent?: Spent | null;
} & Pick<ComputeState, 'compute'>;

/** Rate per hour of a server: what the service answered for this compute, else the catalogue's price; undefined when neither says it. */
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
 * Rate per hour that a server costs in its state. Undefined for an offline one, and in any state but `ready` unless it is
 * on the way there after a start that was made here, whose rate was answered.
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
	/** The estimate leaves out what ran before it was seen. */ readonly atLeast: boolean;
};

/**
 * Cost of a server now and since its start. Nothing for an offline one, unknown in any other state but `ready`. Always an
 * estimate: states are only looked at now and then.
 */
export const estimateOf = (known: Known, server: ServerItem, now: number): CostEstimate => {
	const rental = known.rentals.get(server.name);
	const rate = rateNow(known, server);
	const run = known.spent?.runs.get(server.name);
	// The looks tell it but of a start that is younger than they are.
	if (rate !== undefined && run && (known.spent?.at ?? 0) >= (rental?.since ?? 0))
		return isUnknown(run.cost)
			? {rate, estimate: undefined, atLeast: false}
			: {rate, estimate: run.cost.estimate, atLeast: run.atLeast && rate > 0};
	if (rate === undefined || rental === undefined || (rental.isBroken === true && rate > 0))
		return {rate, estimate: undefined, atLeast: false};
	return {rate, estimate: costOver(rate, now - rental.since), atLeast: rental.ranBefore && rate > 0};
};

/** `known` and `unknown`: number of servers whose rate is in the sum, and of those that cost, or may cost, an unknown amount. */
export type TotalEstimate = {
	readonly rate: number;
	readonly known: number;
	readonly unknown: number;
	readonly estimate: number;
	readonly atLeast: boolean;
};

/** Sum of the known rates, and of all estimates. Entries of the list that could not be read may be charged as well. */
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
		// A server of unknown rate costs something all the same.
		atLeast ||= spend.atLeast || spend.rate === undefined || spend.estimate === undefined;
	}
	return {rate, known, unknown, estimate, atLeast};
};

/** What one look at the list tells of it: `starting` are the names that were asked to start from here and are not ready yet. */
type Look = {
	readonly servers: readonly ServerItem[];
	readonly isFirst: boolean;
	readonly starting: ReadonlyMap<string, unknown>;
	readonly at: number;
};

/** The rentals after a look: what is seen running is counted from then on, what is offline no longer. */
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
