// Readers that take what another service may mean, since the interface leaves much open: a number as text, null for what is not known.
// An item is never lost over a field that nobody needs to identify it; what cannot be read is null (NaN where
// it is counted with, since no comparison with it is true), and shown as `?`.
import * as z from 'zod';
import {toNumber} from '../text/decimal.ts';
import {fieldsOf, isRecord} from '../text/record.ts';

const toText = (value: unknown): string =>
	typeof value === 'string'
		? value
		: typeof value === 'number' || typeof value === 'boolean'
			? String(value)
			: '';

/** Takes whatever stands in a field, also when the field is missing. */
export const lenient = <Value>(read: (value: unknown) => Value) => z.unknown().transform(read).prefault(null);

const toCount = (value: unknown): number | null => {
	const number = toNumber(value);
	return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : null;
};

const toAmount = (value: unknown): number | null => {
	const number = toNumber(value);
	return number !== null && number >= 0 ? number : null;
};

/** A whole number of at least 0, also as text; null for anything else. */
export const lenientCount = lenient(toCount);

/** An amount of at least 0, such as a price or `1.5` CPUs, also as text; null for anything else. */
export const lenientAmount = lenient(toAmount);

/** As `lenientCount` and `lenientAmount`, NaN for what cannot be read. */
export const countOrNaN = lenient(value => toCount(value) ?? Number.NaN);
export const amountOrNaN = lenient(value => toAmount(value) ?? Number.NaN);

/** Text, also of a number; empty for anything else. */
export const lenientText = lenient(toText);

/** Text or null: null for anything that is no text. */
export const lenientOptional = z
	.unknown()
	.transform(value => (typeof value === 'string' ? value : null))
	.optional();

/** Text of which each line may be an item of its own, as in notebooks on disk. */
export const lenientLines = lenient(value =>
	Array.isArray(value) ? value.map(toText).join('') : toText(value),
);

/** A name by which the item is found again: without it there is no item. */
export const identity = z.union([z.string().min(1), z.number().transform(String)]);

/** An array, as which `null` and what is missing are empty, and one thing alone is a list of one. */
export const lenientList = <Item extends z.ZodType>(item: Item) =>
	lenient((value): z.output<Item>[] => {
		const all: readonly unknown[] = Array.isArray(value) ? value : isRecord(value) ? [value] : [];
		return all.map(each => item.safeParse(each)).flatMap(each => (each.success ? [each.data] : []));
	});

/** An object; empty for anything else. */
export const lenientObject = lenient(fieldsOf);
