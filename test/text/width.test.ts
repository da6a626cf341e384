import fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {cellWidth, cut, fit, slice} from '../../src/text/width/width.ts';
import {output} from '../../src/text/safe.ts';
import {
	eachGrapheme,
	nextBoundary,
	previousBoundary,
	snapToBoundary,
	unitCells,
} from '../../src/text/width/graphemes.ts';
import {hostileString, printableString} from './hostile-characters.ts';
import {CHARACTERS, isTried, testCases} from '../support/test-cases.ts';
import {codePoint, grapheme} from '../support/code-points.ts';

const SEGMENTER = new Intl.Segmenter(undefined, {granularity: 'grapheme'});
const graphemesOf = (text: string): string[] => Array.from(SEGMENTER.segment(text), ({segment}) => segment);

const anyText = fc.oneof(
	printableString(),
	fc.string({unit: grapheme, maxLength: 20}),
	fc.string({unit: codePoint, maxLength: 20}).map(text => text.replaceAll(/[\u001b\u009b]/g, '')),
);

describe("the width of a text is the layout's own (string-width 8.3)", () => {
	testCases('for every single character', CHARACTERS, cases => {
		const wrong: string[] = [];
		for (let point = 0; point <= 0x10ffff; point++) {
			// Skips planes: 2 and 3 contain only ideographs, 4 to 13 are empty, 15 and 16 are
			// private.
			if (point === 0x20400) point = 0xe0000;
			if (point === 0xe1000) point = 0x10ff00;
			if (!isTried(point, cases)) continue;
			const character = String.fromCodePoint(point);
			if (cellWidth(character) !== stringWidth(character)) wrong.push(point.toString(16));
		}

		expect(wrong).toEqual([]);
	});

	testCases(
		'for every emoji sequence that Unicode recommends, with and without something behind it',
		1430,
		cases => {
			// The emoji are built from all base characters, because Unicode's list is not
			// installed: skin tones, styles, keycaps, flags, joined pairs.
			const emoji: string[] = [];
			for (let point = 0x23; point <= 0x1faff; point++)
				if (/\p{Emoji}/u.test(String.fromCodePoint(point))) emoji.push(String.fromCodePoint(point));
			const endings = [
				'',
				'\ufe0f',
				'\ufe0e',
				'\ufe0f\u20e3',
				'\u20e3',
				'🏽',
				'\ufe0f🏽',
				'🏽🏽',
				'\u200d❤️\u200d👨',
				'\u200d🚀',
				'\ufe0f\u200d🌈',
				'🏽\u200d🚀',
				'\u200d',
				'x',
				'\u0301',
				'🇪',
			];
			const wrong = emoji
				.filter((_, index) => index % Math.floor(emoji.length / cases) === 0)
				.flatMap(base => endings.map(ending => base + ending))
				.filter(text => cellWidth(text) !== stringWidth(text));
			expect(wrong).toEqual([]);
		},
	);

	testCases('for any text', 5000, cases => {
		fc.assert(
			fc.property(anyText, text => {
				expect(cellWidth(text)).toBe(stringWidth(text));
			}),
			{numRuns: cases},
		);
	});

	testCases('for coloured output', 2000, cases => {
		fc.assert(
			fc.property(hostileString(), text => {
				const shown = output(text).text;
				expect(cellWidth(shown)).toBe(stringWidth(shown));
			}),
			{numRuns: cases},
		);
	});
});

describe('graphemes are those of Unicode', () => {
	testCases('walked forwards', 2000, cases => {
		fc.assert(
			fc.property(hostileString(), text => {
				const found: string[] = [];
				eachGrapheme(text, (start, end) => {
					found.push(text.slice(start, end));
				});
				expect(found).toEqual(graphemesOf(text));
			}),
			{numRuns: cases},
		);
	});

	testCases('stepped through in both directions, and snapped to from anywhere', 2000, cases => {
		fc.assert(
			fc.property(hostileString(), text => {
				const boundaries = [0];
				for (const grapheme of graphemesOf(text)) boundaries.push((boundaries.at(-1) ?? 0) + grapheme.length);
				for (const [index, at] of boundaries.entries()) {
					expect(nextBoundary(text, at)).toBe(boundaries[index + 1] ?? text.length);
					expect(previousBoundary(text, at)).toBe(boundaries[index - 1] ?? 0);
				}

				for (let at = 0; at <= text.length; at++)
					expect(snapToBoundary(text, at)).toBe(boundaries.find(boundary => boundary >= at));
			}),
			{numRuns: cases},
		);
	});

	test('no two characters that count as standing alone ever join', () => {
		const alone: string[] = [];
		for (let unit = 0; unit <= 0xffff; unit++)
			if (unitCells(unit) !== 0) alone.push(String.fromCharCode(unit));
		const text = alone.join('') + alone.toReversed().join('');
		expect(graphemesOf(text).length).toBe(text.length);
	});
});

