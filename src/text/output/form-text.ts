import {alignedRow, columnWidths} from '../columns/text-table.ts';
import {formOf, isBareName, type Bundle} from './forms.ts';
import {latexText} from '../latex/latex.ts';
import type {HtmlPart, HtmlTable} from './html-text.ts';
import {pictureForm} from './viewer-forms.ts';

const GAP = 2;

/** A cell over several columns or rows is in the first of them. */
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

/**
 * Value as plain text, for a pipe, the clipboard or a search. `note`: for an output without text, a
 * sentence about it and how to see it. Null if the text is complete.
 */
export type FormText = {
	readonly text: string;
	readonly note: {readonly what: string; readonly how: string} | null;
};

export const formText = (data: Bundle): FormText => {
	const form = formOf(data);
	const picture =
		form.kind === 'none' || (form.kind === 'text' && isBareName(form.text)) ? pictureForm(data) : null;
	if (picture !== null) return {text: '', note: picture};
	switch (form.kind) {
		case 'text':
		case 'markdown':
			return {text: form.text, note: null};
		case 'latex':
			return {text: latexText(form.text), note: null};
		case 'html':
			return {text: htmlPlainText(form.parts), note: null};
		case 'json':
			return {text: JSON.stringify(form.value, null, 2) ?? '', note: null};
		case 'viewer':
			return {text: form.text, note: form};
		case 'none':
			return {text: '', note: null};
	}
};
