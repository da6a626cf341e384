// Dates in a column. All values together determine the order of day, month and year.

export type DateOrder = 'day first' | 'month first' | 'year first';

const TIME = String.raw`(?:(?:T|,?\s)(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}(?:\.\d+)?))?(?:\s?(?<half>[aApP])\.?[mM]\.?)?)?`;
const YEAR_FIRST = new RegExp(
	String.raw`^(?<year>\d{4})[-/](?<first>\d{1,2})[-/](?<second2>\d{1,2})${TIME}\s?(?:Z|UTC|[+-]\d{2}:?\d{2})?$`,
);
const YEAR_LAST = new RegExp(
	String.raw`^(?<first>\d{1,2})(?<mark>[./-])\s?(?<second2>\d{1,2})\k<mark>\s?(?<year>\d{4})${TIME}$`,
);
const LONGEST = 50;

type Parts = {
	readonly year: number;
	/** First and second number besides the year, in the order of the text. */
	readonly first: number;
	readonly second: number;
	readonly isYearFirst: boolean;
	/** True if the separators are points, in which case the day comes first in every country. */
	readonly hasPoints: boolean;
	/** True if numbers lack leading zeros, so that sorting as text differs from sorting by date. */
	readonly isUnpadded: boolean;
	/** Time of the day in ms. */
	readonly time: number;
};

const partsOf = (text: string): Parts | null => {
	if (text.length > LONGEST || text.length < 8) return null;
	const trimmed = text.trim();
	const yearFirst = YEAR_FIRST.exec(trimmed)?.groups;
	const found = yearFirst ?? YEAR_LAST.exec(trimmed)?.groups;
	if (!found) return null;
	const {year, first = '', second2 = '', hour = '0', minute = '0', second = '0', half} = found;
	const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
	if (hours > 24 || Number(minute) > 59) return null;
	return {
		year: Number(year),
		first: Number(first),
		second: Number(second2),
		isYearFirst: yearFirst !== undefined,
		hasPoints: found['mark'] === '.',
		isUnpadded: first.length + second2.length < 4,
		time: ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1000,
	};
};

const millisecondsOf = ({year, first, second, time}: Parts, order: DateOrder): number => {
	const [month, day] = order === 'day first' ? [second, first] : [first, second];
	const date = new Date(Date.UTC(year, month - 1, day));
	// Rejects dates that JavaScript normalises, such as 31 April to 1 May.
	return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() + time : Number.NaN;
};

/**
 * Parses a date. Returns ms since 1970, ignoring the time zone. NaN if the text is not a date. A
 * date that starts with the year is accepted for every `order`.
 */
export const dateIn = (text: string, order: DateOrder): number => {
	const parts = partsOf(text);
	if (parts === null || (order === 'year first' && !parts.isYearFirst)) return Number.NaN;
	return millisecondsOf(parts, parts.isYearFirst ? 'year first' : order);
};

/** Collects the texts of a column and decides whether all are dates in the same order. */
export const createDateReader = () => {
	let possible: readonly DateOrder[] | null = null;
	let [isOther, isUnpadded, isDayFirst] = [false, false, false];
	let doubtful = '';
	return {
		add(text: string): void {
			if (isOther) return;
			const parts = partsOf(text);
			const orders: readonly DateOrder[] =
				parts === null ? [] : parts.isYearFirst ? ['year first'] : ['day first', 'month first'];
			const fitting = orders.filter(order => parts !== null && !Number.isNaN(millisecondsOf(parts, order)));
			possible = (possible ?? fitting).filter(order => fitting.includes(order));
			if (possible.length === 0) isOther = true;
			else if (possible.length === 2 && doubtful === '') doubtful = text;
			isUnpadded ||= parts?.isUnpadded === true;
			isDayFirst ||= parts?.hasPoints === true;
		},
		/**
		 * Order of the dates. `why`: a clause that explains which orders are possible. Null if the
		 * texts are not dates, or sort correctly as text.
		 */
		decide(): {readonly order: DateOrder} | {readonly why: string} | null {
			if (isOther || possible === null) return null;
			if (possible.length === 2)
				return isDayFirst
					? {order: 'day first'}
					: {why: `${doubtful} may have the day or the month first, and no other date decides`};
			const [order = 'year first'] = possible;
			// Dates such as 2026-01-31 already sort correctly as texts, including fractions of a
			// second.
			return order === 'year first' && !isUnpadded ? null : {order};
		},
	};
};
