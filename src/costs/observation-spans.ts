// What lists of servers showed, over time. Pure; times in ms since the epoch, by the wall clock.
import {isCharged} from '../text/charged.ts';

/** What one list showed. */
export type Snapshot = {
	/** Servers that were ready, and the rate per hour of each; null: it was not known. */
	readonly ready: ReadonlyMap<string, number | null>;
	/** Servers of which the list did not say how they were. */
	readonly unsure: ReadonlySet<string>;
	/** Servers in a state of which nobody knows whether it costs. */
	readonly unclear: ReadonlySet<string>;
	/** Entries that could not be read: a server that is missing may be one of them. */
	readonly unreadable: number;
	/** Not a list: the one server of `ready` was asked to start here, and nothing is said of others. */
	readonly isStart?: boolean;
};

/** Lists that all showed the same, from the first to the last of them, with no pause between two beyond {@link MAX_GAP_MS}. */
export type Observation = Snapshot & {readonly from: number; readonly to: number};

/** Milliseconds between two looks for which what both showed is taken to have been so: the screens look twice a minute. */
export const MAX_GAP_MS = 120_000;

/** What a list says of the servers it names. `rateOf`: null where nobody knows it. */
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

/** A start that one of our programs made. Others may run as well. `rate`: null if unknown. */
export const startOf = (server: string, rate: number | null): Snapshot => ({
	ready: new Map([[server, rate]]),
	unsure: new Set(),
	unclear: new Set(),
	unreadable: 1,
	isStart: true,
});

/** The same text for the same content, whatever the order of the list. */
export const snapshotKey = ({ready, unsure, unclear, unreadable, isStart = false}: Snapshot): string =>
	JSON.stringify([
		[...ready].sort(([one], [other]) => (one < other ? -1 : 1)),
		[...unsure].sort(),
		[...unclear].sort(),
		unreadable,
		isStart,
	]);

/** State of a server in a look. Null if the look does not say it. */
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

/**
 * The looks in their order, as few as say the same. Programs that looked at one time count once: of looks that lie over each other
 * the one that began first holds.
 */
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
