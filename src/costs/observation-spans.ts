// Contents of server lists over time. Pure. Times in ms since the epoch, by the wall clock.
import {isCharged} from '../text/charged.ts';

export type Snapshot = {
	/** Ready servers with their hourly rates. Null if unknown. */
	readonly ready: ReadonlyMap<string, number | null>;
	/** Servers without a state in the list. */
	readonly unsure: ReadonlySet<string>;
	/** Servers in a state of unknown cost. */
	readonly unclear: ReadonlySet<string>;
	/** Number of unreadable entries. Any of them may be a server that seems to be missing. */
	readonly unreadable: number;
	/**
	 * True if the snapshot is of a start made here, not of a list. `ready` then contains only that
	 * server.
	 */
	readonly isStart?: boolean;
};

/**
 * Series of equal snapshots, from the first to the last. No gap between them exceeds {@link
 * MAX_GAP_MS}.
 */
export type Observation = Snapshot & {readonly from: number; readonly to: number};

/**
 * Longest gap between equal observations that counts as observed, in ms. The screens observe twice
 * a minute.
 */
export const MAX_GAP_MS = 120_000;

/** Snapshot of a server list. `rateOf`: null if unknown. */
export const snapshotOf = <Server extends {readonly name: string; readonly status: string}>(
	servers: readonly Server[],
	unreadable: number,
	rateOf: (server: Server) => number | null,
): Snapshot => ({
	ready: new Map(
		servers.filter(({status}) => status === 'ready').map(each => [each.name, rateOf(each)] as const),
	),
	unsure: new Set(servers.filter(({status}) => status === '').map(({name}) => name)),
	unclear: new Set(
		servers
			.filter(each => each.status !== '' && isCharged(each.status) === null && rateOf(each) !== 0)
			.map(({name}) => name),
	),
	unreadable,
});

/**
 * Snapshot of a start made by one of our programs. `unreadable` is 1, because other servers may be
 * running too.
 */
export const startOf = (server: string, rate: number | null): Snapshot => ({
	ready: new Map([[server, rate]]),
	unsure: new Set(),
	unclear: new Set(),
	unreadable: 1,
	isStart: true,
});

/** Key that is equal for equal content, in any order. */
export const snapshotKey = ({ready, unsure, unclear, unreadable, isStart = false}: Snapshot): string =>
	JSON.stringify([
		[...ready].sort(([one], [other]) => (one < other ? -1 : 1)),
		[...unsure].sort(),
		[...unclear].sort(),
		unreadable,
		isStart,
	]);

/** State of a server in a snapshot. Null if unknown. */
export const stateIn = (
	{ready, unsure, unclear, unreadable}: Snapshot,
	server: string,
): 'ready' | 'unclear' | 'off' | null =>
	ready.has(server)
		? 'ready'
		: unclear.has(server)
			? 'unclear'
			: unsure.has(server) || unreadable > 0
				? null
				: 'off';

/** Sorts and merges observations. Where concurrent programs overlap, the earlier one wins. */
export const mergeObservations = (looks: readonly Observation[]): readonly Observation[] => {
	const known = looks
		.map(look => ({look, content: snapshotKey(look)}))
		.sort(
			(one, other) =>
				one.look.from - other.look.from ||
				one.look.to - other.look.to ||
				(one.content < other.content ? -1 : Number(one.content > other.content)),
		);
	const kept: {look: Observation; content: string}[] = [];
	for (const {look, content} of known) {
		const last = kept.at(-1);
		if (last === undefined) {
			kept.push({look, content});
			continue;
		}
		const {to} = last.look;
		if (last.content === content && look.isStart !== true && look.from - to <= MAX_GAP_MS)
			last.look = {...last.look, to: Math.max(to, look.to)};
		else if (look.from >= to) kept.push({look, content});
		else if (look.to > to) kept.push({look: {...look, from: to}, content});
	}
	return kept.map(({look}) => look);
};
