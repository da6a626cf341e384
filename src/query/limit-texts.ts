import type {ServerItem} from '../contract/servers.ts';
import {clockTime, hoursText} from '../text/clock.ts';
import {parseDuration} from '../text/duration.ts';
import {label} from '../text/safe.ts';

/**
 * Limit that a user typed, checked. Null for the default of the service. Undefined if the text is
 * invalid.
 */
export const typedLimit = (text: string): string | null | undefined => {
	if (text === 'default') return null;
	return text === 'off' || parseDuration(text) !== null ? text : undefined;
};

export const LIMIT_RULE = 'a duration such as 30m, 8h or 2d, or off, or default';

/** Limits of a server, as in `stops after 1h without use, and 8h from its start`, or null. */
export const limitsText = ({
	idle_stop: idle,
	max_run: run,
}: Readonly<Record<string, unknown>>): string | null => {
	const parts = [
		...(typeof idle === 'string' ? [`${label(idle, 20)} without use`] : []),
		...(typeof run === 'string' ? [`${label(run, 20)} from its start`] : []),
	];
	return parts.length === 0 ? null : `stops after ${parts.join(', and ')}`;
};

const CAUSES: Readonly<Record<string, string>> = {
	idle: 'it is not used',
	'run-time': 'its longest run time ends',
	budget: 'the daily budget will be spent',
	'time-limit': 'the time of its job ends; save what you need',
};

/**
 * Time at which the service will stop a server, in ms since the epoch. Null if the service reports
 * none.
 */
const stopTime = ({stops_at: at}: ServerItem): number | null => {
	const time = typeof at === 'string' ? Date.parse(at) : Number.NaN;
	return Number.isNaN(time) ? null : time;
};

/** Text such as `stops at 14:30: it is not used`. Null if the service reports no stop. */
export const stopText = (server: ServerItem, now: number): string | null => {
	const at = stopTime(server);
	if (at === null) return null;
	const cause = CAUSES[String(server['stop_cause'])];
	return `stops at ${clockTime(at, now)}${cause === undefined ? '' : `: ${cause}`}`;
};

/** Time left, such as `2 h 05 min`. Null if the service reports no stop. */
export const timeLeft = (server: ServerItem, now: number): string | null => {
	const at = stopTime(server);
	return at === null ? null : hoursText(at - now);
};

/** True if the service warns that it will stop the server soon. */
export const stopsSoon = (server: ServerItem): boolean =>
	server['stops_soon'] === true && stopTime(server) !== null;
