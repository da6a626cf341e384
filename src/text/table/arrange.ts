// Which rows of a table are shown and in which order. Each is a generator: it gives way again and again, so that keys are answered meanwhile.
import type {Table} from './table.ts';
import {exactOrder, isLong, isMissing, numberOf} from './values.ts';

export type Sort = {readonly column: number; readonly direction: 'up' | 'down'};

/** Work that tells how much of it is done, from 0 to 1, each time it gives way. */
export type Work<T> = Generator<number, T, void>;

/** Rows between two times that work gives way: well below a frame. */
const STEP = 2000;
const RUN = 1024;

/** Letter case counts only when what was typed has a capital letter, as in every search. */
const testOf = (words: string): ((text: string) => boolean) =>
	words === words.toLowerCase() ? text => text.toLowerCase().includes(words) : text => text.includes(words);

/** The rows in which some field holds the words. */
export function* filterRows(table: Table, words: string): Work<Uint32Array> {
	const holds = testOf(words);
	const found = new Uint32Array(table.count);
	let count = 0;
	for (let at = 0; at < table.count; at++) {
		const raw = table.raw(at);
		if ((raw === null || holds(raw)) && table.row(at).some(holds)) found[count++] = at;
		if (at % STEP === STEP - 1) yield at / table.count;
	}
	return found.slice(0, count);
}

/** Rows in the order of a column: numbers as numbers, before texts; what is missing last, either way. Rows that are equal keep their order. */
export function* sortRows(
	table: Table,
	rows: Uint32Array | null,
	{column, direction}: Sort,
): Work<Uint32Array> {
	const count = rows?.length ?? table.count;
	const numbers = new Float64Array(count);
	/** Texts, and numbers that may be one as floats and are not. */
	const texts: string[] = [];
	let [kept, missing] = [new Uint32Array(count), new Uint32Array(count)];
	let [keptCount, missingCount] = [0, 0];
	for (let at = 0; at < count; at++) {
		const text = table.cell(rows?.[at] ?? at, column);
		if (isMissing(text)) missing[missingCount++] = at;
		else {
			kept[keptCount++] = at;
			const number = numberOf(text, table.decimal);
			numbers[at] = number ?? Number.NaN;
			if (number === undefined || isLong(text)) texts[at] = text;
		}
		if (at % STEP === STEP - 1) yield (at / count) * 0.6;
	}
	const sign = direction === 'up' ? 1 : -1;
	const written = (at: number): string => texts[at] ?? table.cell(rows?.[at] ?? at, column);
	const compare = (one: number, other: number): number => {
		const a = numbers[one] ?? 0;
		const b = numbers[other] ?? 0;
		if (a < b) return -sign;
		if (a > b) return sign;
		const [isText, isOtherText] = [Number.isNaN(a), Number.isNaN(b)];
		if (isText && isOtherText) {
			const [text = '', otherText = ''] = [texts[one], texts[other]];
			return text < otherText ? -sign : text > otherText ? sign : one - other;
		}
		if (isText !== isOtherText) return isText ? sign : -sign;
		if (texts[one] === undefined && texts[other] === undefined) return one - other;
		return sign * exactOrder(written(one), written(other), table.decimal) || one - other;
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
	const sorted = new Uint32Array(count);
	sorted.set(kept);
	sorted.set(missing, keptCount);
	return rows === null ? sorted : sorted.map(at => rows[at] ?? 0);
}
