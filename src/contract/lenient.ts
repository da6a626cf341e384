// Readers for fields that services send in various forms. An item is rejected only if its identity
// is missing. Unreadable fields are null. Numbers that are compared are NaN instead, because
// comparisons with NaN are false. Screens show unreadable fields as `?`.
import * as z from 'zod';
import {toNumber} from '../text/decimal.ts';
import {fieldsOf, isRecord} from '../text/record.ts';

const toText = (value: unknown): string =>
	typeof value === 'string'
		? value
		: typeof value === 'number' || typeof value === 'boolean'
			? String(value)
			: '';

/** Schema that accepts any value, also a missing field. */
export const lenient = <Value>(read: (value: unknown) => Value) => z.unknown().transform(read).prefault(null);

const toCount = (value: unknown): number | null => {
	const number = toNumber(value);
	return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : null;
};

const toAmount = (value: unknown): number | null => {
	const number = toNumber(value);
	return number !== null && number >= 0 ? number : null;
};

/** Whole number of at least 0, also as text. Null for anything else. */
export const lenientCount = lenient(toCount);

/** Amount of at least 0, such as a price or `1.5` CPUs, also as text. Null for anything else. */
export const lenientAmount = lenient(toAmount);

/** Like `lenientCount` and `lenientAmount`, but NaN instead of null. */
export const countOrNaN = lenient(value => toCount(value) ?? Number.NaN);
export const amountOrNaN = lenient(value => toAmount(value) ?? Number.NaN);

/** Text, also read from a number. Empty for anything else. */
export const lenientText = lenient(toText);

/** Text. Null for anything else. */
export const lenientOptional = z
	.unknown()
	.transform(value => (typeof value === 'string' ? value : null))
	.optional();

/** Text, also as an array of lines, as in notebooks on disk. */
export const lenientLines = lenient(value =>
	Array.isArray(value) ? value.map(toText).join('') : toText(value),
);

/** Name that identifies an item. An item without it is rejected. */
export const identity = z.union([z.string().min(1), z.number().transform(String)]);

/**
 * Array of the readable items. A single object counts as an array of one item. Empty for anything
 * else.
 */
export const lenientList = <Item extends z.ZodType>(item: Item) =>
	lenient((value): z.output<Item>[] => {
		const all: readonly unknown[] = Array.isArray(value) ? value : isRecord(value) ? [value] : [];
		return all.map(each => item.safeParse(each)).flatMap(each => (each.success ? [each.data] : []));
	});

/** Object. Empty for anything else. */
export const lenientObject = lenient(fieldsOf);
