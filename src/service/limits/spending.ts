/** Local calendar day in the form `2026-11-27`. */
export const dayOf = (time: number): string => new Date(time).toLocaleDateString('sv');

const nextMidnight = (time: number): number => {
	const day = new Date(time);
	return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime();
};

const HOUR = 3_600_000;

/**
 * Cost of a time span, split by calendar day. `from` and `until`: in ms since the epoch. `rate`:
 * per hour.
 */
export const costByDay = (
	from: number,
	until: number,
	rate: number,
): readonly {readonly day: string; readonly amount: number}[] => {
	const parts: {day: string; amount: number}[] = [];
	for (let start = from; start < until;) {
		const end = Math.min(until, nextMidnight(start));
		parts.push({day: dayOf(start), amount: ((end - start) / HOUR) * rate});
		start = end;
	}
	return parts;
};

/**
 * Time at which the budget will be used up if the rate stays the same, in ms since the epoch. Null
 * if the day ends first, or the rate is zero.
 */
export const budgetEnd = (
	now: number,
	{budget, spent, rate}: {readonly budget: number; readonly spent: number; readonly rate: number},
): number | null => {
	if (spent >= budget) return now;
	const end = rate > 0 ? now + ((budget - spent) / rate) * HOUR : Infinity;
	return end < nextMidnight(now) ? end : null;
};
