// Chart data of one or two columns, reduced to the resolution of a screen.
import type {Bar} from '../table/column-stats.ts';

export type ChartKind = 'histogram' | 'line' | 'scatter';

/** `against`: column of the x axis. Null: the x axis is the row number. */
export type ChartColumns = {
	readonly kind: ChartKind;
	readonly column: number;
	readonly against: number | null;
};

/** Range of an axis. `isDates`: its numbers are dates, in ms since 1970. */
export type Axis = {readonly min: number; readonly max: number; readonly isDates: boolean};

/**
 * Vertical slice of a line chart: its position on the x axis, and the first, lowest, highest and
 * last value in it.
 */
export type Bucket = readonly [at: number, first: number, low: number, high: number, last: number];

/** An axis is null if it has no values. `missing`: number of rows without a value for the chart. */
export type Chart =
	| {
			readonly chart: 'histogram';
			readonly x: Axis | null;
			/** Number of values in each of the equally wide ranges. */
			readonly counts: readonly number[];
			readonly missing: number;
	  }
	| {
			readonly chart: 'bars';
			/** Most frequent values, in descending order of frequency. */
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
			/**
			 * Indexes of the positions that have a point. The rows have `CHART_WIDTH` positions
			 * each, from the lowest row up.
			 */
			readonly dots: readonly number[];
	  };

/**
 * Number of positions on each axis, which is more than a screen has. Same as in `data_charts.py`.
 */
export const CHART_WIDTH = 400;
export const CHART_HEIGHT = 200;
export const CHART_BINS = 40;
export const MOST_BARS = 30;

/** Returns a function that maps a value to one of `size` equal parts of an axis, from 0. */
export const positionOn = ({min, max}: Axis, size: number): ((value: number) => number) => {
	const span = max - min || 1;
	return value => Math.min(size - 1, Math.floor(((value - min) / span) * size));
};
