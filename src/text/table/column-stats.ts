import type {Work} from './arrange.ts';
import {MISSING, NUMBER, readColumn, STEP, within} from './read-column.ts';
import type {Reading} from './reading.ts';
import type {Table} from './table.ts';

/** Bar of a histogram. `name`: a value, or the start of a range. `count`: its frequency. */
export type Bar = {readonly name: string; readonly count: number};

export type ColumnStats = {
	readonly kind: 'numbers' | 'text' | 'nothing';
	/**
	 * Number format. For text with some numbers, it contains the reason why the column counts as
	 * text.
	 */
	readonly reading: Reading;
	/** Number of rows with a value, and of rows without one. */
	readonly count: number;
	readonly missing: number;
	/** Smallest and largest number, or earliest and latest date, as written in their fields. */
	readonly min: string | null;
	readonly max: string | null;
	readonly mean: number | null;
	/** Number of distinct values. Null if there are too many to count. */
	readonly distinct: number | null;
	/**
	 * Counts of numbers in equal ranges, or of the most frequent texts. Empty if that is not
	 * informative.
	 */
	readonly bars: readonly Bar[];
};

export const MOST_DISTINCT = 100_000;
const BINS = 8;

const short = (value: number): string =>
	Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value) : String(Number(value.toPrecision(4)));

const binned = (numbers: Float64Array, min: number, max: number): readonly Bar[] => {
	if (!(max > min) || !Number.isFinite(max - min)) return [];
	const counts = Array.from({length: BINS}, () => 0);
	for (const number of numbers) {
		const bin = Math.min(BINS - 1, Math.floor(((number - min) / (max - min)) * BINS));
		counts[bin] = (counts[bin] ?? 0) + 1;
	}
	return namedBins(min, max, counts);
};

/** Bars for equal ranges between two numbers. Each is named by the start of its range. */
export const namedBins = (min: number, max: number, counts: readonly number[]): readonly Bar[] =>
	counts.map((count, bin) => ({name: short(min + ((max - min) * bin) / counts.length), count}));

export function* columnStats(table: Table, rows: Uint32Array | null, column: number): Work<ColumnStats> {
	const {reading, numbers: read, kinds} = yield* within(readColumn(table, column), 0, 0.5);
	const shown = rows?.length ?? table.count;
	const numbers = new Float64Array(shown);
	const rowAt = (at: number): number => rows?.[at] ?? at;
	let [count, gaps, numberCount] = [0, 0, 0];
	for (let at = 0; at < shown; at++) {
		const kind = kinds[rowAt(at)] ?? 0;
		if (kind !== MISSING) count++;
		else if (table.isGap?.(rowAt(at)) === true) gaps++;
		if ((kind & NUMBER) !== 0) numberCount++;
	}
	const isNumbers = count > 0 && numberCount === count;
	const isDates = reading.kind === 'dates';
	/** Frequency of each text. Null as soon as there are too many distinct texts. */
	let seen: Map<string, number> | null = new Map();
	let [sum, low, high] = [0, Infinity, -Infinity];
	let lowRow: number | null = null;
	let highRow: number | null = null;
	let first: string | null = null;
	let last: string | null = null;
	numberCount = 0;
	for (let at = 0; at < shown; at++) {
		if (at % STEP === STEP - 1) yield 0.5 + at / shown / 2;
		const row = rowAt(at);
		if (kinds[row] === MISSING) continue;
		if (seen !== null || !isNumbers) {
			const text = table.cell(row, column);
			seen?.set(text, (seen.get(text) ?? 0) + 1);
			if (seen !== null && seen.size > MOST_DISTINCT) seen = null;
			if (!isDates && (first === null || text < first)) first = text;
			if (!isDates && (last === null || text > last)) last = text;
		}
		if (!isNumbers && !isDates) continue;
		const number = read[row] ?? 0;
		if (isNumbers) numbers[numberCount++] = number;
		sum += number;
		if (lowRow === null || number < low) [low, lowRow] = [number, row];
		if (highRow === null || number > high) [high, highRow] = [number, row];
	}
	const textAt = (row: number | null): string | null => (row === null ? null : table.cell(row, column));
	return {
		kind: count === 0 ? 'nothing' : isNumbers ? 'numbers' : 'text',
		count,
		reading,
		missing: shown - count - gaps,
		min: isNumbers || isDates ? textAt(lowRow) : first,
		max: isNumbers || isDates ? textAt(highRow) : last,
		mean: isNumbers ? sum / count : null,
		distinct: seen?.size ?? null,
		bars: isNumbers
			? binned(numbers.subarray(0, numberCount), low, high)
			: seen === null || seen.size === count
				? []
				: [...seen]
						.sort(([, one], [, other]) => other - one)
						.slice(0, BINS)
						.map(([name, times]) => ({name, count: times})),
	};
}
