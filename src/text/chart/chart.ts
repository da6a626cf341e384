// Data of a chart of one column or two, small enough for a screen.
import type {Bar} from '../table/column-stats.ts';

export type ChartKind = 'histogram' | 'line' | 'scatter';

/** `against`: the column of the x axis; null means the number of the row. */
export type ChartColumns = {
	readonly kind: ChartKind;
	readonly column: number;
	readonly against: number | null;
};

/** Range of an axis. `isDates`: its numbers are milliseconds since 1970. */
export type Axis = {readonly min: number; readonly max: number; readonly isDates: boolean};

/** Position of a part of a line on the x axis, and its first, lowest, highest and last value. */
export type Bucket = readonly [at: number, first: number, low: number, high: number, last: number];

/** An axis is null without values. `missing`: rows without a value for the chart. */
export type Chart =
	| {
			readonly chart: 'histogram';
			readonly x: Axis | null;
			/** Number of values in equal ranges. */
			readonly counts: readonly number[];
			readonly missing: number;
	  }
	| {
			readonly chart: 'bars';
			/** The most frequent values, the first one most often. */
			readonly bars: readonly Bar[];
			/** Number of distinct values; null if there are too many to count. */
			readonly distinct: number | null;
			readonly missing: number;
	  }
	| {
			readonly chart: 'line';
			readonly x: Axis | null;
			readonly y: Axis | null;
			readonly count: number;
			readonly missing: number;
			readonly buckets: readonly Bucket[];
	  }
	| {
			readonly chart: 'scatter';
			readonly x: Axis | null;
			readonly y: Axis | null;
			readonly count: number;
			readonly missing: number;
			/** Positions that have a point, by rows of `CHART_WIDTH` from the lowest row. */
			readonly dots: readonly number[];
	  };

/** Number of positions on the axes, more than a screen has. The same as in `data_charts.py`. */
export const CHART_WIDTH = 400;
export const CHART_HEIGHT = 200;
export const CHART_BINS = 40;
export const MOST_BARS = 30;

/** Finds the position of a value among equal parts of an axis. */
export const positionOn = ({min, max}: Axis, size: number): ((value: number) => number) => {
	const span = max - min || 1;
	return value => Math.min(size - 1, Math.floor(((value - min) / span) * size));
};
