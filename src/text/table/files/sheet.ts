import type {Table} from '../table.ts';

/** Maximum number of fields that are read from a binary file. */
export const MOST_FIELDS = 1_000_000;
export const MOST_COLUMNS = 5000;

/** Columns of a file, and as many of its rows as the limits allow. */
export type Sheet = {
	readonly names: readonly string[];
	/** Column types as the file names them. */
	readonly types: readonly string[];
	readonly numbers: readonly boolean[];
	readonly rows: readonly (readonly string[])[];
	/** Number of rows and columns in the file. */
	readonly total: number;
	readonly columns: number;
};

/** Number of rows to read from a file with this many columns. */
export const rowsToRead = (rows: number, columns: number): number =>
	Math.min(rows, Math.max(1, Math.floor(MOST_FIELDS / Math.max(1, columns))));

export const sheetTable = ({names, types, numbers, rows, total, columns}: Sheet): Table => ({
	names,
	index: 0,
	count: rows.length,
	complete: true,
	share: 1,
	isUnsure: false,
	otherHead: null,
	whole:
		rows.length < total || names.length < columns
			? {rows: total, columns, shownRows: rows.length, shownColumns: names.length}
			: null,
	typeOf: column => ({name: types[column] ?? '', isNumber: numbers[column] ?? false}),
	advance() {},
	row: at => rows[at] ?? [],
	cell: (at, column) => rows[at]?.[column] ?? '',
	raw: () => null,
});
