// Daily costs of servers, from observations. Pure. Times in ms since the epoch, spans in ms.
// Unobserved time is never guessed.
import {costOver} from '../text/money.ts';
import {MAX_GAP_MS, mergeObservations, stateIn, type Observation} from './observation-spans.ts';

/** Observed cost of a server on a day. */
export type ServerCost = {
	readonly server: string;
	/** Time in which the server was observed ready. */
	readonly ready: number;
	/**
	 * Unobserved time that counts as ready: the server was started here, and was ready before and
	 * after. Part of the estimate.
	 */
	readonly assumed: number;
	/** Part of `ready` and `assumed` at an unknown rate. */
	readonly unpriced: number;
	/** Time observed in a state that may or may not cost. */
	readonly unclear: number;
	/**
	 * True if a state of unclear cost was observed. A single observation has no length, so
	 * `unclear` may be 0.
	 */
	readonly isUnclear: boolean;
	/** Unobserved time before or after which the server was ready. */
	readonly unseen: number;
	/** Observed hourly rates, ascending. */
	readonly rates: readonly number[];
	/** Rate multiplied by time, without unpriced, unclear and unseen time. */
	readonly estimate: number;
	/** Part of the estimate for assumed time. The rest is for observed time. */
	readonly assumedCost: number;
};

export type DayCost = {
	/** Local date, as in `2026-11-23`. */
	readonly day: string;
	/** Elapsed part of the requested day. */
	readonly length: number;
	/** Time in which the list of servers was observed. */
	readonly looked: number;
	/** Servers that were or may have been ready, by name. */
	readonly servers: readonly ServerCost[];
};

type Span = {readonly from: number; readonly to: number};
const WHOLE: Span = {from: -Infinity, to: Infinity};
/**
 * `assumed`: unobserved, but the server was ready at the next observation, and was started here or
 * observed as ready before. `rate`: null if unknown.
 */
type Part = Span &
	(
		| {readonly was: 'ready' | 'assumed'; readonly rate: number | null}
		| {readonly was: 'unclear'}
		| {readonly was: 'unseen'}
	);

/** Time for which a service may still list a server as offline after accepting the start, in ms. */
const START_GRACE = 10_000;

const two = (value: number): string => String(value).padStart(2, '0');
/** Local date, as in `2026-11-23`. */
export const dayOf = (at: number): string => {
	const date = new Date(at);
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};
/** Local midnight, `daysBefore` days earlier. A day may have 23 or 25 hours. */
export const midnight = (at: number, daysBefore = 0): number => {
	const date = new Date(at);
	return new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysBefore).getTime();
};

const daysIn = ({from, to}: Span): readonly Span[] => {
	const days: Span[] = [];
	for (let at = from; at < to;) {
		const next = Math.min(to, midnight(at, -1));
		days.push({from: at, to: next});
		at = next;
	}
	return days;
};

const overlap = (one: Span, other: Span): number =>
	Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from));

const observedSpans = (looks: readonly Observation[]): readonly Span[] =>
	looks.flatMap((look, at) => {
		const next = looks[at + 1];
		const isNear = next !== undefined && next.from - look.to <= MAX_GAP_MS;
		return [{from: look.from, to: isNear ? Math.max(look.to, next.from) : look.to}];
	});

/**
 * Fills in missing rates. Uses the next known rate if the last known rate is the same, or if there
 * is none.
 */
const priced = (parts: readonly Part[]): readonly Part[] => {
	const after: (number | null)[] = [];
	let next: number | null = null;
	for (const part of parts.toReversed()) {
		if ('rate' in part) next = part.rate ?? next;
		after.push(next);
	}
	let before: number | null = null;
	return parts.map((part, at) => {
		if (!('rate' in part)) return part;
		if (part.rate === null) {
			const rate = after[parts.length - 1 - at] ?? null;
			return before === null || before === rate ? {...part, rate} : part;
		}
		before = part.rate;
		return part;
	});
};

/** A run of a server: parts from its start to its end, or to now. */
type Run = {
	readonly parts: readonly Part[];
	/**
	 * True if the start time is known: the server was started here, or between two close
	 * observations.
	 */
	readonly isWhole: boolean;
	readonly isOver: boolean;
	/** True if the server was started here and has not been seen ready since. */
	readonly isStarting: boolean;
};

