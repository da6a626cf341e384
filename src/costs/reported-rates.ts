import {dirname} from 'node:path';
import {filesIn, readIfValid, type ServiceStorage} from '../storage/service-storage.ts';

/** What create or start answered that a server costs: the list does not say it (interface 2.1). Rates per hour. */
export type ReportedRate = {
	readonly server: string;
	/** The compute that the list gave it first; null: not listed as running yet. */
	readonly listed: string | null;
	readonly rate: number;
	/** The catalogue's price at that moment; null: it had none. */
	readonly quoted: number | null;
	/** ms since the epoch: when it was asked to start. */
	readonly since: number;
};

/** What the list says of a server. */
export type ListedServer = {readonly name: string; readonly status: string; readonly server_request: string};

/** A service may list a server as offline for a moment after it took the start, in ms. */
const OFFLINE_GRACE = 10_000;

/** A rate holds until the list shows its server offline or on another compute. Answers it as the list confirms it; null: it holds no longer. */
export const validRate = (
	kept: ReportedRate,
	{status, server_request: request}: Omit<ListedServer, 'name'>,
	now: number,
): ReportedRate | null => {
	if (status === 'offline') return now - kept.since < OFFLINE_GRACE ? kept : null;
	if (kept.listed !== null && kept.listed !== request) return null;
	return kept.listed === null ? {...kept, listed: request} : kept;
};

/** The rates of one service, a file for each server. */
export type RateStorage = {
	read(): readonly ReportedRate[];
	keep(rate: ReportedRate): void;
	drop(server: string): void;
};

// The first frame reads this file: no zod.
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

/** The rates that hold by a list; those that hold no longer are forgotten. A server that the list lacks may be listed again. */
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
