import {pythonOfFile} from '../python.ts';
import type {Table} from '../table.ts';
import {MOST_COLUMNS} from './sheet.ts';
import type {XlsxSheet} from './xlsx.ts';

/** Table from a sheet. The first non-empty row is the header, unless `isHeadless`. */
export const xlsxTable = (
	path: string,
	name: string,
	sheet: XlsxSheet,
	isHeadless: boolean = false,
): Table => {
	const first = Math.max(
		0,
		sheet.rows.findIndex(row => row.length > 0),
	);
	const start = isHeadless ? first : first + 1;
	const rows = sheet.rows.slice(start);
	const width = Math.min(sheet.columns, MOST_COLUMNS);
	const header = isHeadless ? [] : (sheet.rows[first] ?? []);
	const total = Math.max(0, sheet.total - start);
	return {
		names: Array.from({length: width}, (_, column) => header[column] ?? ''),
		index: 0,
		count: rows.length,
		complete: true,
		share: 1,
		isUnsure: false,
		otherHead: () => xlsxTable(path, name, sheet, !isHeadless),
		whole:
			rows.length < total || width < sheet.columns
				? {rows: total, columns: sheet.columns, shownRows: rows.length, shownColumns: width}
				: null,
		python: () => pythonOfFile(path, 'xlsx', name, {skipped: first, isHeadless}),
		advance() {},
		row: at => rows[at] ?? [],
		cell: (at, column) => rows[at]?.[column] ?? '',
		raw: () => null,
	};
};
