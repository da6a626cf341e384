import fc from 'fast-check';
import {expect, test} from 'vitest';
import {fold} from '../../src/text/output/fold.ts';
import {testCases} from '../support/test-cases.ts';

const HOW = {most: 40, first: 15, last: 15};
const line = (length: number, of = 'x'): string => of.repeat(length / of.length);

test('lines are left out of a text of many, with their number', () => {
	const text = Array.from({length: 100}, (_, index) => `line ${index}\n`).join('');
	const {head, hidden, unit, tail} = fold(text, HOW);
	expect([hidden, unit]).toEqual([70, 'line']);
	expect(head.endsWith('line 14')).toBe(true);
	expect(tail.startsWith('line 85\n')).toBe(true);
	expect(fold(text.slice(0, 200), HOW)).toEqual({
		head: text.slice(0, 200),
		hidden: 0,
		unit: 'line',
		tail: '',
	});
});

test('eight lines of a megabyte, and a single one, keep the start and the end', () => {
	for (const text of [`${line(1_000_000)}\n`.repeat(8), line(8_000_000)]) {
		const {head, hidden, unit, tail} = fold(text, HOW);
		expect(unit).toBe('character');
		expect(head.length + tail.length).toBeLessThan(70_000);
		expect(head.length + hidden + tail.length).toBe(text.length);
	}
});

testCases('neither a colour nor a character is cut in two, at any cut', 300, cases => {
	const part = fc.constantFrom('x', '🙂', '\u001B[38;2;100;200;30m', '日', '\u001B[0m');
	fc.assert(
		fc.property(fc.array(part, {minLength: 1, maxLength: 12}), fc.nat(40), (parts, shift) => {
			const text = 'y'.repeat(shift) + line(200_000, parts.join(''));
			const {head, hidden, tail} = fold(text, HOW);
			expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
			expect(head.length + hidden + tail.length).toBe(text.length);
			for (const side of [head, tail]) {
				expect(side.replaceAll(/\u001B\[[\d;]*m/g, '')).not.toMatch(/^[\d;]+m|\u001B/);
			}
			expect(head.isWellFormed()).toBe(true);
			expect(/^[\uDC00-\uDFFF]/.test(tail)).toBe(false);
		}),
		{numRuns: cases},
	);
});
