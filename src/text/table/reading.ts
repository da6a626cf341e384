// How the numbers of a column are written, decided from its values.
import {unitsOf, type UnitUse} from './units.ts';
import {isMissing, PLAIN, plainOf, takeApart, type Decimal, type Written} from './values.ts';

/** A column that is read as text, and why although it has numbers; null if that needs no word. */
export type TextReading = {readonly kind: 'text'; readonly why: string | null};

/** How a column's numbers are written. */
export type NumberReading = {
	readonly kind: 'numbers';
	readonly decimal: Decimal;
	/** What each unit is worth, in `unit`; null if values with units are texts here. */
	readonly factors: ReadonlyMap<string, number> | null;
	readonly unit: string;
	/** Signs and codes of money, those that come first. */
	readonly currencies: readonly string[];
};

export type Reading = NumberReading | TextReading;

/**
 * Whether a point or a comma that alone stands before three digits may part decimals or thousands: where a semicolon parts
 * fields, a comma is often the decimal mark. Elsewhere numbers are written as in English.
 */
export const isUnsureBeside = (separator: string): boolean => separator === ';';

/** One mark is taken over another only if it is in so many times the values. */
const CLEARLY = 9;
const MOST_UNITS = 5;
const MOST_CURRENCIES = 3;
/** Units that are remembered: a column with more is text. */
const MOST_REMEMBERED = 20;

/** Whether a plain number may be groups of digits: `1.234`, and neither `0.123` nor `1.23`. */
const mayBeGroups = (plain: string): boolean => {
	const point = plain.length - 4;
	const from = plain.startsWith('-') ? 1 : 0;
	return plain.charAt(point) === '.' && point > from && point - from <= 3 && plain.charAt(from) !== '0';
};

/** Whether a number has a unit or money beside it. */
const isDecorated = ({unit, currency}: Written): boolean => unit !== '' || currency !== '';

/** Takes in the values of a column, in any order, and decides how they are to be read. */
export const createReader = (isUnsure: boolean) => {
	let [values, plainCount, decoratedCount] = [0, 0, 0];
	let [points, commas] = [0, 0];
	/** First values with a point, with a comma, and of either meaning. */
	let [withPoint, withComma, doubtful]: (string | null)[] = [null, null, null];
	const units = new Map<string, UnitUse>();
	const currencies = new Set<string>();

	const decimal = (): Decimal | string => {
		if (points === 0 && commas === 0)
			return doubtful === null ? '.' : `${doubtful} may be thousands or decimals`;
		if (points >= commas * CLEARLY) return '.';
		if (commas >= points * CLEARLY) return ',';
		return `${withPoint} and ${withComma} mark decimals differently`;
	};

	return {
		/** A text that is a number as it is mostly written; whether it has a point. */
		addPlain(text: string): boolean {
			values++;
			plainCount++;
			if (!text.includes('.')) return false;
			if (!mayBeGroups(text)) {
				points++;
				withPoint ??= text;
			} else if (isUnsure) doubtful ??= text;
			return true;
		},
		/** Any other; whether it may be a number. */
		add(text: string): boolean {
			values++;
			const written = takeApart(text);
			if (written === null) return false;
			const [asPoint, asComma] = [plainOf(written, '.'), plainOf(written, ',')];
			if (asPoint === null && asComma === null) return false;
			if (asComma === null) {
				points++;
				withPoint ??= text;
			} else if (asPoint === null) {
				commas++;
				withComma ??= text;
			} else if (asPoint !== asComma && isUnsure) doubtful ??= text;
			const {unit, currency} = written;
			if (!isDecorated(written)) plainCount++;
			else {
				decoratedCount++;
				if (currency !== '' && currencies.size < MOST_CURRENCIES) currencies.add(currency);
				const known = units.get(unit);
				const hasDecimals = asPoint === null || asComma === null || (known?.hasDecimals ?? false);
				const isMoney = currency !== '' || (known?.isMoney ?? false);
				if (units.size < MOST_REMEMBERED) units.set(unit, {hasDecimals, isMoney});
			}
			return true;
		},
		decide(): Reading {
			const isMostly = (plainCount + decoratedCount) * 2 > values;
			const asText = (why: string): TextReading => ({kind: 'text', why: isMostly ? why : null});
			if (plainCount + decoratedCount === 0) return {kind: 'text', why: null};
			const mark = decimal();
			if (mark.length > 1) return asText(mark);
			const numbers = {kind: 'numbers', decimal: mark as Decimal, unit: '', currencies: []} as const;
			if (!isMostly || units.size === MOST_REMEMBERED)
				return plainCount === 0 ? {kind: 'text', why: null} : {...numbers, factors: null};
			if (plainCount > 0 && decoratedCount > 0 && !units.has(''))
				units.set('', {hasDecimals: false, isMoney: false});
			const together = unitsOf(units);
			if (typeof together === 'string')
				return units.size > MOST_UNITS ? {kind: 'text', why: null} : asText(together);
			return {...numbers, ...together, currencies: [...currencies]};
		},
	};
};

/** A number of a column as `Number` reads it, and what its unit is worth; null if it is none there. */
export const numberParts = (
	text: string,
	{decimal, factors}: NumberReading,
): {readonly plain: string; readonly factor: number} | null => {
	const written = takeApart(text);
	const plain = written && plainOf(written, decimal);
	if (written === null || plain === null) return null;
	if (!isDecorated(written)) return {plain, factor: 1};
	return factors === null ? null : {plain, factor: factors.get(written.unit) ?? 1};
};

/** The number that a text is in its column; undefined if it is none. */
export const numberIn = (text: string, reading: Reading): number | undefined => {
	if (reading.kind === 'text') return undefined;
	if (PLAIN.test(text) && (reading.decimal === '.' || !text.includes('.'))) return Number(text);
	const parts = numberParts(text, reading);
	return parts === null ? undefined : Number(parts.plain) * parts.factor;
};

/** How some values are read, as a column of their own. */
export const readingOf = (texts: Iterable<string>, isUnsure: boolean): Reading => {
	const reader = createReader(isUnsure);
	for (const text of texts)
		if (PLAIN.test(text)) reader.addPlain(text);
		else if (!isMissing(text)) reader.add(text);
	return reader.decide();
};

/** Whether all values are numbers or missing, and some are there: they stand to the right. */
export const areNumbers = (texts: readonly string[], how: boolean | Reading): boolean => {
	const reading = typeof how === 'boolean' ? readingOf(texts, how) : how;
	return (
		reading.kind === 'numbers' &&
		texts.every(text => isMissing(text) || numberIn(text, reading) !== undefined)
	);
};
