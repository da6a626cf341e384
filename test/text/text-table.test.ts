import {expect, test} from 'vitest';
import {
	alignedRow,
	columnWidths,
	droppable,
	markdownTable,
	shrunk,
} from '../../src/text/columns/text-table.ts';

test('columns are as wide as their longest text, numbers are right-aligned, and rows have no trailing spaces', () => {
	const rows = [
		['name', 'n', ''],
		['日本', '12'],
		['a', '3', 'x'],
	];
	const widths = columnWidths(rows);
	expect(widths).toEqual([4, 2, 1]);
	expect(rows.map(row => alignedRow(row, widths, {gap: 1, isRight: column => column === 1}))).toEqual([
		'name  n',
		'日本 12',
		'a     3 x',
	]);
});

test('the widest columns give way first, and none beyond what can be read', () => {
	expect(shrunk([9, 12, 3], 5, {narrowest: 6})).toEqual([8, 8, 3]);
	expect(shrunk([9, 12, 3], 99, {narrowest: 6})).toEqual([6, 6, 3]);
	expect(shrunk([9, 12], 2, {narrowest: 6, mayShrink: column => column === 0})).toEqual([7, 12]);
	expect(droppable([{drop: 2}, {}, {drop: 1}])).toEqual([2, 0]);
});

test('a bar in a cell of a markdown table parts no columns', () => {
	expect(markdownTable(['a', 'b'], [['x|y', '1']])).toBe('| a | b |\n| --- | --- |\n| x\\|y | 1 |');
});
