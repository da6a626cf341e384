// Number format of a column, inferred from its values.
import {createDateReader, dateIn, type DateOrder} from './dates.ts';
import {unitsOf, type UnitUse} from './units.ts';
import {isMissing, PLAIN, plainOf, takeApart, type Decimal, type Written} from './values.ts';

/**
 * Column of text. `why`: reason why the column counts as text although it contains numbers. Null if
 * no reason is needed.
 */
export type TextReading = {readonly kind: 'text'; readonly why: string | null};

export type NumberReading = {
	readonly kind: 'numbers';
	readonly decimal: Decimal;
	/**
	 * Factors that convert each unit to `unit`. Null if values with units count as text in this
	 * column.
	 */
	readonly factors: ReadonlyMap<string, number> | null;
	readonly unit: string;
	/** Currency signs and codes in order of appearance, up to a limit. */
	readonly currencies: readonly string[];
};

/** Column in which all values are dates, written in the same order. */
export type DateReading = {readonly kind: 'dates'; readonly order: DateOrder};

export type Reading = NumberReading | DateReading | TextReading;

/**
 * True if `1,234` may mean 1.234 or 1234, and `1.234` likewise. Files whose fields are separated
 * by semicolons often use a decimal comma. In all other files, numbers are read as English.
 */
export const isUnsureBeside = (separator: string): boolean => separator === ';';

/**
 * Minimum ratio between values with one decimal mark and values with the other mark to choose the
 * former.
 */
const CLEARLY = 9;
const MOST_UNITS = 5;
const MOST_CURRENCIES = 3;
/** Maximum number of units in a column. A column with more is text. */
const MOST_REMEMBERED = 20;

/**
 * True if a point in a plain number may group digits, as in `1.234`, but not in `0.123` or `1.23`.
 */
const mayBeGroups = (plain: string): boolean => {
	const point = plain.length - 4;
	const from = plain.startsWith('-') ? 1 : 0;
	return plain.charAt(point) === '.' && point > from && point - from <= 3 && plain.charAt(from) !== '0';
};

const isDecorated = ({unit, currency}: Written): boolean => unit !== '' || currency !== '';

/**
 * Collects the values of a column in any order, then determines their format. `chosen`: the decimal
 * mark, or null to detect it.
 */
export const createReader = (isUnsure: boolean, chosen: Decimal | null = null) => {
	let [values, plainCount, decoratedCount] = [0, 0, 0];
	let [points, commas] = [0, 0];
	/** First value with a point, with a comma, and with an ambiguous mark, respectively. */
	let [withPoint, withComma, doubtful]: (string | null)[] = [null, null, null];
	const units = new Map<string, UnitUse>();
	const currencies = new Set<string>();
	const dates = createDateReader();

	const decimal = (): Decimal | string => {
		if (chosen !== null) return chosen;
		if (points === 0 && commas === 0)
			return doubtful === null ? '.' : `${doubtful} may be thousands or decimals`;
		if (points >= commas * CLEARLY) return '.';
		if (commas >= points * CLEARLY) return ',';
		return `${withPoint} and ${withComma} mark decimals differently`;
	};

	return {
		/** Adds a number in JavaScript's notation. Returns true if it has a point. */
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
		/** Adds any other text. Returns true if it may be a number. */
		add(text: string): boolean {
			values++;
			const written = takeApart(text);
			if (written === null) {
				dates.add(text);
				return false;
			}
			const [asPoint, asComma] = [plainOf(written, '.'), plainOf(written, ',')];
			if (asPoint === null && asComma === null) {
				dates.add(text);
				return false;
			}
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
			if (plainCount + decoratedCount === 0) {
				const found = dates.decide();
				if (found === null) return {kind: 'text', why: null};
				return 'why' in found ? {kind: 'text', why: found.why} : {kind: 'dates', order: found.order};
			}
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

/**
 * Number in the notation that `Number` accepts, and the factor of its unit. Null if the text is not
 * a number in this column.
 */
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

/**
 * Number that a text represents in its column, or its date in ms since 1970. Undefined if it is
 * neither.
 */
export const numberIn = (text: string, reading: Reading): number | undefined => {
	if (reading.kind === 'text') return undefined;
	if (reading.kind === 'dates') {
		const date = dateIn(text, reading.order);
		return Number.isNaN(date) ? undefined : date;
	}
	if (PLAIN.test(text) && (reading.decimal === '.' || !text.includes('.'))) return Number(text);
	const parts = numberParts(text, reading);
	return parts === null ? undefined : Number(parts.plain) * parts.factor;
};

/** Format of the values, determined as if they were a whole column. */
export const readingOf = (
	texts: Iterable<string>,
	isUnsure: boolean,
	chosen: Decimal | null = null,
): Reading => {
	const reader = createReader(isUnsure, chosen);
	for (const text of texts)
		if (PLAIN.test(text)) reader.addPlain(text);
		else if (!isMissing(text)) reader.add(text);
	return reader.decide();
};

/** True if all the values are numbers or missing, so that the column is right-aligned. */
export const areNumbers = (texts: readonly string[], how: boolean | Reading): boolean => {
	const reading = typeof how === 'boolean' ? readingOf(texts, how) : how;
	return (
		reading.kind === 'numbers' &&
		texts.every(text => isMissing(text) || numberIn(text, reading) !== undefined)
	);
};
