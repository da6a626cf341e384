import type {Work} from './arrange.ts';
import type {Table} from './table.ts';
import {isMissing, numberOf} from './values.ts';

/** A bar of a histogram: what it stands for, and how often that is there. */
export type Bar = {readonly name: string; readonly count: number};

/** What there is to know of a column, of the rows that are shown. */
export type ColumnFacts = {
	readonly kind: 'numbers' | 'text' | 'nothing';
	/** Rows that have a value, and that have none. */
	readonly count: number;
	readonly missing: number;
	/** As the field says it. */
	readonly min: string | null;
	readonly max: string | null;
	/** Of numbers. */
	readonly mean: number | null;
	/** Different values; null: more than are counted. */
	readonly distinct: number | null;
	/** Numbers in ranges of equal width, or the most frequent texts; empty where neither tells anything. */
	readonly bars: readonly Bar[];
};

const STEP = 2000;
export const MOST_DISTINCT = 100_000;
const BINS = 8;

const short = (value: number): string =>
	Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value) : String(Number(value.toPrecision(4)));

/** How many numbers lie in each of some equal ranges. */
const binned = (numbers: Float64Array, min: number, max: number): readonly Bar[] => {
	if (!(max > min) || !Number.isFinite(max - min)) return [];
	const counts = Array.from({length: BINS}, () => 0);
	for (const number of numbers) {
		const bin = Math.min(BINS - 1, Math.floor(((number - min) / (max - min)) * BINS));
		counts[bin] = (counts[bin] ?? 0) + 1;
	}
	return counts.map((count, bin) => ({name: short(min + ((max - min) * bin) / BINS), count}));
};

export function* columnFacts(table: Table, rows: Uint32Array | null, column: number): Work<ColumnFacts> {
	const total = rows?.length ?? table.count;
	const numbers = new Float64Array(total);
	/** How often each text is there, as long as they can be counted. */
	let seen: Map<string, number> | null = new Map();
	let [count, numberCount, sum, low, high] = [0, 0, 0, Infinity, -Infinity];
	let lowText: string | null = null;
	let highText: string | null = null;
	let first: string | null = null;
	let last: string | null = null;
	for (let at = 0; at < total; at++) {
		if (at % STEP === STEP - 1) yield at / total;
		const text = table.cell(rows?.[at] ?? at, column);
		if (isMissing(text)) continue;
		count++;
		if (seen) {
			seen.set(text, (seen.get(text) ?? 0) + 1);
			if (seen.size > MOST_DISTINCT) seen = null;
		}
		if (first === null || text < first) first = text;
		if (last === null || text > last) last = text;
		const number = numberOf(text, table.decimal);
		if (number === undefined) continue;
		numbers[numberCount++] = number;
		sum += number;
		if (number < low) [low, lowText] = [number, text];
		if (number > high) [high, highText] = [number, text];
	}
	const isNumbers = count > 0 && numberCount === count;
	return {
		kind: count === 0 ? 'nothing' : isNumbers ? 'numbers' : 'text',
		count,
		missing: total - count,
		min: isNumbers ? lowText : first,
		max: isNumbers ? highText : last,
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
