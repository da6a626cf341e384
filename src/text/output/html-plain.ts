import {alignedRow, columnWidths} from '../columns/text-table.ts';
import type {HtmlPart, HtmlTable} from './html-text.ts';

const GAP = 2;

/**
 * Lines of a table. The text of a cell that spans columns or rows is in its first column and row.
 */
const tableLines = ({rows, columns}: HtmlTable): readonly string[] => {
	const grid = rows.map(row => {
		const line = Array.from({length: columns}, () => '');
		for (const {column, text} of row) line[column] = text;
		return line;
	});
	const widths = columnWidths(grid);
	return grid.map(row => alignedRow(row, widths, {gap: GAP}));
};

/** HTML as plain text: paragraphs, and tables in aligned columns. */
export const htmlPlainText = (parts: readonly HtmlPart[]): string =>
	parts.map(part => (part.kind === 'text' ? part.text : tableLines(part).join('\n'))).join('\n');
