import {csvTable, jsonLinesTable, type Table} from './table.ts';

/**
 * Table from a file's text, by the ending of its path. Null if the file is not a table.
 * `separator`: null to detect it. `quote`: empty for no quotes, undefined to detect it.
 */
export const tableOfText = (
	path: string,
	text: string,
	separator: string | null = null,
	quote?: string,
): Table | null => {
	const isChosen = separator !== null;
	switch (path.toLowerCase().split('.').at(-1)) {
		case 'csv':
			return csvTable(text, separator ?? undefined, {isChosen, quote});
		case 'tsv':
		case 'tab':
			return csvTable(text, separator ?? '\t', {isChosen, quote});
		case 'jsonl':
		case 'ndjson':
			return jsonLinesTable(text);
		default:
			return null;
	}
};