const runsOf = (looks: readonly Observation[], server: string, until: number): readonly Run[] => {
	const runs: Run[] = [];
	let parts: Part[] = [];
	let isWhole = false;
	/** Time at which the current run was started here. Null if it was not. */
	let started: number | null = null;
	/**
	 * Observations of unknown cost since `started`. Once the server is ready, the time since
	 * `started` replaces them.
	 */
	let starting: Part[] = [];
	let last: {readonly look: Observation; readonly was: 'ready' | 'unclear' | 'off'} | null = null;
	const end = (isOver: boolean): void => {
		parts.push(...starting);
		if (parts.length > 0)
			runs.push({parts: priced(parts), isWhole, isOver, isStarting: last?.look.isStart === true});
		[parts, starting, started, isWhole] = [[], [], null, false];
	};
	for (const look of looks) {
		const was = stateIn(look, server);
		if (was === null) continue;
		const {from, to, isStart = false} = look;
		if (was === 'off' && started !== null && from - started < START_GRACE) continue;
		if (was === 'unclear' && last?.look.isStart === true) {
			starting.push({from, to, was});
			continue;
		}
		if (isStart && last !== null && last.was !== 'off') {
			// The server ended unobserved, and was started again.
			if (from - last.look.to > MAX_GAP_MS) parts.push({from: last.look.to, to: from, was: 'unseen'});
			end(true);
			last = null;
		}
		const rate = look.ready.get(server) ?? null;
		if (last === null || last.was === 'off')
			isWhole = isStart || (last !== null && from - last.look.to <= MAX_GAP_MS);
		if (last !== null) {
			const between = {from: last.look.to, to: from};
			const isNear = between.to - between.from <= MAX_GAP_MS;
			const before = last.look.ready.get(server) ?? null;
			const isSameRate = before === null || rate === null || before === rate;
			if (last.was === 'ready' && was === 'ready' && isNear) {
				starting = [];
				// A list may have arrived before the prices, so the rate is taken from either side.
				parts.push({...between, was, rate: before ?? rate});
			} else if (last.was === 'ready' && was === 'ready' && started !== null && isSameRate && !isStart) {
				starting = [];
				parts.push({...between, was: 'assumed', rate: before ?? rate});
			} else if (!isNear && !isStart && (last.was !== 'off' || was !== 'off'))
				parts.push({...between, was: 'unseen'});
			else if (isNear && last.was !== 'off' && was !== 'off') parts.push({...between, was: 'unclear'});
		}
		if (was === 'ready') parts.push({from, to, was, rate});
		else if (was === 'unclear') parts.push({from, to, was});
		if (isStart) started = from;
		else if (was === 'off') end(true);
		last = {look, was};
	}
	if (last === null)
		for (const look of looks) if (look.unsure.has(server)) parts.push({...look, was: 'unclear'});
	const seen = starting.at(-1)?.to ?? last?.look.to ?? until;
	if (last !== null && last.was !== 'off' && until - seen > MAX_GAP_MS)
		parts.push({from: seen, to: until, was: 'unseen'});
	end(false);
	return runs;
};

const costOn = (day: Span, server: string, parts: readonly Part[]): ServerCost | null => {
	let [ready, assumed, unpriced, unclear, unseen] = [0, 0, 0, 0, 0];
	let [estimate, assumedCost] = [0, 0];
	let [isThere, isUnclear] = [false, false];
	const rates = new Set<number>();
	for (const part of parts) {
		const span = overlap(day, part);
		// A single observation has no length.
		const isHere = span > 0 || (part.from === part.to && part.from >= day.from && part.from < day.to);
		if (!isHere) continue;
		isThere = true;
		if (part.was === 'unseen') unseen += span;
		else if (part.was === 'unclear') {
			isUnclear = true;
			unclear += span;
		} else {
			if (part.was === 'ready') ready += span;
			else assumed += span;
			if (part.rate === null) unpriced += span;
			else {
				rates.add(part.rate);
				estimate += costOver(part.rate, span);
				if (part.was === 'assumed') assumedCost += costOver(part.rate, span);
			}
		}
	}
	return isThere
		? {
				server,
				ready,
				assumed,
				unpriced,
				unclear,
				isUnclear,
				unseen,
				rates: [...rates].sort((one, other) => one - other),
				estimate,
				assumedCost,
			}
		: null;
};

