import type {Table} from '../table.ts';

/** Maximum number of fields that are read of a file whose rows are not text. */
export const MOST_FIELDS = 1_000_000;
export const MOST_COLUMNS = 5000;

/** Columns of a file, and as many of its rows as fit. */
export type Sheet = {
	readonly names: readonly string[];
	/** Types as the file names them. */
	readonly types: readonly string[];
	readonly numbers: readonly boolean[];
	readonly rows: readonly (readonly string[])[];
	/** Number of rows and columns in the file. */
	readonly total: number;
	readonly columns: number;
};

/** Number of rows of this many columns that are read. */
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
