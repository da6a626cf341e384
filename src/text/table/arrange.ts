// Filters and sorts the rows of a table. Uses generators, so that keys are handled between steps.
import {numberFinder} from './find-number.ts';
import type {Table} from './table.ts';
import type {Work} from './work.ts';
import {LONG, MISSING, readColumn, STEP, within} from './read-column.ts';
import {numberParts} from './reading.ts';
import {exactOrder} from './values.ts';

export type {Work};

export type Sort = {readonly column: number; readonly direction: 'up' | 'down'};

const RUN = 1024;

/**
 * Tests whether a text contains the words. Case-sensitive only if the words contain a capital
 * letter.
 */
const testOf = (words: string): ((text: string) => boolean) =>
	words === words.toLowerCase() ? text => text.toLowerCase().includes(words) : text => text.includes(words);

/** Rows with a field that contains the words. Numbers match regardless of digit grouping. */
export function* filterRows(table: Table, words: string): Work<Uint32Array> {
	const holds = testOf(words);
	const number = numberFinder(table, words);
	const found = new Uint32Array(table.count);
	let count = 0;
	for (let at = 0; at < table.count; at++) {
		const raw = table.raw(at);
		if (table.isGap?.(at) === true) continue;
		const mayHold = raw === null || holds(raw) || number?.mayHold(raw) === true;
		if (
			mayHold &&
			table.row(at).some((field, column) => holds(field) || number?.holds(field, column) === true)
		)
			found[count++] = at;
		if (at % STEP === STEP - 1) yield at / table.count;
	}
	return found.slice(0, count);
}

/**
 * Sorts rows by a column. The sort is stable. Numbers come before texts, and missing values come
 * last in both directions.
 */
export function* sortRows(
	table: Table,
	rows: Uint32Array | null,
	{column, direction}: Sort,
): Work<Uint32Array> {
	const {reading, numbers, kinds} = yield* within(readColumn(table, column), 0, 0.5);
	const count = rows?.length ?? table.count;
	const rowAt = (at: number): number => rows?.[at] ?? at;
	/** Cell texts, read in advance because each is compared many times. */
	const texts: string[] = [];
	let [kept, missing] = [new Uint32Array(count), new Uint32Array(count)];
	let [keptCount, missingCount] = [0, 0];
	for (let at = 0; at < count; at++) {
		const row = rowAt(at);
		const kind = kinds[row] ?? 0;
		if (table.isGap?.(row) === true) continue;
		if (kind === MISSING) missing[missingCount++] = at;
		else {
			kept[keptCount++] = at;
			if (kind === 0) texts[at] = table.cell(row, column);
		}
		if (at % STEP === STEP - 1) yield 0.5 + (at / count) * 0.1;
	}
	const sign = direction === 'up' ? 1 : -1;
	/**
	 * Compares all digits of two numbers that are equal as floats. Returns 0 if their units differ.
	 */
	const exact = (row: number, otherRow: number): number => {
		if (reading.kind !== 'numbers') return 0;
		const [one, other] = [row, otherRow].map(each => numberParts(table.cell(each, column), reading));
		return one && other && one.factor === other.factor ? exactOrder(one.plain, other.plain) : 0;
	};
	const values = rows === null ? numbers : Float64Array.from(rows, row => numbers[row] ?? Number.NaN);
	const compare = (one: number, other: number): number => {
		const a = values[one] ?? 0;
		const b = values[other] ?? 0;
		if (a < b) return -sign;
		if (a > b) return sign;
		const [isText, isOtherText] = [Number.isNaN(a), Number.isNaN(b)];
		if (isText && isOtherText) {
			const [text = '', otherText = ''] = [texts[one], texts[other]];
			return text < otherText ? -sign : text > otherText ? sign : one - other;
		}
		if (isText !== isOtherText) return isText ? sign : -sign;
		const [row, otherRow] = [rowAt(one), rowAt(other)];
		if ((((kinds[row] ?? 0) | (kinds[otherRow] ?? 0)) & LONG) === 0) return one - other;
		return sign * exact(row, otherRow) || one - other;
	};
	kept = kept.slice(0, keptCount);
	for (let from = 0; from < keptCount; from += RUN) {
		kept.subarray(from, from + RUN).sort(compare);
		yield 0.6 + (from / keptCount) * 0.1;
	}
	let merged = new Uint32Array(keptCount);
	const rounds = Math.max(1, Math.ceil(Math.log2(keptCount / RUN)));
	for (let width = RUN, round = 0; width < keptCount; width *= 2, round++) {
		for (let from = 0; from < keptCount; from += width * 2) {
			const middle = Math.min(from + width, keptCount);
			const end = Math.min(from + width * 2, keptCount);
			for (let left = from, right = middle, to = from; to < end; to++) {
				const isLeft = left < middle && (right >= end || compare(kept[left] ?? 0, kept[right] ?? 0) <= 0);
				merged[to] = (isLeft ? kept[left++] : kept[right++]) ?? 0;
				if (to % STEP === STEP - 1) yield 0.7 + ((round + to / keptCount) / rounds) * 0.3;
			}
		}
		[kept, merged] = [merged, kept];
	}
	missing = missing.slice(0, missingCount);
	const sorted = new Uint32Array(keptCount + missingCount);
	sorted.set(kept);
	sorted.set(missing, keptCount);
	return rows === null ? sorted : sorted.map(at => rows[at] ?? 0);
}
