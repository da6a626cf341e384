import {withoutEnd} from '../ends.ts';

/** Decimal mark of a number. */
export type Decimal = '.' | ',';

const MISSING = /^(?:nan|none|nat|<na>|null|na|n\/a)?$/i;

/** True for an empty text, or a word that data frames show for a missing value. */
export const isMissing = (text: string): boolean => text.length < 5 && MISSING.test(text.trim());

/** Number in JavaScript's notation. A point is always the decimal mark. */
export const PLAIN = /^-?\d+(?:\.\d+)?$/;

/** Maximum length of a text that may be a number in another notation, in UTF-16 units. */
const LONGEST = 100;

const SPACES = ' \\u00A0\\u2000-\\u200A\\u202F';
/** Marks between groups of three digits that can occur with either decimal mark. */
export const GROUPS = `_'’${SPACES}`;
const grouped = (marks: string): string => `[1-9]\\d{0,2}(?<group>[${marks}])\\d{3}(?:\\k<group>\\d{3})*`;
const LAKHS = String.raw`[1-9]\d?(?:,\d{2})+,\d{3}`;
const EXPONENT = String.raw`(?:[eE][-+−]?\d{1,4})?`;

/** Digits by decimal mark, with other marks between groups of three. */
const DIGITS: Readonly<Record<Decimal, RegExp>> = {
	'.': new RegExp(
		`^(?:(?:${grouped(`,${GROUPS}`)}|${LAKHS})(?:\\.\\d*)?|(?:\\d[\\d_]*(?:\\.\\d*)?|\\.\\d+)${EXPONENT})$`,
	),
	',': new RegExp(`^(?:${grouped(`.${GROUPS}`)}(?:,\\d*)?|(?:\\d[\\d_]*(?:,\\d*)?|,\\d+)${EXPONENT})$`),
};
/** IP address or version number, which is not a number with grouped digits. */
const FOUR_BYTES = /^(?:1\d\d|2[0-5]\d|\d{1,2})(?:\.(?:1\d\d|2[0-5]\d|0\d\d)){3}$/;

const SIGN = '[-+−–]';
const DIGITS_SHAPE = `(?:\\d(?:[\\d.,${GROUPS}]*\\d)?[.,]?|[.,]\\d+)${EXPONENT}`;
/** Dashes in place of decimals, as in `Fr. 12.-` and `5,– €`. */
const NO_DECIMALS = '(?<=[.,])[-–—]{1,2}';
const INFINITY = '[iI]nf(?:inity)?|INF(?:INITY)?|∞';
/**
 * Currency signs and abbreviations before an amount. Three capital letters are checked against the
 * currency codes.
 */
const MONEY = String.raw`(?:[A-Z]{1,3})?\p{Sc}|[A-Z]{3}|kr\.?|Rs\.?|Fr\.?`;
const PER = String.raw`\s?\/\s?\p{L}{1,8}[²³]?`;
const UNIT = String.raw`[%‰]|°\s?[CFK]?|(?:[cdkm]?m|ft|in)[23]|[\p{L}µ]{1,12}[²³]?\.?`;
const NUMBER = new RegExp(
	`^(?<sign>${SIGN})?\\s?(?<before>${MONEY})?\\s?(?<inner>${SIGN})?\\s?` +
		`(?:(?<digits>${DIGITS_SHAPE})(?:${NO_DECIMALS})?|(?<infinite>${INFINITY}))` +
		`\\s?(?<unit>${UNIT})?\\s?(?<behind>\\p{Sc})?(?<per>${PER})?(?<last>-)?$`,
	'u',
);
/** Negative number in parentheses, as in accounting. */
const IN_PARENTHESES = /^([^\d()]*)\(([^()]*)\)([^\d()]*)$/;

/** Quick rejection: most texts start with a word, and no number except infinity does. */
const WORD = /^(?!inf)[a-z]{4}/i;
const HAS_DIGIT = /[\d∞]|inf/i;

let currencies: ReadonlySet<string> | undefined;
const isCurrency = (code: string): boolean =>
	(currencies ??= new Set(Intl.supportedValuesOf('currency'))).has(code);

export type Written = {
	readonly isNegative: boolean;
	/** Digits with marks and exponent. Null for infinity. */
	readonly digits: string | null;
	/** Unit, suffix such as `K`, or `%`. Empty if there is none. */
	readonly unit: string;
	/** Currency sign or code. Empty if there is none. */
	readonly currency: string;
};

/** Parts of a text that may be a number. Null if the text is not a number. */
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

/**
 * Number in JavaScript's notation, without its unit. Null if the number cannot have this decimal
 * mark.
 */
export const plainOf = ({isNegative, digits}: Written, decimal: Decimal): string | null => {
	const sign = isNegative ? '-' : '';
	if (digits === null) return `${sign}Infinity`;
	if (!DIGITS[decimal].test(digits)) return null;
	const plain = digits.replaceAll(decimal === '.' ? /[^\d.e+−-]/gi : /[^\d,e+−-]/gi, '');
	return sign + plain.replace(',', '.').replace('−', '-');
};

/** Number that a text represents, without its unit. Undefined if the text is not a number. */
export const numberOf = (text: string, decimal: Decimal = '.'): number | undefined => {
	if (decimal === '.' && PLAIN.test(text)) return Number(text);
	const written = takeApart(text);
	const plain = written && plainOf(written, decimal);
	return plain === null ? undefined : Number(plain);
};

/** True if a number may have more digits than a float can represent. */
export const isLong = (text: string): boolean => text.length > 15;

/**
 * Significant digits of a number in JavaScript's notation, and the position of the decimal point
 * among them.
 */
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

/** Compares all digits of two numbers that are equal as floats. Negative if `one` is smaller. */
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
