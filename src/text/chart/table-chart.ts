// Computes a chart from the rows of a table. Works in steps, so that keys are handled in between.
import {label} from '../safe.ts';
import {shownName} from '../table/column-format.ts';
import {dateIn} from '../table/dates.ts';
import {MISSING, NUMBER, readColumn, STEP, within} from '../table/read-column.ts';
import type {Table} from '../table/table.ts';
import type {Work} from '../table/work.ts';
import {
	CHART_BINS,
	CHART_HEIGHT,
	CHART_WIDTH,
	MOST_BARS,
	positionOn,
	type Axis,
	type Bucket,
	type Chart,
	type ChartColumns,
} from './chart.ts';

/** Maximum number of distinct texts that are counted individually. */
const MOST_DISTINCT = 100_000;

type Values = {readonly numbers: Float64Array; readonly isDates: boolean};

const axisOf = (values: Float64Array, isDates: boolean): Axis | null => {
	let [min, max] = [Infinity, -Infinity];
	for (const value of values) {
		if (value < min) min = value;
		if (value > max) max = value;
	}
	return min > max ? null : {min, max, isDates};
};

/** Values of a column by row: NaN if a value is not a number. Null if the column contains text. */
function* valuesOf(table: Table, column: number): Work<Values | null> {
	const {numbers, kinds, reading} = yield* within(readColumn(table, column), 0, 0.8);
	if (reading.kind === 'dates') return {numbers, isDates: true};
	let [present, numberCount] = [0, 0];
	for (const kind of kinds) {
		if (kind !== MISSING) present++;
		if ((kind & NUMBER) !== 0) numberCount++;
	}
	if (present > 0 && numberCount * 2 > present)
		return {numbers: numbers.map(each => (Number.isFinite(each) ? each : Number.NaN)), isDates: false};
	const dates = new Float64Array(table.count).fill(Number.NaN);
	let [read, found] = [0, 0];
	for (let at = 0; at < table.count; at++) {
		if (kinds[at] !== MISSING) {
			const date = dateIn(table.cell(at, column), 'year first');
			dates[at] = date;
			read++;
			if (!Number.isNaN(date)) found++;
			// No date in the first 200 values: a text column, so the rest is not read.
			if (read === 200 && found === 0) return null;
		}
		if (at % STEP === STEP - 1) yield 0.8 + (at / table.count) * 0.2;
	}
	return found > 0 && found * 2 > read ? {numbers: dates, isDates: true} : null;
}

function* frequentValues(table: Table, rows: Uint32Array | null, column: number): Work<Chart> {
	const counts = new Map<string, number>();
	const shown = rows?.length ?? table.count;
	let [missing, isAll] = [0, true];
	const {kinds} = yield* within(readColumn(table, column), 0, 0.5);
	for (let at = 0; at < shown; at++) {
		const row = rows?.[at] ?? at;
		if (at % STEP === STEP - 1) yield 0.5 + at / shown / 2;
		if (kinds[row] === MISSING) {
			if (table.isGap?.(row) !== true) missing++;
			continue;
		}
		const text = table.cell(row, column);
		const before = counts.get(text);
		if (before !== undefined || counts.size < MOST_DISTINCT) counts.set(text, (before ?? 0) + 1);
		else isAll = false;
	}
	const bars = [...counts]
		.sort(([, one], [, other]) => other - one)
		.slice(0, MOST_BARS)
		.map(([name, count]) => ({name, count}));
	return {chart: 'bars', bars, distinct: isAll ? counts.size : null, missing};
}

const histogram = (values: Float64Array, isDates: boolean, missing: number): Chart => {
	const x = axisOf(values, isDates);
	if (x === null) return {chart: 'histogram', x, counts: [], missing};
	const counts = Array.from({length: CHART_BINS}, () => 0);
	const at = positionOn(x, CHART_BINS);
	for (const value of values) counts[at(value)] = (counts[at(value)] ?? 0) + 1;
	return {chart: 'histogram', x, counts, missing};
};

