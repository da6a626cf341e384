import {dateIn} from './dates.ts';
import {createReader, numberIn, type Reading} from './reading.ts';
import type {Table} from './table.ts';
import type {Work} from './work.ts';
import {isLong, isMissing, PLAIN} from './values.ts';

/** Number of rows read between two yields. Takes much less time than a frame. */
export const STEP = 2000;

/**
 * Kinds of a value. `LONG` is added to `NUMBER` if the value has more digits than a float can
 * store.
 */
export const MISSING = 1;
export const NUMBER = 2;
export const LONG = 4;
/**
 * Provisional kind while reading, because the kind depends on how the column's other numbers are
 * written.
 */
const UNDECIDED = 8;

export type ColumnValues = {
	readonly reading: Reading;
	/** Number in each row, or its date in ms since 1970. NaN if the row has neither. */
	readonly numbers: Float64Array;
	readonly kinds: Uint8Array;
};

type Known = {readonly column: number; readonly count: number; readonly values: ColumnValues};
/** Last column read from each table. Reverse sorting and the statistics need it again. */
const known = new WeakMap<Table, Known>();

/**
 * Reads all values of a column. Also reads rows that a filter hides, because all values together
 * determine the number format.
 */
export function* readColumn(table: Table, column: number): Work<ColumnValues> {
	const before = known.get(table);
	const {count} = table;
	if (before?.column === column && before.count === count) return before.values;
	const numbers = new Float64Array(count).fill(Number.NaN);
	const kinds = new Uint8Array(count);
	const reader = createReader(table.isUnsure, table.decimal);
	let isPending = false;
	for (let at = 0; at < count; at++) {
		const text = table.cell(at, column);
		if (PLAIN.test(text)) {
			numbers[at] = Number(text);
			const hasPoint = reader.addPlain(text);
			kinds[at] = NUMBER | (isLong(text) ? LONG : 0) | (hasPoint ? UNDECIDED : 0);
		} else if (isMissing(text)) kinds[at] = MISSING;
		else if (table.isGap?.(at) === true) kinds[at] = MISSING;
		else if (reader.add(text)) {
			kinds[at] = UNDECIDED;
			isPending = true;
		}
		if (at % STEP === STEP - 1) yield (at / count) * 0.8;
	}
	const reading = reader.decide();
	if (reading.kind === 'dates')
		for (let at = 0; at < count; at++) {
			if (kinds[at] === 0) numbers[at] = dateIn(table.cell(at, column), reading.order);
			if (at % STEP === STEP - 1) yield 0.8 + (at / count) * 0.2;
		}
	// Numbers read with a decimal point are correct unless the column turns out to use decimal
	// commas.
	const isAsRead = reading.kind === 'numbers' && reading.decimal === '.';
	if (reading.kind !== 'dates' && (!isAsRead || isPending))
		for (let at = 0; at < count; at++) {
			const kind = kinds[at] ?? 0;
			if (reading.kind === 'text') {
				kinds[at] = kind === MISSING ? MISSING : 0;
				numbers[at] = Number.NaN;
			} else if ((kind & UNDECIDED) !== 0 && !(isAsRead && (kind & NUMBER) !== 0)) {
				const text = table.cell(at, column);
				const number = numberIn(text, reading);
				numbers[at] = number ?? Number.NaN;
				kinds[at] = number === undefined ? 0 : isLong(text) ? NUMBER | LONG : NUMBER;
			}
			if (at % STEP === STEP - 1) yield 0.8 + (at / count) * 0.2;
		}
	const values = {reading, numbers, kinds};
	known.set(table, {column, count, values});
	return values;
}

/**
 * Runs work that is part of larger work, and scales its progress to the range from `from` to `to`.
 */
export function* within<T>(work: Work<T>, from: number, to: number): Work<T> {
	for (;;) {
		const step = work.next();
		if (step.done === true) return step.value;
		yield from + step.value * (to - from);
	}
}