/** Cells of a line: a grapheme, followed by an empty text for its right half. */
const cellsOf = (line: string): string[] =>
	graphemesOf(line).flatMap(grapheme =>
		Array.from({length: stringWidth(grapheme)}, (_, at) => (at === 0 ? grapheme : '')),
	);

const visible = (line: string): string => line.replaceAll(/\u001b\[[\d;]*m/g, '');

describe('a text in a column of a table', () => {
	testCases('fills exactly its cells, at either side', 2000, cases => {
		expect(fit('abc', 5)).toBe('abc  ');
		expect(fit('abc', 5, 'right')).toBe('  abc');
		expect(fit('abcdef', 4)).toBe('abc…');
		expect(fit('表計算', 4)).toBe('表… ');
		expect(fit('表計算', 6)).toBe('表計算');
		expect(fit('abc', 0)).toBe('');
		fc.assert(
			fc.property(anyText, fc.integer({min: 0, max: 12}), (text, cells) => {
				expect(stringWidth(fit(text, cells))).toBe(cells);
				expect(stringWidth(fit(text, cells, 'right'))).toBe(cells);
			}),
			{numRuns: cases},
		);
	});

	testCases('is whole when it fits, and else its own beginning with an ellipsis', 2000, cases => {
		fc.assert(
			fc.property(anyText, fc.integer({min: 1, max: 12}), (text, cells) => {
				const shown = cut(text, cells);
				if (stringWidth(text) <= cells) expect(shown).toBe(text);
				else {
					expect(shown.endsWith('…')).toBe(true);
					expect(
						graphemesOf(text)
							.join('\n')
							.startsWith(graphemesOf(shown.slice(0, -1)).join('\n')),
					).toBe(true);
				}
			}),
			{numRuns: cases},
		);
	});
});

describe('a line scrolled to the side', () => {
	test('shows its middle, halves of wide characters as spaces', () => {
		expect(slice('abcdef', 2, 3)).toBe('cde');
		expect(slice('a表b計c', 2, 4)).toBe(' b計');
		expect(slice('a表b計c', 0, 2)).toBe('a ');
		expect(slice('abc', 5, 3)).toBe('');
		expect(slice('表計', 1, 2)).toBe('  ');
	});

	testCases('shows the same cells as the whole line does', 2000, cases => {
		fc.assert(
			fc.property(
				printableString(),
				fc.integer({min: 0, max: 30}),
				fc.integer({min: 1, max: 20}),
				(text, from, cells) => {
					const all = cellsOf(text);
					const expected = all.slice(from, from + cells);
					// A character that an edge cuts is drawn as blanks.
					for (let at = 0; expected[at] === '' && (at === 0 || expected[at - 1] === ' '); at++)
						expected[at] = ' ';
					const shown = cellsOf(slice(text, from, cells));
					expect(shown.length).toBe(expected.length);
					for (const [at, cell] of expected.entries()) if (shown[at] !== ' ') expect(shown[at]).toBe(cell);
				},
			),
			{numRuns: cases},
		);
	});

	testCases('keeps the colour it has there', 2000, cases => {
		expect(slice('\u001b[31mabc\u001b[1mdef\u001b[0mghi\u001b[0m', 1, 6)).toBe(
			'\u001b[31mbc\u001b[1mdef\u001b[0mg\u001b[0m',
		);
		expect(slice('\u001b[31mab\u001b[0mcd\u001b[0m', 2, 2)).toBe('cd');
		fc.assert(
			fc.property(
				hostileString(),
				fc.integer({min: 0, max: 10}),
				fc.integer({min: 1, max: 10}),
				(text, from, cells) => {
					for (const line of output(text).text.split('\n')) {
						const shown = slice(line, from, cells);
						expect(cellWidth(shown)).toBeLessThanOrEqual(cells);
						expect(visible(shown)).not.toContain('\u001b');
					}
				},
			),
			{numRuns: cases},
		);
	});
});
