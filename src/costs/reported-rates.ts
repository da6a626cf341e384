import {dirname} from 'node:path';
import {filesIn, readIfValid, type ServiceStorage} from '../storage/service-storage.ts';

/** Hourly rate from the response to create or start, because lists do not contain it. */
export type ReportedRate = {
	readonly server: string;
	/** Compute option of the server when it was first listed as running. Null until then. */
	readonly listed: string | null;
	readonly rate: number;
	/** Catalogue price at that time. Null if there was none. */
	readonly quoted: number | null;
	/** Time of the start request, in ms since the epoch. */
	readonly since: number;
};

export type ListedServer = {readonly name: string; readonly status: string; readonly server_request: string};

/** Time for which a service may still list a started server as offline, in ms. */
const OFFLINE_GRACE = 10_000;

/** The rate if it still applies. Null once the server is offline or has another compute option. */
export const validRate = (
	kept: ReportedRate,
	{status, server_request: request}: Omit<ListedServer, 'name'>,
	now: number,
): ReportedRate | null => {
	if (status === 'offline') return now - kept.since < OFFLINE_GRACE ? kept : null;
	if (kept.listed !== null && kept.listed !== request) return null;
	return kept.listed === null ? {...kept, listed: request} : kept;
};

/** Rates of one service, one file per server. */
export type RateStorage = {
	read(): readonly ReportedRate[];
	keep(rate: ReportedRate): void;
	drop(server: string): void;
};

// Validates without zod, because the first frame imports this file and zod loads slowly.
const rateIn = (value: unknown): ReportedRate | null => {
	const {server, listed, rate, quoted, since} = (value ?? {}) as Readonly<Record<string, unknown>>;
	return typeof server === 'string' &&
		(listed === null || typeof listed === 'string') &&
		typeof rate === 'number' &&
		(quoted === null || typeof quoted === 'number') &&
		typeof since === 'number'
		? {server, listed, rate, quoted, since}
		: null;
};

export const openRateStorage = (keeper: ServiceStorage): RateStorage => {
	const fileOf = (server: string): string => keeper.fileOf('rates', server);
	return {
		read: () => filesIn(dirname(fileOf(''))).flatMap(file => readIfValid(file, rateIn) ?? []),
		keep: rate => keeper.write(fileOf(rate.server), rate),
		drop: server => keeper.remove(fileOf(server)),
	};
};

/** Rates that still apply. Deletes outdated ones, except of missing servers, which may return. */
export const validRates = (
	kept: RateStorage,
	servers: readonly ListedServer[],
	now: number,
): ReadonlyMap<string, ReportedRate> => {
	const byName = new Map(servers.map(server => [server.name, server]));
	const held = new Map<string, ReportedRate>();
	for (const rate of kept.read()) {
		const server = byName.get(rate.server);
		if (server === undefined) continue;
		const still = validRate(rate, server, now);
		if (still === null) kept.drop(rate.server);
		else {
			if (still !== rate) kept.keep(still);
			held.set(rate.server, still);
		}
	}
	return held;
};
