import fc from 'fast-check';
import {expect, test} from 'vitest';
import {cellWidth} from '../../../src/text/width/width.ts';
import {wrap} from '../../../src/text/width/wrap.ts';
import {markFound, rowsWith} from '../../../src/tui/core/components/find-rows.ts';

test('words are found in any letter case, unless a capital is looked for', () => {
	const rows = ['one Two', 'two', 'TWO'];
	expect(rowsWith(rows, 'two', 80)).toEqual([0, 1, 2]);
	expect(rowsWith(rows, 'Two', 80)).toEqual([0]);
});

test('a match cut by the end of a row is found, and the ends of two lines are not taken for one word', () => {
	expect(rowsWith(wrap('look for some words here', 10), 'some words', 10)).toEqual([1]);
	expect(rowsWith(wrap('abcdefghijklmnopqrst', 10), 'ijkl', 10)).toEqual([0]);
	expect(rowsWith(['12377', '12378'], '77123', 80)).toEqual([]);
});

test('a marked row has the same letters in the same cells', () => {
	const row = fc
		.array(fc.constantFrom('a', 'B', '日', '\u001B[31m', '\u001B[0m', ' ', 'é', 'İ'))
		.map(parts => `${parts.join('')}\u001B[0m`);
	fc.assert(
		fc.property(row, fc.constantFrom('a', 'ab', '日', 'B', ' '), (line, query) => {
			const marked = markFound(line, query);
			const plain = (text: string): string => text.replaceAll(/\u001B\[[\d;]*m/g, '');
			expect(plain(marked)).toBe(plain(line));
			expect(cellWidth(marked)).toBe(cellWidth(line));
		}),
	);
	expect(markFound('see ab', 'ab')).toBe('see \u001B[7mab\u001B[27m');
	// Matches other than the current one look different.
	expect(markFound('see ab', 'ab', false)).toBe('see \u001B[33mab\u001B[39m');
});
