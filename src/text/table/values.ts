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
