import {csvTable, jsonLinesTable, type Table} from './table.ts';

/** Table of a file's text, by the ending of its path. Null if it is not a table. */
export const tableOfText = (path: string, text: string): Table | null => {
	switch (path.toLowerCase().split('.').at(-1)) {
		case 'csv':
			return csvTable(text);
		case 'tsv':
		case 'tab':
			return csvTable(text, '\t');
		case 'jsonl':
		case 'ndjson':
			return jsonLinesTable(text);
		default:
			return null;
	}
};