const bucketsOf = (xs: Float64Array, ys: Float64Array, x: Axis): readonly Bucket[] => {
	const at = positionOn(x, CHART_WIDTH);
	const buckets: [number, number, number, number, number][] = [];
	for (let point = 0; point < xs.length; point++) {
		const place = at(xs[point] ?? 0);
		const y = ys[point] ?? 0;
		const last = buckets.at(-1);
		if (last?.[0] !== place) buckets.push([place, y, y, y, y]);
		else {
			last[2] = Math.min(last[2], y);
			last[3] = Math.max(last[3], y);
			last[4] = y;
		}
	}
	return buckets;
};

/** Values of the two axes for the rows that have both. */
const pairsOf = (across: Float64Array, upward: Float64Array): readonly [Float64Array, Float64Array] => {
	const isPair = (at: number): boolean => !Number.isNaN(across[at]) && !Number.isNaN(upward[at]);
	const places = Array.from(across.keys()).filter(isPair);
	return [Float64Array.from(places, at => across[at] ?? 0), Float64Array.from(places, at => upward[at] ?? 0)];
};

const sorted = (
	xs: Float64Array,
	ys: Float64Array,
): readonly [across: Float64Array, upward: Float64Array] => {
	if (xs.every((x, at) => at === 0 || (xs[at - 1] ?? 0) <= x)) return [xs, ys];
	const order = Uint32Array.from(xs.keys()).sort((one, other) => (xs[one] ?? 0) - (xs[other] ?? 0));
	return [Float64Array.from(order, at => xs[at] ?? 0), Float64Array.from(order, at => ys[at] ?? 0)];
};

/**
 * Chart of the rows in `rows`, or of all rows if null. A string result is the reason why there is
 * none.
 */
export function* tableChart(
	table: Table,
	rows: Uint32Array | null,
	{kind, column, against}: ChartColumns,
): Work<Chart | string> {
	const asText = (each: number): string =>
		`Only numbers and dates can be drawn, and ${label(shownName(table, each) || 'the index', 40)} has other values`;
	const isGap = (row: number): boolean => table.isGap?.(row) === true;
	const places = (rows ?? Uint32Array.from({length: table.count}, (_, at) => at)).filter(row => !isGap(row));
	const ofRows = ({numbers}: Values): Float64Array =>
		Float64Array.from(places, row => numbers[row] ?? Number.NaN);
	const upward = yield* within(valuesOf(table, column), 0, 0.5);
	if (upward === null)
		return kind === 'histogram' ? yield* within(frequentValues(table, rows, column), 0.5, 1) : asText(column);
	const all = ofRows(upward);
	if (kind === 'histogram') {
		const values = all.filter(each => !Number.isNaN(each));
		return histogram(values, upward.isDates, all.length - values.length);
	}
	const side = against === null ? null : yield* within(valuesOf(table, against), 0.5, 1);
	if (against !== null && side === null) return asText(against);
	const across = side === null ? Float64Array.from(places.keys(), at => at + 1) : ofRows(side);
	const [xs, ys] = pairsOf(across, all);
	const x = axisOf(xs, side?.isDates === true);
	const y = axisOf(ys, upward.isDates);
	const about = {x, y, count: xs.length, missing: all.length - xs.length};
	if (x === null || y === null)
		return kind === 'line' ? {chart: kind, ...about, buckets: []} : {chart: kind, ...about, dots: []};
	if (kind === 'line') return {chart: kind, ...about, buckets: bucketsOf(...sorted(xs, ys), x)};
	const [atX, atY] = [positionOn(x, CHART_WIDTH), positionOn(y, CHART_HEIGHT)];
	const dots = new Set<number>();
	for (let at = 0; at < xs.length; at++) dots.add(atY(ys[at] ?? 0) * CHART_WIDTH + atX(xs[at] ?? 0));
	return {chart: kind, ...about, dots: [...dots]};
}
