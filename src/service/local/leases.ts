import {once} from '../once.ts';

/**
 * Leases that programs hold while they use an automatically started service. When there are none,
 * the service ends after the retention time.
 */
export type Leases = {
	/**
	 * Takes a lease. `keep`: requested retention of the kernels' state, in ms. Returns a function
	 * that ends the lease.
	 */
	take(keep?: number): () => void;
	held(): number;
	/**
	 * End of the retention, in ms since the epoch. Null while a program holds a lease, and without
	 * retention.
	 */
	until(): number | null;
	/** Call when the service ends for another reason. Leases no longer have an effect. */
	stop(): void;
};

export type LeaseTimes = {
	/** Time limit for the first lease, in ms. */
	readonly first: number;
	/** Time between the end of the last lease and the end of the service, in ms. */
	readonly last: number;
	/**
	 * Interval at which the clock is checked during the retention, in ms. Needed because a long
	 * timer pauses while a laptop sleeps.
	 */
	readonly look: number;
};

const leaseTimes: LeaseTimes = {first: 2500, last: 1000, look: 15_000};
/**
 * Maximum retention in ms. Applies even if the clock was wrong when the retention was requested.
 */
const LONGEST_MS = 24 * 3_600_000;

export type Keeping = {
	/** Ids of servers with kernels that hold variables. Never rejects. */
	stateful(): Promise<readonly string[]>;
	/** Retains these servers and closes all others. */
	begin(ids: readonly string[]): void;
	/** Called when a program takes a lease again. */
	resume(): void;
	/**
	 * True if a retained server was used after `time` (ms since the epoch), or is running code.
	 * Never rejects.
	 */
	usedSince(time: number): Promise<boolean>;
	/**
	 * Called at the end of the retention, to record why each server was stopped. `wasUsed`: true if
	 * code ran after the last program had closed.
	 */
	expire(end: {readonly keep: number; readonly until: number; readonly wasUsed: boolean}): void;
};

/** Tracks leases. `onUnused` is called once, when there is no lease and nothing is retained. */
export const createLeases = (
	onUnused: () => void,
	times: Partial<LeaseTimes> = {},
	keeping: Keeping | null = null,
): Leases => {
	const {first, last, look: checkInterval} = {...leaseTimes, ...times};
	let held = 0;
	/**
	 * Number of changes of `held`. Used to ignore results of queries that started before the last
	 * change.
	 */
	let turn = 0;
	let stopped = false;
	/** Latest end of retention that any program has requested, in ms since the epoch. */
	let until = 0;
	/** Retention that led to `until`, in ms. */
	let keep = 0;
	let isKept = false;
	let timer = setTimeout(onUnused, first);

	const end = (): void => {
		stopped = true;
		onUnused();
	};
	/**
	 * Waits for the end of the retention, which is extended whenever code runs. Uses two clocks,
	 * because one continues while the machine sleeps, and the other cannot be set back.
	 */
	const watch = (kept: Keeping, mine: number): void => {
		let steadyEnd = performance.now() + until - Date.now();
		let seen = Date.now();
		let wasUsed = false;
		const wait = (): void => {
			const left = Math.min(until - Date.now(), steadyEnd - performance.now());
			timer = setTimeout(() => void checkUse(), Math.max(0, Math.min(left, checkInterval)));
		};
		const checkUse = async (): Promise<void> => {
			const now = Date.now();
			const [ids, isUsed] = await Promise.all([kept.stateful(), kept.usedSince(seen)]);
			if (mine !== turn || stopped) return;
			seen = now;
			if (ids.length === 0) return end();
			if (isUsed) {
				wasUsed = true;
				until = now + keep;
				steadyEnd = performance.now() + keep;
			}
			if (until > Date.now() && steadyEnd > performance.now()) return wait();
			kept.expire({keep, until, wasUsed});
			end();
		};
		wait();
	};
	const onLast = async (mine: number, isWanted: boolean): Promise<void> => {
		keep = Math.min(keep, LONGEST_MS);
		until = Math.min(until, Date.now() + LONGEST_MS);
		const ids = keeping !== null && isWanted ? await keeping.stateful() : [];
		if (mine !== turn || stopped) return;
		if (keeping === null || ids.length === 0) return end();
		isKept = true;
		keeping.begin(ids);
		watch(keeping, mine);
	};
	return {
		take(wanted = 0) {
			held++;
			turn++;
			clearTimeout(timer);
			if (isKept) keeping?.resume();
			isKept = false;
			return once(() => {
				held--;
				turn++;
				const now = Date.now();
				if (now + wanted >= until) {
					until = now + wanted;
					keep = wanted;
				}
				const [mine, isWanted] = [turn, until > now];
				if (held === 0 && !stopped) timer = setTimeout(() => void onLast(mine, isWanted), last);
			});
		},
		held: () => held,
		until: () => (held === 0 && until > Date.now() ? until : null),
		stop() {
			stopped = true;
			clearTimeout(timer);
		},
	};
};

/**
 * Leases of a service started with `svc-tui serve`. They have no effect, because the service runs
 * until it is stopped.
 */
export const endlessLeases: Leases = {take: () => () => {}, held: () => 0, until: () => null, stop() {}};
