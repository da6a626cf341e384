import {isCharged} from './charged.ts';
import {UNKNOWN} from './known.ts';

/** Smallest price written without an exponent. A service may send any number. */
const LEAST = 1e-9;

/**
 * Small price, rounded to two significant digits: `0.00004`. Has an exponent below {@link LEAST}:
 * `3.0e-12`.
 */
const smallPrice = (price: number): string =>
	price < LEAST
		? price.toExponential(1)
		: price.toFixed(1 - Math.floor(Math.log10(price))).replace(/0+$/, '');

/**
 * Price per hour with two decimals. Up to four decimals if needed, and more if four would show
 * zero.
 */
export const priceText = (price: number): string => {
	if (Number.isNaN(price)) return UNKNOWN;
	if (price < 0) return `-${priceText(-price)}`;
	const short = price.toFixed(2);
	if (Number(short) === price || (price >= 0.005 && Math.abs(Number(short) - price) < 1e-9)) return short;
	return price < 0.00095 ? smallPrice(price) : price.toFixed(4).replace(/0$/, '');
};

/** Calculated price with two decimals. As many as in {@link priceText} if two would show zero. */
export const roundedPrice = (price: number): string =>
	price >= 0.005 || price <= 0
		? price.toFixed(2)
		: price < 0.0001
			? smallPrice(price)
			: price.toFixed(4).replace(/0$/, '');

/** Adds the currency to an amount: `$4.82`, `4.82 EUR`, or `4.82` if no currency is set. */
let inCurrency = (amount: string): string => amount;

/** Currency symbol such as `$` or `US$`, which is written before the amount. */
const SYMBOL = /\p{Sc}/u;

/**
 * Sets the currency of prices. Empty for none, since the service's API does not state a currency.
 */
export const setCurrency = (currency: string): void => {
	inCurrency =
		currency === ''
			? amount => amount
			: SYMBOL.test(currency)
				? amount => amount.replace(/^[-+≥<]*/, signs => `${signs}${currency}`)
				: amount => `${amount} ${currency}`;
};

/** Amount with the currency. `amount`: a number as text, optionally after a sign such as `≥`. */
export const moneyText = (amount: string): string => inCurrency(amount);

/** Price with its unit: `$2.49/h`, or `?/h` if it is unknown. */
export const perHour = (price = Number.NaN): string =>
	`${Number.isNaN(price) ? UNKNOWN : inCurrency(priceText(price))}/h`;

/** Fewest units per day without decimals. */
const WHOLE_FROM = 10;

/** Cost of a day at a rate per hour, without a unit: `116`, `2.40`, or `?` if it is unknown. */
export const dayAmount = (price: number): string => {
	if (Number.isNaN(price)) return UNKNOWN;
	const amount = price * 24;
	return Math.abs(amount) < WHOLE_FROM ? roundedPrice(amount) : amount.toFixed(0);
};

/** Cost of a day at a rate per hour: `$116/day`, `$2.40/day`, or `?/day` if it is unknown. */
export const perDay = (price = Number.NaN): string =>
	`${Number.isNaN(price) ? UNKNOWN : inCurrency(dayAmount(price))}/day`;

/** Head of a column of rates: `$/h`, `EUR/day`, or `Rate /h` without a currency. */
export const rateHead = (word = 'Rate', unit: 'h' | 'day' = 'h'): string =>
	`${inCurrency('').trim() || `${word} `}/${unit}`;

/** Price of zero. */
export const FREE = 'free';

/** Price per hour, followed by its price per day: `$4.82/h   $116/day`; `free` if it is zero. */
export const perHourAndDay = (price: number): string =>
	price === 0 ? FREE : `${perHour(price)}   ${perDay(price)}`;

/**
 * Clause about what ending a server does to the bill. `status`: its current state. `rate`: rate per
 * hour while it ran, undefined if unknown.
 */
export const billText = (status: string, rate: number | undefined): string =>
	isCharged(status) !== false
		? 'it may still be charged in that state'
		: rate === undefined
			? 'its cost is unknown'
			: `you no longer pay ${perHour(rate)}`;

/** Sum of hourly rates: `2.49/h`, `2.49/h and 1 unknown`, `?/h, 2 unknown`. */
export const sumPerHour = ({
	rate,
	known,
	unknown,
}: {
	readonly rate: number;
	/** Number of prices in the sum. */
	readonly known: number;
	readonly unknown: number;
}): string => {
	if (unknown === 0) return perHour(rate);
	return known === 0
		? `${perHour(undefined)}, ${unknown} unknown`
		: `${perHour(rate)} and ${unknown} unknown`;
};

/**
 * Cost of `ms` milliseconds at an hourly rate. Zero if `ms` is negative, because the clock was set
 * back.
 */
export const costOver = (rate: number, ms: number): number => (rate * Math.max(0, ms)) / 3_600_000;

/** Estimate for a table column: `<0.01` for a small amount, `≥1.05` if the cost may be higher. */
export const estimateText = (estimate: number, atLeast: boolean): string =>
	atLeast ? `≥${estimate.toFixed(2)}` : estimate > 0 && estimate < 0.005 ? '<0.01' : estimate.toFixed(2);

/** Estimate for a sentence: `about 12.50`, `at least 0.0003`. */
export const estimateWords = (estimate: number, atLeast: boolean): string =>
	`${atLeast ? 'at least' : 'about'} ${roundedPrice(estimate)}`;

/**
 * Range of hourly rates. `rates`: in ascending order. Examples: `2.49`, `0.10 to 2.99`, `2.49, ?`.
 */
export const ratesText = (rates: readonly number[], isPartlyUnknown: boolean): string => {
	const [lowest] = rates;
	const highest = rates.at(-1);
	const known =
		lowest === undefined || highest === undefined
			? []
			: [lowest === highest ? priceText(lowest) : `${priceText(lowest)} to ${priceText(highest)}`];
	return [...known, ...(isPartlyUnknown ? [UNKNOWN] : [])].join(', ');
};
