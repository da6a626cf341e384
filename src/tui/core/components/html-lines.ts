import type {HtmlPart} from '../../../text/output/html-text.ts';
import {block} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {htmlTableLines} from './html-table.ts';

/** HTML as rows of at most `width` cells: its text, and its tables as text tables, from number `left` of the columns that move. */
export const htmlLines = (parts: readonly HtmlPart[], width: number, left = 0): readonly string[] =>
	parts.flatMap(part =>
		part.kind === 'table' ? htmlTableLines(part, width, left) : wrap(block(part.text), width),
	);

/** Whether every cell of its tables stands where the HTML says. */
export const isExact = (parts: readonly HtmlPart[]): boolean =>
	parts.every(part => part.kind === 'text' || part.isExact);

/** True when HTML holds a table, which plain text tells less well. */
export const holdsTable = (html: string): boolean => /<table\b/i.test(html);
