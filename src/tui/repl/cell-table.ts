import {readHtml, type HtmlTable} from '../../text/output/html-text.ts';
import {joined} from '../../text/output/multiline.ts';
import {fieldsOf} from '../../text/record.ts';
import type {CellOutput} from '../../contract/cells.ts';

/** The last table among a cell's outputs; a sentence where there is none that stands exactly as its HTML says. */
export const tableIn = (outputs: readonly CellOutput[]): HtmlTable | string => {
	const found = outputs.flatMap(each => {
		const html = joined(fieldsOf(each['data'])['text/html']);
		return html === '' ? [] : readHtml(html).filter(part => part.kind === 'table');
	});
	const last = found.at(-1);
	if (last === undefined) return 'This cell has no table: a data frame at the end of its code gives one';
	return last.isExact ? last : 'The HTML of this table is not exact: its text is above';
};
