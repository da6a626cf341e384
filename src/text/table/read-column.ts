import {createReader, numberIn, type Reading} from './reading.ts';
import type {Table} from './table.ts';
import type {Work} from './work.ts';
import {isLong, isMissing, PLAIN} from './values.ts';

/** Rows between two times that work gives way: well below a frame. */
export const STEP = 2000;

/** What a row has in a column; a number may be `LONG` too: written with more digits than a float has. */
export const MISSING = 1;
export const NUMBER = 2;
export const LONG = 4;
/** Only while a column is read: what it is depends on how the others are written. */
const UNDECIDED = 8;

/** A column of a whole table. */
export type ColumnValues = {
	readonly reading: Reading;
	/** Of each row; NaN where there is none. */
	readonly numbers: Float64Array;
	readonly kinds: Uint8Array;
};

type Known = {readonly column: number; readonly count: number; readonly values: ColumnValues};
/** The column that was read last of a table: it is sorted both ways, and its facts are asked for. */
const known = new WeakMap<Table, Known>();

/** Reads all values of a column; how its numbers are written is decided by all rows, whichever are shown. */
export function* readColumn(table: Table, column: number): Work<ColumnValues> {
	const before = known.get(table);
	const {count} = table;
	if (before?.column === column && before.count === count) return before.values;
	const numbers = new Float64Array(count).fill(Number.NaN);
	const kinds = new Uint8Array(count);
	const reader = createReader(table.isUnsure);
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
	// Numbers with a point stand as they are, unless they have commas for it.
	const isAsRead = reading.kind === 'numbers' && reading.decimal === '.';
	if (!isAsRead || isPending)
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

/** The share that is done of a part of some work, between two shares of the whole. */
export function* within<T>(work: Work<T>, from: number, to: number): Work<T> {
	for (;;) {
		const step = work.next();
		if (step.done === true) return step.value;
		yield from + step.value * (to - from);
	}
}
