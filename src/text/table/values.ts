import {withoutEnd} from '../ends.ts';

/** The character before the decimals of a number. */
export type Decimal = '.' | ',';

const MISSING = /^(?:nan|none|nat|<na>|null|na|n\/a)?$/i;
const NUMBERS: Readonly<Record<Decimal, RegExp>> = {
	'.': /^[-+]?(?:(?:\d{1,3}(?:,\d{3})+|\d[\d_]*)(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?%?$/i,
	',': /^[-+]?(?:(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d*)?|,\d+)(?:e[-+]?\d+)?%?$/i,
};
const PLAIN = /^-?\d+(?:\.\d+)?$/;
const INFINITE = /^([-+]?)inf(?:inity)?$/i;

/** Nothing, or a word that data frames write for nothing. */
export const isMissing = (text: string): boolean => text.length < 5 && MISSING.test(text.trim());

/** The number that a text is, a per cent as it stands before its sign; undefined where it is none. */
export const numberOf = (text: string, decimal: Decimal = '.'): number | undefined => {
	if (decimal === '.' && PLAIN.test(text)) return Number(text);
	const trimmed = text.trim();
	const infinite = INFINITE.exec(trimmed);
	if (infinite) return infinite[1] === '-' ? -Infinity : Infinity;
	if (!NUMBERS[decimal].test(trimmed)) return undefined;
	const digits = trimmed.replaceAll(decimal === '.' ? /[,_%]/g : /[.%]/g, '');
	return Number(decimal === '.' ? digits : digits.replace(',', '.'));
};

/** Whether a text stands to the right in its column: a number, or none. */
export const isNumeric = (text: string, decimal: Decimal = '.'): boolean =>
	isMissing(text) || numberOf(text, decimal) !== undefined;

/** Whether a number is written with more digits than a float tells apart. */
export const isLong = (text: string): boolean => text.length > 15;

/** The digits of a number without zeros at either end, and how many of them stand before its decimals. */
const digitsOf = (text: string, decimal: Decimal): {readonly digits: string; readonly point: number} => {
	const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
	const [whole = '', decimals = ''] = mantissa
		.replaceAll(decimal === '.' ? /[^\d.]/g : /[^\d,]/g, '')
		.split(decimal);
	const first = (whole + decimals).search(/[1-9]/);
	return first === -1
		? {digits: '', point: Number.NEGATIVE_INFINITY}
		: {
				digits: withoutEnd((whole + decimals).slice(first), '0'),
				point: whole.length - first + Number.parseInt(exponent, 10),
			};
};

/** The order of two numbers that are one as floats, by all their digits: below 0 where the first is less. */
export const exactOrder = (one: string, other: string, decimal: Decimal): number => {
	const [a, b] = [digitsOf(one, decimal), digitsOf(other, decimal)];
	const order =
		a.point === b.point
			? a.digits < b.digits
				? -1
				: a.digits > b.digits
					? 1
					: 0
			: a.point < b.point
				? -1
				: 1;
	return one.trim().startsWith('-') ? -order : order;
};
