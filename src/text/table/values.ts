import {withoutEnd} from '../ends.ts';

/** The character before the decimals of a number. */
export type Decimal = '.' | ',';

const MISSING = /^(?:nan|none|nat|<na>|null|na|n\/a)?$/i;

/** Nothing, or a word that data frames write for nothing. */
export const isMissing = (text: string): boolean => text.length < 5 && MISSING.test(text.trim());

/** A number as it is mostly written, whose point, if any, stands before decimals. */
export const PLAIN = /^-?\d+(?:\.\d+)?$/;

/** Longer texts are no numbers, unless they are plain. */
const LONGEST = 100;

const SPACES = ' \\u00A0\\u2000-\\u200A\\u202F';
/** Marks between groups of three digits, whatever stands before decimals. */
export const GROUPS = `_'’${SPACES}`;
const grouped = (marks: string): string => `[1-9]\\d{0,2}(?<group>[${marks}])\\d{3}(?:\\k<group>\\d{3})*`;
const LAKHS = String.raw`[1-9]\d?(?:,\d{2})+,\d{3}`;
const EXPONENT = String.raw`(?:[eE][-+−]?\d{1,4})?`;

/** Digits with a point or a comma before the decimals, and other marks between groups of three. */
const DIGITS: Readonly<Record<Decimal, RegExp>> = {
	'.': new RegExp(
		`^(?:(?:${grouped(`,${GROUPS}`)}|${LAKHS})(?:\\.\\d*)?|(?:\\d[\\d_]*(?:\\.\\d*)?|\\.\\d+)${EXPONENT})$`,
	),
	',': new RegExp(`^(?:${grouped(`.${GROUPS}`)}(?:,\\d*)?|(?:\\d[\\d_]*(?:,\\d*)?|,\\d+)${EXPONENT})$`),
};
/** An address of the internet, or a version, and no groups of digits. */
const FOUR_BYTES = /^(?:1\d\d|2[0-5]\d|\d{1,2})(?:\.(?:1\d\d|2[0-5]\d|0\d\d)){3}$/;

const SIGN = '[-+−–]';
const DIGITS_SHAPE = `(?:\\d(?:[\\d.,${GROUPS}]*\\d)?[.,]?|[.,]\\d+)${EXPONENT}`;
/** In place of decimals, as in `Fr. 12.-` and `5,– €`: there are none. */
const NO_DECIMALS = '(?<=[.,])[-–—]{1,2}';
const INFINITY = '[iI]nf(?:inity)?|INF(?:INITY)?|∞';
/** Signs and short names of money that stand before an amount; three capital letters are looked up. */
const MONEY = String.raw`(?:[A-Z]{1,3})?\p{Sc}|[A-Z]{3}|kr\.?|Rs\.?|Fr\.?`;
const PER = String.raw`\s?\/\s?\p{L}{1,8}[²³]?`;
const UNIT = String.raw`[%‰]|°\s?[CFK]?|(?:[cdkm]?m|ft|in)[23]|[\p{L}µ]{1,12}[²³]?\.?`;
const NUMBER = new RegExp(
	`^(?<sign>${SIGN})?\\s?(?<before>${MONEY})?\\s?(?<inner>${SIGN})?\\s?` +
		`(?:(?<digits>${DIGITS_SHAPE})(?:${NO_DECIMALS})?|(?<infinite>${INFINITY}))` +
		`\\s?(?<unit>${UNIT})?\\s?(?<behind>\\p{Sc})?(?<per>${PER})?(?<last>-)?$`,
	'u',
);
/** As accountants write what is below nothing. */
const IN_PARENTHESES = /^([^\d()]*)\(([^()]*)\)([^\d()]*)$/;

/** Most texts begin so, and no number but infinity does. */
const WORD = /^(?!inf)[a-z]{4}/i;
const HAS_DIGIT = /[\d∞]|inf/i;

let currencies: ReadonlySet<string> | undefined;
const isCurrency = (code: string): boolean =>
	(currencies ??= new Set(Intl.supportedValuesOf('currency'))).has(code);

/** A text that is a number, taken apart. */
export type Written = {
	readonly isNegative: boolean;
	/** Digits with the marks between them, and an exponent; null for infinity. */
	readonly digits: string | null;
	/** A unit, a suffix such as `K`, or `%`; empty for none. */
	readonly unit: string;
	/** The sign or code of money; empty for none. */
	readonly currency: string;
};

/** The parts of a text that may be a number; null if it is none. */
export const takeApart = (text: string): Written | null => {
	if (text.length > LONGEST || WORD.test(text) || !HAS_DIGIT.test(text)) return null;
	const trimmed = text.trim();
	const inner = IN_PARENTHESES.exec(trimmed);
	const found = NUMBER.exec(inner ? `${inner[1]}${inner[2]}${inner[3]}` : trimmed)?.groups;
	if (found === undefined) return null;
	const {sign, before, inner: second, digits, infinite, unit = '', behind, per = '', last} = found;
	const signs = [sign, second, last].filter(each => each !== undefined);
	if (signs.length > (inner ? 0 : 1)) return null;
	if (before !== undefined && /^[A-Z]{3}$/.test(before) && !isCurrency(before)) return null;
	if (infinite !== undefined && (unit !== '' || last !== undefined)) return null;
	if (digits !== undefined && FOUR_BYTES.test(digits)) return null;
	const isCode = before === undefined && behind === undefined && isCurrency(unit);
	return {
		isNegative: inner !== null || (signs.length > 0 && signs[0] !== '+'),
		digits: digits ?? null,
		unit: `${isCode ? '' : unit}${per.replaceAll(/\s/g, '')}`,
		currency: before ?? behind ?? (isCode ? unit : ''),
	};
};

/** The number as `Number` reads it, without its unit; null if its decimals do not stand behind such a mark. */
export const plainOf = ({isNegative, digits}: Written, decimal: Decimal): string | null => {
	const sign = isNegative ? '-' : '';
	if (digits === null) return `${sign}Infinity`;
	if (!DIGITS[decimal].test(digits)) return null;
	const plain = digits.replaceAll(decimal === '.' ? /[^\d.e+−-]/gi : /[^\d,e+−-]/gi, '');
	return sign + plain.replace(',', '.').replace('−', '-');
};

/** The number that a text is with decimals behind a mark, without its unit; undefined if it is none. */
export const numberOf = (text: string, decimal: Decimal = '.'): number | undefined => {
	if (decimal === '.' && PLAIN.test(text)) return Number(text);
	const written = takeApart(text);
	const plain = written && plainOf(written, decimal);
	return plain === null ? undefined : Number(plain);
};

/** Whether a number is written with more digits than a float tells apart. */
export const isLong = (text: string): boolean => text.length > 15;

/** The digits of a plain number without zeros at either end, and how many stand before its decimals. */
const digitsOf = (plain: string): {readonly digits: string; readonly point: number} => {
	const [mantissa = '', exponent = '0'] = plain.toLowerCase().replace('-', '').split('e');
	const [whole = '', decimals = ''] = mantissa.split('.');
	const first = (whole + decimals).search(/[1-9]/);
	return first === -1
		? {digits: '', point: Number.NEGATIVE_INFINITY}
		: {
				digits: withoutEnd((whole + decimals).slice(first), '0'),
				point: whole.length - first + Number.parseInt(exponent, 10),
			};
};

/** The order of two plain numbers that are one as floats, by all their digits: below 0 if the first is less. */
export const exactOrder = (one: string, other: string): number => {
	const [a, b] = [digitsOf(one), digitsOf(other)];
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
	return one.startsWith('-') ? -order : order;
};
