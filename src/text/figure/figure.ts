// Data of a chart that its library draws in the browser.

export type SeriesKind = 'bar' | 'line' | 'points' | 'table';

/** Data series. Kind `table`: only the library can draw it, so the page shows a table instead. */
export type Series = {
	readonly name: string;
	readonly kind: SeriesKind;
	/** The library's own name for the kind of series. */
	readonly drawnAs: string;
	readonly x: readonly (string | number)[];
	/** Null for a missing value. */
	readonly y: readonly (number | null)[];
};

/** `tables`: all data of the figure. */
export type Figure = {
	readonly library: string;
	readonly title: string;
	readonly xTitle: string;
	readonly yTitle: string;
	readonly series: readonly Series[];
	readonly tables: readonly FigureTable[];
	/** Python call that saves the figure as the library itself draws it. */
	readonly save: string;
};

export type FigureTable = {
	readonly name: string;
	readonly columns: readonly string[];
	readonly rows: readonly (readonly string[])[];
};

/** Limits of a page: values that are drawn per series, and rows per table. */
export const MOST_VALUES = 20_000;
export const MOST_ROWS = 5000;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const cellText = (value: unknown): string =>
	value === null || value === undefined
		? ''
		: typeof value === 'object'
			? JSON.stringify(value)
			: String(value as string | number | boolean);

/** Title on one line, without HTML tags. */
export const titleText = (value: unknown): string =>
	cellText(value)
		.replaceAll(/<[^<>]*>/g, ' ')
		.replaceAll(/\s+/g, ' ')
		.trim();

export const numberOrNull = (value: unknown): number | null =>
	typeof value === 'number' && Number.isFinite(value) ? value : null;

export const nameOrNumber = (value: unknown): string | number =>
	typeof value === 'number' && Number.isFinite(value) ? value : cellText(value);

/** Table with a column for each field that occurs in the records. */
export const tableOfRecords = (name: string, records: readonly unknown[]): FigureTable => {
	const rows = records.slice(0, MOST_ROWS).map(row => new Map(Object.entries(Object(row) as object)));
	const columns = [...new Set(rows.flatMap(row => [...row.keys()]))].slice(0, 50);
	return {name, columns, rows: rows.map(row => columns.map(column => cellText(row.get(column))))};
};

/** Table from named columns. */
export const tableOfColumns = (
	name: string,
	columns: readonly (readonly [name: string, values: readonly unknown[]])[],
): FigureTable => {
	const shown = columns.slice(0, 50);
	const length = Math.min(MOST_ROWS, Math.max(0, ...shown.map(([, values]) => values.length)));
	return {
		name,
		columns: shown.map(([column]) => column),
		rows: Array.from({length}, (_, row) => shown.map(([, values]) => cellText(values[row]))),
	};
};
