import {fitColumns, widthCounts} from '../columns/fit-columns.ts';
import {inlineText, type MarkdownOptions} from './inline.ts';
import type {Align, Block} from './block.ts';
import {cellWidth, fit} from '../width/width.ts';
import {wrap} from '../width/wrap.ts';

type Table = Extract<Block, {type: 'table'}>;

/**
 * Minimum width of a column in cells. If the columns do not fit at this width, each row becomes a
 * list.
 */
const NARROWEST = 5;
const GAP = 3;

/**
 * Column widths that fit: the natural widths, or else widths that split few words. Null if the
 * columns do not fit.
 */
const columnWidths = (columns: readonly (readonly string[])[], room: number): readonly number[] | null => {
	const needs = columns.map(cells => {
		const lines = cells.flatMap(cell => cell.split('\n'));
		const longest = (line: string): number =>
			line.split(' ').reduce((most, word) => Math.max(most, cellWidth(word)), 0);
		return {
			natural: Math.max(2, ...lines.map(cellWidth)),
			least: NARROWEST,
			counts: widthCounts(lines.map(longest)),
		};
	});
	const natural = needs.map(each => each.natural);
	return natural.reduce((sum, each) => sum + each, 0) <= room ? natural : fitColumns(needs, room);
};

const aligned = (text: string, cells: number, align: Align): string => {
	if (align !== 'center') return fit(text, cells, align);
	const before = Math.max(0, Math.floor((cells - cellWidth(text)) / 2));
	return fit(' '.repeat(before) + text, cells);
};

const rowLines = (
	cells: readonly string[],
	widths: readonly number[],
	aligns: readonly Align[],
	look: MarkdownOptions,
): readonly string[] => {
	const columns = cells.map((cell, column) => wrap(cell, Math.max(2, widths[column] ?? 2)));
	const height = Math.max(1, ...columns.map(lines => lines.length));
	return Array.from({length: height}, (_, line) =>
		columns
			.map((lines, column) => aligned(lines[line] ?? '', widths[column] ?? 0, aligns[column] ?? 'left'))
			.join(` ${look.paint('dim', look.bar)} `)
			.trimEnd(),
	);
};

/** Table as rows of at most `width` cells: in columns if they fit, else one list per table row. */
export const tableRows = (
	{aligns, header, rows}: Table,
	width: number,
	look: MarkdownOptions,
): readonly string[] => {
	const heads = header.map(cell => inlineText(cell, look, ['strong']));
	const cells = rows.map(row => row.map(cell => inlineText(cell, look)));
	const widths = columnWidths(
		heads.map((head, column) => [head, ...cells.map(row => row[column] ?? '')]),
		width - GAP * (heads.length - 1),
	);
	const strong = (text: string): string =>
		text
			.split('\n')
			.map(line => (line === '' ? '' : look.paint('strong', line)))
			.join('\n');
	if (widths === null) {
		return cells.flatMap((row, index) => [
			...(index === 0 ? [] : [look.paint('dim', look.rule.repeat(Math.max(1, Math.min(12, width))))]),
			...row.flatMap((cell, column) =>
				wrap(`${strong(heads[column] ?? '')}${heads[column] === '' ? '' : ': '}${cell}`, width, {hang: 2}),
			),
		]);
	}
	const under = look.paint('dim', widths.map(each => look.rule.repeat(each)).join(look.rule.repeat(GAP)));
	return [
		...rowLines(heads.map(strong), widths, aligns, look),
		under,
		...cells.flatMap(row => rowLines(row, widths, aligns, look)),
	];
};
