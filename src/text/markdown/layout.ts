import {inlineText, type MarkdownOptions} from './inline.ts';
import type {Block} from './block.ts';
import {tableRows} from './table.ts';
import {block as safeBlock} from '../safe.ts';
import {hanging} from '../width/hanging.ts';
import {cellWidth, cut, fit} from '../width/width.ts';
import {wrap, wrapLine} from '../width/wrap.ts';

/** A code block among the rows. */
export type CodeBlock = {
	/** Index of its upper edge among the rows, and how many rows it has with both edges. */
	readonly row: number;
	readonly rows: number;
	readonly language: string;
	/** Cells of its box, and what stands before it on the row of its upper edge. */
	readonly width: number;
	readonly before: string;
	/** The lines within the fence, each with its line end; as they came where they are not within a list or a quote. */
	readonly code: string;
};

export type Sink = {readonly rows: string[]; readonly codes: CodeBlock[]};

/** UTF-16 units of one line of code that are shown. */
const LONGEST_CODE = 8000;

/** A line of code, safe to show. */
export const codeText = (line: string): string => {
	const cutOff = line.length - LONGEST_CODE;
	return safeBlock(line.slice(0, LONGEST_CODE)) + (cutOff > 0 ? ` … ${cutOff} more characters` : '');
};

/** A part of a line of code that stands in a row: what stands before it, and from which UTF-16 unit of the line it is. */
export type CodePart = {readonly before: string; readonly text: string; readonly from: number};

/** A line of code in parts that fit, with what stands before them, into `cells` cells. */
export const codeParts = (line: string, cells: number, look: MarkdownOptions): readonly CodePart[] => {
	let end = 0;
	return hanging(line, cells).map(({before, text}) => {
		if (before === null) {
			end = text.length;
			return {before: '', text, from: 0};
		}
		// The spaces at a break are left out.
		const from = Math.max(end, line.indexOf(text, end));
		end = from + text.length;
		return {before: `${' '.repeat(before)}${look.paint('dim', look.goesOn)} `, text, from};
	});
};

/** The upper edge of a code box; `right` stands at its end as far as there is room. */
export const codeTop = (language: string, right: string, width: number, look: MarkdownOptions): string => {
	const [left, end] = look.corners;
	const name =
		language === '' ? '' : ` ${cut(safeBlock(language).replaceAll('\n', ' '), Math.max(1, width - 8))} `;
	const shown = right !== '' && cellWidth(name) + cellWidth(right) + 8 <= width ? ` ${right} ` : '';
	const rule = look.rule.repeat(Math.max(0, width - 2 - cellWidth(name) - cellWidth(shown)));
	return (
		look.paint('dim', left) +
		look.paint('accent', name) +
		look.paint('dim', rule) +
		shown +
		look.paint('dim', end)
	);
};

export const codeBottom = (width: number, look: MarkdownOptions): string =>
	look.paint('dim', look.corners[2] + look.rule.repeat(Math.max(0, width - 2)) + look.corners[3]);

/** Cells within a box of `width` cells. */
export const codeCells = (width: number): number => Math.max(2, width - 4);

/** A line of code between the sides of its box. */
export const codeLine = (line: string, width: number, look: MarkdownOptions): readonly string[] => {
	const side = look.paint('dim', look.bar);
	const cells = codeCells(width);
	return codeParts(codeText(line), cells, look).map(
		({before, text}) => `${side} ${fit(before + text, cells)} ${side}`,
	);
};

/** Code that is indented; a fence's is laid out line by line, as it comes. */
const layCode = (lines: readonly string[], width: number, look: MarkdownOptions, sink: Sink): void => {
	const row = sink.rows.length;
	sink.rows.push(codeTop('', '', width, look));
	for (const line of lines) for (const each of codeLine(line, width, look)) sink.rows.push(each);
	sink.rows.push(codeBottom(width, look));
	sink.codes.push({
		row,
		rows: sink.rows.length - row,
		language: '',
		width,
		before: '',
		code: lines.map(line => `${line}\n`).join(''),
	});
};

/** Puts inner rows behind a mark: the first has `first` before it, the others `more`. */
const putBehind = (first: string, more: string, inner: Sink, sink: Sink): void => {
	const from = sink.rows.length;
	const mark = (row: number): string => (row === 0 ? first : more);
	for (const [index, row] of (inner.rows.length === 0 ? [''] : inner.rows).entries())
		sink.rows.push((mark(index) + row).trimEnd());
	for (const each of inner.codes)
		sink.codes.push({...each, row: each.row + from, before: mark(each.row) + each.before});
};

/** Narrower quotes and lists are shown as text. */
const NARROWEST = 8;

/** Lays a block out. `number`: of an ordered item, in its list. `inner` lays out what stands in a quote or item; null where that is too deep. */
export const renderBlock = (
	scanned: Block,
	number: number | null,
	width: number,
	look: MarkdownOptions,
	sink: Sink,
	inner: ((lines: readonly string[], width: number) => Sink) | null,
): void => {
	switch (scanned.type) {
		case 'heading': {
			const style = scanned.depth <= 2 ? 'heading' : 'strong';
			const text = inlineText(scanned.text, look, [style]);
			for (const line of text.split('\n')) sink.rows.push(...wrapLine(look.paint(style, line), width));
			return;
		}
		case 'rule':
			sink.rows.push(look.paint('dim', look.rule.repeat(width)));
			return;
		case 'paragraph':
			sink.rows.push(...wrap(inlineText(scanned.text, look), width));
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
			const room = width - cellWidth(mark);
			if (inner !== null && room >= NARROWEST) putBehind(painted, more, inner(scanned.lines, room), sink);
			else sink.rows.push(...wrap(safeBlock(scanned.lines.join('\n')), width));
		}
	}
};

/** Number of the next ordered item, as long as only items of that list come. */
export type Counting = {readonly delimiter: string; readonly next: number} | null;

export const countOn = (
	counting: Counting,
	scanned: Block,
): {readonly number: number | null; readonly counting: Counting} => {
	if (scanned.type !== 'item' || scanned.number === null) return {number: null, counting: null};
	const number = counting?.delimiter === scanned.delimiter ? counting.next : scanned.number;
	return {number, counting: {delimiter: scanned.delimiter, next: number + 1}};
};
