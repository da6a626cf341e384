// Parses numeric options. If the option is missing, the result is undefined. Each function throws a
// CommandError, `usage`, if the value is invalid.
import {usageError} from './command-error.ts';

type Wanted = {
	/** Expected value, as the end of a sentence. */
	readonly wanted: string;
	readonly pattern?: RegExp;
	readonly from?: number;
	readonly to?: number;
	readonly next?: string;
};

export const numberOf = (
	option: string,
	text: string | undefined,
	{wanted, pattern = /^(?:\d+(?:\.\d*)?|\.\d+)$/, from = 0, to = Number.MAX_VALUE, next}: Wanted,
): number | undefined => {
	if (text === undefined) return undefined;
	const value = pattern.test(text) ? Number(text) : Number.NaN;
	if (value >= from && value <= to) return value;
	throw usageError(`${option} ${JSON.stringify(text)} is not ${wanted}.`, next);
};

export const priceOf = (text: string | undefined, next: string): number | undefined =>
	numberOf('--max-price', text, {wanted: 'a price per hour, such as 2.50', next});

/** Value of an option given in seconds, in ms. `help`: command whose help explains the option. */
export const secondsOf = (option: string, text: string | undefined, help: string): number | undefined => {
	const wanted = 'a number of seconds above 0';
	const next = `${help} --help shows how.`;
	const value = numberOf(option, text, {wanted, from: Number.MIN_VALUE, to: 1e6, next});
	return value === undefined ? undefined : value * 1000;
};

export const portOf = (text: string | undefined): number | undefined =>
	numberOf('--port', text, {
		wanted: 'a port, a whole number from 1 to 65535',
		pattern: /^\d{1,5}$/,
		from: 1,
		to: 65_535,
	});