const namesIn = (looks: readonly Observation[]): readonly string[] =>
	[...new Set(looks.flatMap(({ready, unsure, unclear}) => [...ready.keys(), ...unsure, ...unclear]))].sort();

/** Observed cost of a server since its start. `atLeast`: more may be due. */
export type RunCost = {readonly cost: ServerCost; readonly atLeast: boolean; readonly isStarting: boolean};

/** Cost of each running server since its start, by name. Equals the sum over {@link dailyCosts}. */
export const runCosts = (given: readonly Observation[], until: number): ReadonlyMap<string, RunCost> => {
	const looks = mergeObservations(given.filter(look => look.from <= until));
	return new Map(
		namesIn(looks).flatMap(server => {
			const run = runsOf(looks, server, until).at(-1);
			const cost = run?.isOver === false ? costOn(WHOLE, server, run.parts) : null;
			return run === undefined || cost === null
				? []
				: [[server, {...run, cost, atLeast: !run.isWhole || totalCost([cost]).atLeast}] as const];
		}),
	);
};

/** Cost per local day, newest first. Earlier observations determine the state at `from`. */
export const dailyCosts = (
	given: readonly Observation[],
	from: number,
	until: number,
): readonly DayCost[] => {
	const looks = mergeObservations(given.filter(look => look.from <= until));
	const looked = observedSpans(looks);
	const names = [
		...new Set(looks.flatMap(({ready, unsure, unclear}) => [...ready.keys(), ...unsure, ...unclear])),
	].sort();
	const all = names.map(server => ({
		server,
		parts: runsOf(looks, server, until).flatMap(({parts}) => parts),
	}));
	return daysIn({from, to: until})
		.map(day => ({
			day: dayOf(day.from),
			length: day.to - day.from,
			looked: looked.reduce((sum, span) => sum + overlap(day, span), 0),
			servers: all.flatMap(({server, parts}) => costOn(day, server, parts) ?? []),
		}))
		.reverse();
};

/** True if there may be a cost, but no part of it is known. */
export const isUnknown = ({ready, assumed, unpriced, unseen, rates}: ServerCost): boolean =>
	rates.length === 0 || (ready + assumed === unpriced && ready + assumed + unseen > 0);

/** True if the server was observed at an unknown rate, even beside known ones. */
export const hasUnknownRate = (cost: ServerCost): boolean =>
	cost.isUnclear || cost.unpriced > 0 || isUnknown(cost);

/**
 * Cost of several servers. `unknown`: servers ready at an unknown rate. `unclear`: servers in a
 * state of unknown cost. `atLeast`: the estimate may be too low.
 */
export type TotalCost = {
	readonly estimate: number;
	readonly unknown: number;
	readonly unclear: number;
	readonly atLeast: boolean;
};

const serversIn = (costs: readonly ServerCost[]): number => new Set(costs.map(({server}) => server)).size;

export const totalCost = (costs: readonly ServerCost[]): TotalCost => ({
	estimate: costs.reduce((sum, {estimate}) => sum + estimate, 0),
	unknown: serversIn(costs.filter(({unpriced}) => unpriced > 0)),
	unclear: serversIn(costs.filter(({isUnclear}) => isUnclear)),
	atLeast: costs.some(each => isUnknown(each) || each.isUnclear || each.unpriced + each.unseen > 0),
});

/** Servers missing from an estimate, worded to follow it after `joiner`. Empty if none. */
export const leftOut = ({unknown, unclear}: TotalCost, joiner: string): string => {
	const servers = (count: number): string => `${count} ${count === 1 ? 'server' : 'servers'}`;
	const parts = [
		...(unknown > 0 ? [`${servers(unknown)} at an unknown rate`] : []),
		...(unclear > 0 ? [`${servers(unclear)} in a state of unknown cost`] : []),
	];
	return parts.length === 0 ? '' : `${joiner} ${parts.join(' and ')}`;
};
