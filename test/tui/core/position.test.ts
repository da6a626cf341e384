import {stripVTControlCharacters as strip} from 'node:util';
import {describe, expect, test} from 'vitest';
import {
	markedRows,
	positionText,
	scrollText,
	withScrollMark,
} from '../../../src/tui/core/components/position.ts';
import {glyph} from '../../../src/tui/core/theme/glyphs.ts';
import {paint} from '../../../src/tui/core/theme/theme.ts';
import {cellWidth} from '../../../src/text/width/width.ts';

test('a position is shown for two rows or more, and never beyond its end', () => {
	expect(positionText(11, 321)).toBe('12/321');
	expect(positionText(0, 1)).toBe('');
	expect(positionText(-1, 0)).toBe('');
	expect(positionText(9, 3)).toBe('3/3');
});

test('a text shows its last visible line, and nothing if all of it is visible', () => {
	expect(scrollText(0, 20, 20)).toBe('');
	expect(scrollText(0, 20, 21)).toBe('20/21');
	expect(scrollText(1, 20, 21)).toBe('21/21');
});

describe('the scroll mark', () => {
	test('is at the top only there, at the bottom only there, and never moves back', () => {
		for (const height of [1, 2, 3, 7, 20, 46])
			for (const count of [height + 1, height + 2, 2 * height, 10 * height, 10_000]) {
				const last = count - height;
				let before = 0;
				for (let from = 0; from <= last; from += Math.max(1, Math.floor(last / 97))) {
					const {first, length} = markedRows(from, height, count);
					const where = `${from} of ${count} in ${height}`;
					expect(length, where).toBeGreaterThanOrEqual(1);
					expect(first + length, where).toBeLessThanOrEqual(height);
					expect(first, where).toBeGreaterThanOrEqual(before);
					before = first;
					// An end can be distinguished from the next position only if there are rows to
					// spare.
					if (from > 0 && from < last && height - length >= 2) {
						expect(first, where).toBeGreaterThan(0);
						expect(first + length, where).toBeLessThan(height);
					}
				}
				expect(markedRows(0, height, count).first).toBe(0);
				const end = markedRows(last, height, count);
				expect(end.first + end.length).toBe(height);
			}
	});

	test('is not there where all is in view', () => {
		expect(markedRows(0, 20, 20).length).toBe(0);
		expect(markedRows(0, 20, 3).length).toBe(0);
		const rows = ['a', 'b'];
		expect(withScrollMark(rows, {from: 0, height: 2, count: 2, width: 5})).toBe(rows);
	});

	test('takes a free cell only: no letter gives way', () => {
		const rows = ['ab', 'abcde', paint('selected', 'abc  '), '日本 ', '日本x'];
		const marked = withScrollMark(rows, {from: 0, height: 5, count: 6, width: 5});
		expect(marked.slice(0, 4).map(strip)).toEqual([
			`ab  ${glyph.scroll}`,
			'abcde',
			`abc ${glyph.scroll}`,
			`日本${glyph.scroll}`,
		]);
		for (const row of marked) expect(cellWidth(row)).toBeLessThanOrEqual(5);
		expect(strip(marked[4] ?? '')).toBe('日本x');
	});
});
