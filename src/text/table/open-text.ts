import {csvTable, jsonLinesTable, type Table} from './table.ts';

/**
 * Table of a file's text, by the ending of its path. Null if it is not a table. `separator`: null
 * detects it.
 */
export const tableOfText = (path: string, text: string, separator: string | null = null): Table | null => {
	const isChosen = separator !== null;
	switch (path.toLowerCase().split('.').at(-1)) {
		case 'csv':
			return csvTable(text, separator ?? undefined, {isChosen});
		case 'tsv':
		case 'tab':
			return csvTable(text, separator ?? '\t', {isChosen});
		case 'jsonl':
		case 'ndjson':
			return jsonLinesTable(text);
		default:
			return null;
	}
};
