import type {HtmlPart} from '../../../text/output/html-text.ts';
import {block} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {htmlTableLines} from './html-table.ts';

/**
 * HTML as rows of at most `width` cells: its text, and its tables as text tables. `left`: index of
 * the first visible scrolling column.
 */
export const htmlLines = (parts: readonly HtmlPart[], width: number, left = 0): readonly string[] =>
	parts.flatMap(part =>
		part.kind === 'table' ? htmlTableLines(part, width, left) : wrap(block(part.text), width),
	);

/** True if every table cell is drawn where the HTML puts it. */
export const isExact = (parts: readonly HtmlPart[]): boolean =>
	parts.every(part => part.kind === 'text' || part.isExact);

/** True if the HTML contains a table, which is less clear in the plain text of an output. */
export const holdsTable = (html: string): boolean => /<table\b/i.test(html);
