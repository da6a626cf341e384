// Parses durations and times as Slurm prints them, and durations as users write them.

const MINUTES_PER_DAY = 24 * 60;
const MINUTES_PER_HOUR = 60;
const MS_PER_SECOND = 1000;

/**
 * `days-hours:minutes:seconds` and its short forms. CLOCK: the same without days, where hours are
 * optional.
 */
const DAYS = /^(\d{1,6})-(\d{1,3})(?::(\d{1,2})(?::(\d{1,2}))?)?$/;
const CLOCK = /^(?:(\d{1,6}):)?(\d{1,6}):(\d{1,2})$/;

const minutesOf = (
	days: string | undefined,
	hours: string | undefined,
	minutes: string | undefined,
	seconds: string | undefined,
): number =>
	Number(days ?? 0) * MINUTES_PER_DAY +
	Number(hours ?? 0) * MINUTES_PER_HOUR +
	Number(minutes ?? 0) +
	Number(seconds ?? 0) / 60;

/**
 * Duration such as `1-02:00:00`, `4:00:00`, `10:30` or `30` (minutes), in minutes. Infinity for no
 * limit. Null if the text is not a duration, such as `NOT_SET` or `n/a`.
 */
export const parseSlurmDuration = (text: string): number | null => {
	const plain = text.trim();
	if (/^(?:infinite|unlimited)$/i.test(plain)) return Infinity;
	if (/^\d{1,9}$/.test(plain)) return Number(plain);
	const withDays = DAYS.exec(plain);
	if (withDays) return minutesOf(withDays[1], withDays[2], withDays[3], withDays[4]);
	const clock = CLOCK.exec(plain);
	return clock ? minutesOf(undefined, clock[1], clock[2], clock[3]) : null;
};

/** Latest time that is considered valid, in s since the epoch: the year 2200. */
const LATEST_S = 7_258_118_400;

/**
 * Parses a time as printed with `SLURM_TIME_FORMAT=%s` (s since the epoch), or in UTC as
 * `2026-11-27T14:20:00`. Returns ms since the epoch. Null for `N/A`, `Unknown` and anything else.
 */
export const parseSlurmTime = (text: string): number | null => {
	const plain = text.trim();
	if (/^\d{9,10}$/.test(plain)) return Number(plain) < LATEST_S ? Number(plain) * MS_PER_SECOND : null;
	if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(plain)) return null;
	const time = Date.parse(`${plain}Z`);
	return Number.isNaN(time) || time < 0 ? null : time;
};
