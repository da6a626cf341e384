import {csvTable, jsonLinesTable, type Table} from './table.ts';

/** The table that a file's text is, by the ending of its path; null where it is none. */
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
