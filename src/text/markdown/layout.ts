import {inlineText, type MarkdownLook} from './inline.ts';
import {isBlank, Lines, scanBlock, type Block, type TableHead} from './scan.ts';
import {tableRows} from './table.ts';
import {block as safeBlock} from '../safe.ts';
import {cellWidth, cut, eachToken, fit} from '../width/width.ts';
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

/** A text in parts of at most `cells` cells: broken at the width, since the columns of code mean something. */
export const codeParts = (text: string, cells: number): readonly string[] => {
	const rows: string[] = [];
	let row = '';
	let used = 0;
	eachToken(text, (token, width) => {
		if (used + width > cells && row !== '') {
			rows.push(row);
			row = '';
			used = 0;
		}
		row += token;
		used += width;
	});
	return [...rows, row];
};

/** The upper edge of a code box; `right` stands at its end as far as there is room. */
export const codeTop = (language: string, right: string, width: number, look: MarkdownLook): string => {
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

export const codeBottom = (width: number, look: MarkdownLook): string =>
	look.paint('dim', look.corners[2] + look.rule.repeat(Math.max(0, width - 2)) + look.corners[3]);

/** Cells within a box of `width` cells. */
export const codeCells = (width: number): number => Math.max(2, width - 4);

/** A line of code between the sides of its box. */
export const codeLine = (line: string, width: number, look: MarkdownLook): readonly string[] => {
	const side = look.paint('dim', look.bar);
	const cells = codeCells(width);
	return codeParts(codeText(line), cells).map(row => `${side} ${fit(row, cells)} ${side}`);
};

const layCode = (
	{fence, lines}: Extract<Block, {type: 'code'}>,
	width: number,
	look: MarkdownLook,
	sink: Sink,
): void => {
	const row = sink.rows.length;
	sink.rows.push(codeTop(fence.language, '', width, look));
	for (const line of lines) for (const each of codeLine(line, width, look)) sink.rows.push(each);
	sink.rows.push(codeBottom(width, look));
	sink.codes.push({
		row,
		rows: sink.rows.length - row,
		language: fence.language,
		width,
		before: '',
		code: lines.map(line => `${line}\n`).join(''),
	});
};

/** Puts rows of inner blocks behind a mark: the first has `first` before it, the others `more`. */
const within = (
	lines: readonly string[],
	first: string,
	more: string,
	width: number,
	look: MarkdownLook,
	sink: Sink,
	depth: number,
): void => {
	const inner: Sink = {rows: [], codes: []};
	layBlocks(lines, width - cellWidth(more), look, inner, depth + 1);
	const from = sink.rows.length;
	const mark = (row: number): string => (row === 0 ? first : more);
	if (inner.rows.length === 0) inner.rows.push('');
	for (const [index, row] of inner.rows.entries()) sink.rows.push((mark(index) + row).trimEnd());
	for (const each of inner.codes)
		sink.codes.push({...each, row: each.row + from, before: mark(each.row) + each.before});
};

/** Deeper and narrower quotes and lists are shown as text. */
const DEEPEST = 12;
const NARROWEST = 8;

/** Lays a block out. `number`: of an ordered item, in its list. */
export const layBlock = (
	scanned: Block,
	number: number | null,
	width: number,
	look: MarkdownLook,
	sink: Sink,
	depth = 0,
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
			return layCode(scanned, width, look, sink);
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
			if (depth < DEEPEST && width - cellWidth(mark) >= NARROWEST)
				within(scanned.lines, painted, more, width, look, sink, depth);
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

/** Lays out all blocks of some lines: one empty row where the source has any. */
export const layBlocks = (
	source: readonly string[],
	width: number,
	look: MarkdownLook,
	sink: Sink,
	depth: number,
): void => {
	let lines = new Lines(source.join('\n'));
	let at = 0;
	let gap = false;
	let continued = false;
	let counting: Counting = null;
	let above: TableHead | undefined;
	while (at < lines.all.length) {
		if (!continued && isBlank(lines.all[at] ?? '')) {
			gap = sink.rows.length > 0;
			above = undefined;
			at++;
			continue;
		}
		if (gap) sink.rows.push('');
		gap = false;
		const found = scanBlock(lines, at, continued, above);
		above = found.below;
		const counted = countOn(counting, found.block);
		counting = counted.counting;
		layBlock(found.block, counted.number, width, look, sink, depth);
		continued = found.rest !== null;
		if (found.rest === null) {
			at = found.end;
		} else {
			lines = new Lines([found.rest, ...lines.all.slice(found.end + 1)].join('\n'));
			at = 0;
		}
	}
};
