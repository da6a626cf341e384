// What servers cost a day, as far as it was seen. Pure; times in ms since the epoch, spans in ms. What nobody saw is never filled.
import {costOver} from '../text/money.ts';
import {MAY_PASS, merged, wasReady, type Look} from './look-spans.ts';

/** What was seen of a server on a day. */
export type ServerCost = {
	readonly server: string;
	/** It was seen ready so long. */
	readonly ready: number;
	/** Of that, at a rate that nobody knew. */
	readonly unpriced: number;
	/** Nobody looked so long, before or after which it was ready. */
	readonly unseen: number;
	/** Rates per hour at which it was seen, the lowest first. */
	readonly rates: readonly number[];
	/** Rate by time, without what is unpriced and unseen. */
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
/** `rate`: undefined where nobody looked. */
type Part = Span & {readonly rate: number | null | undefined};

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
	let last: {readonly look: Look; readonly isReady: boolean} | null = null;
	for (const look of looks) {
		const isReady = wasReady(look, server);
		if (isReady === null) continue;
		const rate = look.ready.get(server) ?? null;
		if (last !== null) {
			const between = {from: last.look.to, to: look.from};
			if (between.to - between.from > MAY_PASS) {
				if (last.isReady || isReady) parts.push({...between, rate: undefined});
			} else if (last.isReady && isReady)
				// A list may have come before the prices.
				parts.push({...between, rate: last.look.ready.get(server) ?? rate});
		}
		if (isReady) parts.push({from: look.from, to: look.to, rate});
		last = {look, isReady};
	}
	if (last?.isReady && until - last.look.to > MAY_PASS)
		parts.push({from: last.look.to, to: until, rate: undefined});
	return parts;
};

const costOn = (day: Span, server: string, parts: readonly Part[]): ServerCost | null => {
	let [ready, unpriced, unseen, estimate, isThere] = [0, 0, 0, 0, false];
	const rates = new Set<number>();
	for (const part of parts) {
		const span = overlap(day, part);
		// A single look has no length.
		isThere ||= span > 0 || (part.from === part.to && part.from >= day.from && part.from < day.to);
		if (span === 0) continue;
		if (part.rate === undefined) unseen += span;
		else {
			ready += span;
			if (part.rate === null) unpriced += span;
			else {
				rates.add(part.rate);
				estimate += costOver(part.rate, span);
			}
		}
	}
	return isThere
		? {server, ready, unpriced, unseen, rates: [...rates].sort((one, other) => one - other), estimate}
		: null;
};

/** Each local day from `from` to `until`, the newest first. What looks lie before tells how it was when they begin. */
export const dailyCosts = (given: readonly Look[], from: number, until: number): readonly DayCost[] => {
	const looks = merged(given.filter(look => look.from <= until));
	const looked = lookedSpans(looks);
	const names = [...new Set(looks.flatMap(({ready}) => [...ready.keys()]))].sort();
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

/** What several cost together: how many of them were ready at a rate that nobody knew, and whether more may be due than was seen. */
export type TotalCost = {readonly estimate: number; readonly unknown: number; readonly atLeast: boolean};

export const totalCost = (costs: readonly ServerCost[]): TotalCost => ({
	estimate: costs.reduce((sum, {estimate}) => sum + estimate, 0),
	unknown: new Set(costs.filter(({unpriced}) => unpriced > 0).map(({server}) => server)).size,
	atLeast: costs.some(({unpriced, unseen}) => unpriced > 0 || unseen > 0),
});
