// What servers cost a day, as far as it was seen. Pure; times in ms since the epoch, spans in ms. What nobody saw is never filled.
import {costOver} from '../text/money.ts';
import {MAY_PASS, merged, stateIn, type Look} from './look-spans.ts';

/** What was seen of a server on a day. */
export type ServerCost = {
	readonly server: string;
	/** It was seen ready so long. */
	readonly ready: number;
	/** Of that, at a rate that nobody knew. */
	readonly unpriced: number;
	/** Seen so long in a state of which nobody knows whether it costs. */
	readonly unclear: number;
	/** Seen in such a state at all: a single look has no length. */
	readonly isUnclear: boolean;
	/** Nobody looked so long, before or after which it was ready. */
	readonly unseen: number;
	/** Rates per hour at which it was seen, the lowest first. */
	readonly rates: readonly number[];
	/** Rate by time, without what is unpriced, unclear and unseen. */
	readonly estimate: number;
};

export type DayCost = {
	/** `2026-11-23`, of the local time. */
	readonly day: string;
	/** As much of the day as was asked for and has passed. */
	readonly length: number;
	/** Somebody looked so long. */
	readonly looked: number;
	/** Those that were ready or may have been, by name. */
	readonly servers: readonly ServerCost[];
};

type Span = {readonly from: number; readonly to: number};
/** `rate`: of a server that was ready; null if unknown. */
type Part = Span &
	(
		| {readonly was: 'ready'; readonly rate: number | null}
		| {readonly was: 'unclear'}
		| {readonly was: 'unseen'}
	);

const two = (value: number): string => String(value).padStart(2, '0');
/** `2026-11-23`, of the local time. */
export const dayOf = (at: number): string => {
	const date = new Date(at);
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};
/** The local midnight before which so many days lie that are over, today's being 0. A day may have 23 or 25 hours. */
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

const lookedSpans = (looks: readonly Look[]): readonly Span[] =>
	looks.flatMap((look, at) => {
		const next = looks[at + 1];
		const isNear = next !== undefined && next.from - look.to <= MAY_PASS;
		return [{from: look.from, to: isNear ? Math.max(look.to, next.from) : look.to}];
	});

/** What one server was, as far as looks say it. */
const partsOf = (looks: readonly Look[], server: string, until: number): readonly Part[] => {
	const parts: Part[] = [];
	let last: {readonly look: Look; readonly was: 'ready' | 'unclear' | 'off'} | null = null;
	for (const look of looks) {
		const was = stateIn(look, server);
		if (was === null) continue;
		const rate = look.ready.get(server) ?? null;
		if (last !== null) {
			const between = {from: last.look.to, to: look.from};
			const isNear = between.to - between.from <= MAY_PASS;
			if (!isNear && (last.was !== 'off' || was !== 'off')) parts.push({...between, was: 'unseen'});
			else if (isNear && last.was === 'ready' && was === 'ready')
				// A list may have come before the prices.
				parts.push({...between, was, rate: last.look.ready.get(server) ?? rate});
			else if (isNear && last.was !== 'off' && was !== 'off') parts.push({...between, was: 'unclear'});
		}
		const {from, to} = look;
		if (was === 'ready') parts.push({from, to, was, rate});
		else if (was === 'unclear') parts.push({from, to, was});
		last = {look, was};
	}
	if (last === null)
		for (const look of looks) if (look.unsure.has(server)) parts.push({...look, was: 'unclear'});
	if (last !== null && last.was !== 'off' && until - last.look.to > MAY_PASS)
		parts.push({from: last.look.to, to: until, was: 'unseen'});
	return parts;
};

const costOn = (day: Span, server: string, parts: readonly Part[]): ServerCost | null => {
	let [ready, unpriced, unclear, unseen, estimate, isThere, isUnclear] = [0, 0, 0, 0, 0, false, false];
	const rates = new Set<number>();
	for (const part of parts) {
		const span = overlap(day, part);
		// A single look has no length.
		const isHere = span > 0 || (part.from === part.to && part.from >= day.from && part.from < day.to);
		if (!isHere) continue;
		isThere = true;
		if (part.was === 'unseen') unseen += span;
		else if (part.was === 'unclear') {
			isUnclear = true;
			unclear += span;
		} else {
			ready += span;
			if (part.rate === null) unpriced += span;
			else {
				rates.add(part.rate);
				estimate += costOver(part.rate, span);
			}
		}
	}
	return isThere
		? {
				server,
				ready,
				unpriced,
				unclear,
				isUnclear,
				unseen,
				rates: [...rates].sort((one, other) => one - other),
				estimate,
			}
		: null;
};

/** Each local day from `from` to `until`, the newest first. What looks lie before tells how it was when they begin. */
export const dailyCosts = (given: readonly Look[], from: number, until: number): readonly DayCost[] => {
	const looks = merged(given.filter(look => look.from <= until));
	const looked = lookedSpans(looks);
	const names = [
		...new Set(looks.flatMap(({ready, unsure, unclear}) => [...ready.keys(), ...unsure, ...unclear])),
	].sort();
	const all = names.map(server => ({server, parts: partsOf(looks, server, until)}));
	return daysIn({from, to: until})
		.map(day => ({
			day: dayOf(day.from),
			length: day.to - day.from,
			looked: looked.reduce((sum, span) => sum + overlap(day, span), 0),
			servers: all.flatMap(({server, parts}) => costOn(day, server, parts) ?? []),
		}))
		.reverse();
};

/** True if nothing is known of what the server has cost, although it may have cost something. */
export const isUnknown = ({ready, unpriced, unseen, rates}: ServerCost): boolean =>
	rates.length === 0 || (ready === unpriced && ready + unseen > 0);

/**
 * Cost of several servers together. `unknown`: servers that were ready at an unknown rate; `unclear`: servers that were in
 * a state of unknown cost; `atLeast`: more may be due than the estimate.
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

/** The servers that an estimate leaves out, in words that follow it after `joiner`. Empty if there is none. */
export const leftOut = ({unknown, unclear}: TotalCost, joiner: string): string => {
	const servers = (count: number): string => `${count} ${count === 1 ? 'server' : 'servers'}`;
	const parts = [
		...(unknown > 0 ? [`${servers(unknown)} at an unknown rate`] : []),
		...(unclear > 0 ? [`${servers(unclear)} in a state of unknown cost`] : []),
	];
	return parts.length === 0 ? '' : `${joiner} ${parts.join(' and ')}`;
};
