import {readHtml} from '../../text/output/html-text.ts';
import {htmlTable, sizeIn} from '../../text/table/html-table.ts';
import type {Table} from '../../text/table/table.ts';
import {joinMultiline} from '../../text/output/multiline.ts';
import {fieldsOf} from '../../text/record.ts';
import type {CellOutput} from '../../contract/cells.ts';

/**
 * The last table among a cell's outputs. A sentence if there is none, or if its HTML cannot be laid
 * out exactly.
 */
export const tableIn = (outputs: readonly CellOutput[]): Table | string => {
	const found = outputs.flatMap(each => {
		const html = joinMultiline(fieldsOf(each['data'])['text/html']);
		if (html === '') return [];
		const parts = readHtml(html);
		// Pandas writes the size of the frame below its table, Polars above it.
		return parts.flatMap((part, at) => {
			if (part.kind !== 'table') return [];
			const [below, above] = [parts[at + 1], parts[at - 1]].map(each =>
				each?.kind === 'text' ? each.text : '',
			);
			return [{part, size: sizeIn(below ?? '') ?? sizeIn(above ?? '')}];
		});
	});
	const last = found.at(-1);
	if (last === undefined) return 'This cell has no table: a data frame at the end of its code gives one';
	return last.part.isExact
		? htmlTable(last.part, last.size)
		: 'This table cannot be laid out exactly: its text is above';
};
