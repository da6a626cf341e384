import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {block, output} from '../../src/text/safe.ts';
import {cellWidth} from '../../src/text/width/width.ts';
import {wrap, wrapLine} from '../../src/text/width/wrap.ts';
import {hostileString} from './hostile-characters.ts';
import {testCases} from '../support/test-cases.ts';

const uncoloured = (text: string): string => text.replaceAll(/\u001b\[[\d;]*m/g, '');

describe('a long text', () => {
	test('breaks at spaces, and within a word only when it is longer than a row', () => {
		expect(wrap('the quick brown fox', 10)).toEqual(['the quick', 'brown fox']);
		expect(wrap('a abcdefghijkl b', 5)).toEqual(['a', 'abcde', 'fghij', 'kl b']);
		expect(wrap('abcdefghijkl', 5)).toEqual(['abcde', 'fghij', 'kl']);
	});

	test('keeps its own lines, empty ones too', () => {
		expect(wrap('a\n\nb c', 2)).toEqual(['a', '', 'b', 'c']);
		expect(wrap('', 10)).toEqual(['']);
	});

	test('keeps the indentation of a line', () => {
		expect(wrap('    return value', 12)).toEqual(['    return', 'value']);
		expect(wrap('  x', 10)).toEqual(['  x']);
		expect(wrap('      abcdef', 7)).toEqual(['      ', 'abcdef']);
		expect(wrap('  abcdefghij', 6)).toEqual(['  abcd', 'efghij']);
	});

	test('hangs by the given width', () => {
		expect(wrap('- one two three', 8, {hang: 2})).toEqual(['- one', '  two', '  three']);
		expect(wrap('abcdefghij', 4, {hang: 9})).toEqual(['abcd', '  ef', '  gh', '  ij']);
	});

	test('breaks between wide characters, never within one', () => {
		expect(wrap('表計算ソフト', 5)).toEqual(['表計', '算ソ', 'フト']);
		expect(wrap('ab表計', 4)).toEqual(['ab表', '計']);
		expect(wrap('👨‍👩‍👧👩🏽‍🚀🇩🇪', 4)).toEqual(['👨‍👩‍👧👩🏽‍🚀', '🇩🇪']);
	});

	test('carries its colour from row to row', () => {
		expect(wrap('\u001b[31mone two\u001b[0m three\u001b[0m', 4)).toEqual([
			'\u001b[31mone\u001b[0m',
			'\u001b[31mtwo\u001b[0m',
			'thre',
			'e\u001b[0m',
		]);
	});
});

const safeText = fc.oneof(
	hostileString(120).map(block),
	hostileString(120).map(text => output(text).text),
);

testCases('no row is wider than asked, and no character but spaces is lost or moved', 3000, cases => {
	fc.assert(
		fc.property(
			safeText,
			fc.integer({min: 2, max: 12}),
			fc.integer({min: 0, max: 3}),
			(text, cells, hang) => {
				const rows = wrap(text, cells, {hang});
				for (const row of rows) expect(cellWidth(row)).toBeLessThanOrEqual(cells);
				expect(uncoloured(rows.join('')).replaceAll(/ /g, '')).toBe(
					uncoloured(text).replaceAll(/[ \n]/g, ''),
				);
			},
		),
		{numRuns: cases},
	);
});

// Found by the property above, with seed 1348669497.
test('a character that is wider than a row is cut where its parts still fit', () => {
	const keycap = '1\u{fe0f}\u{20e3}';
	expect(wrap(`\u{16d63}${keycap}\uff9e\uff9e`, 2)).toEqual(['\u{16d63}', `${keycap}\uff9e`, '\uff9e']);
});

test('a flag whose halves have two colours is measured as it is drawn', () => {
	const {text} = output('a🇩\u001b[31m🇪🇩');
	expect(text).toBe('a🇩🇪\u001b[31m🇩\u001b[0m');
	expect(wrap(text, 3)).toEqual(['a🇩🇪', '\u001b[31m🇩\u001b[0m']);
});

testCases('every character keeps its colour', 3000, cases => {
	/** Each character with its active colours. */
	const painted = (text: string): string[] => {
		let on = '';
		return (text.match(/\u001b\[[\d;]*m|[^ \n]|[ \n]/gu) ?? []).flatMap(token => {
			if (!token.startsWith('\u001b')) return /\s/.test(token) ? [] : [`${on}${token}`];
			on = token === '\u001b[0m' ? '' : on + token.slice(2, -1) + ';';
			return [];
		});
	};

	const words = fc
		.array(fc.constantFrom('\u001b[31m', '\u001b[0m', 'a', 'word', 'longerword', ' ', '  ', '表', '\n'), {
			maxLength: 30,
		})
		.map(parts => parts.join(''));
	fc.assert(
		fc.property(words, fc.integer({min: 2, max: 8}), (text, cells) => {
			const shown = output(text).text;
			expect(painted(wrap(shown, cells).join('\n'))).toEqual(painted(shown));
		}),
		{numRuns: cases},
	);
});

testCases(
	'a line is wrapped the same alone as within its text, so that its rows may be cached',
	500,
	cases => {
		fc.assert(
			fc.property(safeText, text => {
				expect(text.split('\n').flatMap(line => wrapLine(line, 7))).toEqual(wrap(text, 7));
			}),
			{numRuns: cases},
		);
	},
);

test.each([
	['https://nb.example/docs/a/very/long/address', 30, ['https://nb.example/docs/a/', 'very/long/address']],
	// A row is filled, even if a word breaks, instead of being left half empty.
	[
		'https://nb.example/a-name-of-thirty-characters-or-so',
		30,
		['https://nb.example/a-name-of-t', 'hirty-characters-or-so'],
	],
	[
		'ends with a full stop: https://nb.example/room/for.',
		28,
		['ends with a full stop:', 'https://nb.example/room/for.'],
	],
	['https://nb.example/room/for.', 27, ['https://nb.example/room/', 'for.']],
	// Text with slashes that is not an address counts as data, and its rows are filled.
	['aaaa/bbbb/cccc/dddd', 12, ['aaaa/bbbb/cc', 'cc/dddd']],
])('an address is broken between its names: %s', (text, width, rows) => {
	expect(wrapLine(text, width)).toEqual(rows);
});
