import {assert, integer, property, string} from 'fast-check';
import {expect, test} from 'vitest';
import {cutMiddle} from '../../src/text/cut-middle.ts';
import {grapheme} from '../support/code-points.ts';

test('a short text stays unchanged', () => {
	expect(cutMiddle('abcd', 4)).toBe('abcd');
});

test('the omitted part is counted', () => {
	expect(cutMiddle(`ab${'x'.repeat(1500)}cd`, 4)).toBe('ab\n… 1,500 characters left out …\ncd');
});

test('no character is cut in two, only the middle is gone, and the count is right', () => {
	assert(
		property(string({unit: grapheme, maxLength: 60}), integer({min: 2, max: 40}), (text, most) => {
			const cut = cutMiddle(text, most);
			if (text.length <= most) {
				expect(cut).toBe(text);
				return;
			}
			const [, head = '', count = '', tail = ''] =
				/^([^]*)\n… (\d+) characters left out …\n([^]*)$/.exec(cut) ?? [];
			expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
			expect(head.length + Number(count) + tail.length).toBe(text.length);
			expect(`${head} ${tail}`.isWellFormed()).toBe(true);
		}),
	);
});
