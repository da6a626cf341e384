import {once} from '../once.ts';

/** Open connections of programs that use an auto-started service: it lives as long as one of them, and then for what is to be kept. */
export type Leases = {
	/** `keep`: milliseconds for which the program wants what code made to be kept after it. Answers the function that gives the lease back. */
	take(keep?: number): () => void;
	/** How many there are. */
	held(): number;
	/** Until when what there is to keep is kept, in milliseconds since the epoch; null while a program uses the service. */
	until(): number | null;
	/** The service ends anyway: nobody is waited for any more. */
	stop(): void;
};

export type LeaseTimes = {
	/** Milliseconds that the service waits for its first lease. */
	readonly first: number;
	/** Milliseconds that it goes on after the last lease was given back. */
	readonly last: number;
	/** So often the clocks are looked at while kernels are kept: a timer of half an hour would sleep as long as a laptop does. */
	readonly look: number;
};

const leaseTimes: LeaseTimes = {first: 2500, last: 1000, look: 15_000};
/** Whatever the clock said when it was asked for. */
const LONGEST_MS = 24 * 3_600_000;

/** What can be kept when nobody holds the service. */
export type Keeping = {
	/** Servers that hold what code made, by id. Never rejects. */
	worth(): Promise<readonly string[]>;
	/** Keeps these and lets go of all others. */
	begin(ids: readonly string[]): void;
	/** Somebody has come back. */
	resume(): void;
	/** The time is over: says so of each. */
	expire(keep: number, until: number): void;
};

/** `onUnused` is called once when nobody holds the service any more and nothing is kept. */
export const createLeases = (
	onUnused: () => void,
	times: Partial<LeaseTimes> = {},
	keeping: Keeping | null = null,
): Leases => {
	const {first, last, look: lookEvery} = {...leaseTimes, ...times};
	let held = 0;
	/** Counts the changes between held and not held: what was asked before one of them is void. */
	let turn = 0;
	let stopped = false;
	/** The latest time that a program asked for. */
	let until = 0;
	/** What the last program asked for. */
	let kept = 0;
	let isKept = false;
	let timer = setTimeout(onUnused, first);

	const end = (): void => {
		stopped = true;
		onUnused();
	};
	/** Two clocks: the one goes on while the machine sleeps, the other is not set back by anybody. */
	const watch = (steadyEnd: number, mine: number): void => {
		const left = Math.min(until - Date.now(), steadyEnd - performance.now());
		const look = async (): Promise<void> => {
			const {length = 0} = (await keeping?.worth()) ?? [];
			if (mine !== turn || stopped) return;
			if (length > 0) watch(steadyEnd, mine);
			else end();
		};
		if (left > 0) {
			timer = setTimeout(() => void look(), Math.min(left, lookEvery));
			return;
		}
		keeping?.expire(kept, until);
		end();
	};
	const onLast = async (mine: number, isWanted: boolean): Promise<void> => {
		until = Math.min(until, Date.now() + LONGEST_MS);
		const left = until - Date.now();
		const ids = keeping !== null && isWanted ? await keeping.worth() : [];
		if (mine !== turn || stopped) return;
		if (ids.length === 0) return end();
		isKept = true;
		keeping?.begin(ids);
		watch(performance.now() + left, mine);
	};
	return {
		take(keep = 0) {
			held++;
			turn++;
			clearTimeout(timer);
			if (isKept) keeping?.resume();
			isKept = false;
			return once(() => {
				held--;
				turn++;
				const now = Date.now();
				until = Math.max(until, now + keep);
				kept = keep;
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

/** For a service started by hand: it lives until it is asked to end. */
export const endlessLeases: Leases = {take: () => () => {}, held: () => 0, until: () => null, stop() {}};
