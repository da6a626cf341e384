import {inlineText, type MarkdownOptions} from './inline.ts';
import type {Block} from './block.ts';
import {tableRows} from './table.ts';
import {block as safeBlock} from '../safe.ts';
import {hanging} from '../width/hanging.ts';
import {cellWidth, cut} from '../width/width.ts';
import {wrap, wrapLine} from '../width/wrap.ts';

export type CodeBlock = {
	/** Index of the block's head, and its number of rows with the head. */
	readonly row: number;
	readonly rows: number;
	readonly language: string;
	/** Width of the block in cells, and the prefix of its head. */
	readonly width: number;
	readonly before: string;
	/**
	 * Code within the fence, with line ends. Unchanged, except that the prefixes of an enclosing
	 * list or quote are removed.
	 */
	readonly code: string;
};

export type Sink = {readonly rows: string[]; readonly codes: CodeBlock[]};

/** Maximum displayed length of a line of code, in UTF-16 units. */
const LONGEST_CODE = 8000;

/** Line of code as text that is safe for the screen. Cuts long lines. */
export const codeText = (line: string): string => {
	const cutOff = line.length - LONGEST_CODE;
	return safeBlock(line.slice(0, LONGEST_CODE)) + (cutOff > 0 ? ` … ${cutOff} more characters` : '');
};

/**
 * Part of a line of code that fits in a row. `before`: prefix of the row. `from`: offset of the
 * part in the line.
 */
export type CodePart = {readonly before: string; readonly text: string; readonly from: number};

/** Splits a line of code into parts that fit in `cells` cells, including their prefixes. */
export const codeParts = (line: string, cells: number, look: MarkdownOptions): readonly CodePart[] => {
	let end = 0;
	return hanging(line, cells).map(({before, text}) => {
		if (before === null) {
			end = text.length;
			return {before: '', text, from: 0};
		}
		// Searches for the part, because wrapping drops the spaces at a line break.
		const from = Math.max(end, line.indexOf(text, end));
		end = from + text.length;
		return {before: `${' '.repeat(before)}${look.paint('dim', look.goesOn)} `, text, from};
	});
};

/** Row above code: its language, and `right` at the end if there is room. */
export const codeTop = (language: string, right: string, width: number, look: MarkdownOptions): string => {
	const cells = Math.min(width, look.measure);
	const name = cut(safeBlock(language || 'code').replaceAll('\n', ' '), cells);
	const gap = cells - cellWidth(name) - cellWidth(right);
	return look.paint('dim', name) + (right === '' || gap < 2 ? '' : ' '.repeat(gap) + right);
};

/** Cells for a line of code, beside the rule at its left. */
export const codeCells = (width: number): number => Math.max(2, width - 2);

export const codeLine = (line: string, width: number, look: MarkdownOptions): readonly string[] => {
	const side = look.paint('dim', look.bar);
	return codeParts(codeText(line), codeCells(width), look).map(({before, text}) =>
		`${side} ${before}${text}`.trimEnd(),
	);
};

/** Adds the head of a code block, below a blank row unless it is the first row. */
export const putCodeTop = (language: string, width: number, look: MarkdownOptions, sink: Sink): void => {
	if (sink.rows.length > 0) sink.rows.push('');
	sink.rows.push(codeTop(language, '', width, look));
};

/** Renders indented code. Fenced code is rendered line by line, as it arrives. */
const layCode = (lines: readonly string[], width: number, look: MarkdownOptions, sink: Sink): void => {
	putCodeTop('', width, look, sink);
	const row = sink.rows.length - 1;
	for (const line of lines) for (const each of codeLine(line, width, look)) sink.rows.push(each);
	sink.codes.push({
		row,
		rows: sink.rows.length - row,
		language: '',
		width,
		before: '',
		code: lines.map(line => `${line}\n`).join(''),
	});
};

/**
 * Adds the rows of `inner` with a prefix: `first` before the first row, `more` before the others.
 */
const putBehind = (first: string, more: string, inner: Sink, sink: Sink): void => {
	const from = sink.rows.length;
	const mark = (row: number): string => (row === 0 ? first : more);
	for (const [index, row] of (inner.rows.length === 0 ? [''] : inner.rows).entries())
		sink.rows.push((mark(index) + row).trimEnd());
	for (const each of inner.codes)
		sink.codes.push({...each, row: each.row + from, before: mark(each.row) + each.before});
};

/** Minimum inner width of quotes and lists, in cells. Narrower ones are shown as plain text. */
const NARROWEST = 8;

/** Width for code and tables, and the smaller one for prose, in cells. */
export type Widths = {readonly width: number; readonly prose: number};

/**
 * Renders a block. `number`: position of an ordered item in its list. `inner` renders the content
 * of a quote or item. Null if the nesting is too deep.
 */
export const renderBlock = (
	scanned: Block,
	number: number | null,
	{width, prose}: Widths,
	look: MarkdownOptions,
	sink: Sink,
	inner: ((lines: readonly string[], widths: Widths) => Sink) | null,
): void => {
	switch (scanned.type) {
		case 'heading': {
			const style = scanned.depth <= 2 ? 'heading' : 'strong';
			const text = inlineText(scanned.text, look, [style]);
			for (const line of text.split('\n')) sink.rows.push(...wrapLine(look.paint(style, line), prose));
			return;
		}
		case 'rule':
			sink.rows.push(look.paint('dim', look.rule.repeat(prose)));
			return;
		case 'paragraph':
			sink.rows.push(...wrap(inlineText(scanned.text, look), prose));
			return;
		case 'code':
			return layCode(scanned.lines, width, look, sink);
		case 'table':
			for (const row of tableRows(scanned, width, look)) sink.rows.push(row);
			return;
		case 'quote':
		case 'item': {
			const mark =
				scanned.type === 'quote'
					? `${look.bar} `
					: scanned.number === null
						? `${look.bullet} `
						: `${number ?? scanned.number}${scanned.delimiter} `;
			const painted = look.paint(scanned.type === 'quote' ? 'dim' : 'accent', mark);
			const more = scanned.type === 'quote' ? painted : ' '.repeat(cellWidth(mark));
			const room = {width: width - cellWidth(mark), prose: prose - cellWidth(mark)};
			if (inner !== null && room.prose >= NARROWEST)
				putBehind(painted, more, inner(scanned.lines, room), sink);
			else sink.rows.push(...wrap(safeBlock(scanned.lines.join('\n')), prose));
		}
	}
};

/** Number of the next item of an ordered list. Null if no such list is open. */
export type Counting = {readonly delimiter: string; readonly next: number} | null;

export const countOn = (
	counting: Counting,
	scanned: Block,
): {readonly number: number | null; readonly counting: Counting} => {
	if (scanned.type !== 'item' || scanned.number === null) return {number: null, counting: null};
	const number = counting?.delimiter === scanned.delimiter ? counting.next : scanned.number;
	return {number, counting: {delimiter: scanned.delimiter, next: number + 1}};
};
