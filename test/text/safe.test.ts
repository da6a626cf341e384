import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {SAFE_LIMIT} from '../../src/text/width/cap.ts';
import {block, label, output} from '../../src/text/safe.ts';
import {hostileString} from './hostile-characters.ts';
import {HOSTILE_TEXTS} from './hostile-text.ts';
import {CHARACTERS, isTried, testCases} from '../support/test-cases.ts';

const show = {label: (text: string) => label(text), block, output: (text: string) => output(text).text};
// All invisible characters that have an effect. The seven Arabic-like number signs are Format
// characters, but visible.
const UNSEEN =
	/[\p{Cc}\p{Zl}\p{Zp}[\p{Cf}--[\u0600-\u0605\u06dd\u0890\u0891\u08e2\u{110bd}\u{110cd}\u200d]][\p{DI}--[\u200d\ufe0e\ufe0f]]]/v;
const UNSEEN_BUT_LINES = /[\u0000-\u0009\u000b-\u001a\u001c-\u001f\u007f-\u009f]/;
const COLOUR = /\u001b\[(?:\d+(?:;\d+)*)m/g;

describe('a text that tries to trick its reader is shown in its true form', () => {
	test.each(HOSTILE_TEXTS)('$as: $name', ({as, text, shown}) => {
		expect(show[as](text)).toBe(shown);
	});
});

testCases('a label has no invisible character, for any text', 3000, cases => {
	fc.assert(
		fc.property(hostileString(), text => {
			const shown = label(text);
			expect(shown).not.toMatch(UNSEEN);
			expect(shown.isWellFormed()).toBe(true);
		}),
		{numRuns: cases},
	);
});

testCases('nothing unseen but line ends is left in a block', 3000, cases => {
	fc.assert(
		fc.property(hostileString(), text => {
			const shown = block(text);
			expect(shown.replaceAll('\n', '')).not.toMatch(UNSEEN);
			expect(shown.isWellFormed()).toBe(true);
		}),
		{numRuns: cases},
	);
});

testCases(
	'nothing unseen but line ends and colours is left in output, and every line ends without colour',
	3000,
	cases => {
		fc.assert(
			fc.property(hostileString(), text => {
				const shown = output(text).text;
				expect(shown.replaceAll(COLOUR, '').replaceAll('\n', '')).not.toMatch(UNSEEN);
				expect(shown.isWellFormed()).toBe(true);
				for (const line of shown.split('\n'))
					if (line.includes('\u001b')) expect(line.endsWith('\u001b[0m')).toBe(true);
			}),
			{numRuns: cases},
		);
	},
);

testCases('text made safe stays the same when made safe again', 3000, cases => {
	fc.assert(
		fc.property(hostileString(), text => {
			for (const once of [label(text), block(text)]) expect(block(once)).toBe(once);
			expect(label(label(text, 12), 12)).toBe(label(text, 12));
			const once = output(text).text;
			expect(output(once)).toEqual({text: once, removed: 0, hidden: 0});
		}),
		{numRuns: cases},
	);
});

test.each(['\u{1F1EA}\u001B[1;4m\u{1F1EA}', '\u{1F1EA}\u001B[31m\u{1F1E9}\u094D'])(
	'a colour between the halves of a flag is safe after one pass: %j',
	text => {
		const once = output(text).text;
		expect(output(once)).toEqual({text: once, removed: 0, hidden: 0});
	},
);

testCases('a label is never longer than asked, and never ends in a half of something', 3000, cases => {
	fc.assert(
		fc.property(hostileString(), fc.integer({min: 0, max: 20}), (text, max) => {
			const shown = label(text, max);
			expect(shown.length).toBeLessThanOrEqual(max + 1);
			expect(shown.isWellFormed()).toBe(true);
			expect(shown).not.toMatch(/\u200d…?$/);
		}),
		{numRuns: cases},
	);
});

testCases('a text cut in two at any place is safe in both halves', 3000, cases => {
	fc.assert(
		fc.property(hostileString(), fc.nat(), (text, place) => {
			const at = place % (text.length + 1);
			for (const half of [text.slice(0, at), text.slice(at)]) {
				expect(label(half)).not.toMatch(UNSEEN);
				expect(label(half).isWellFormed()).toBe(true);
				expect(output(half).text.isWellFormed()).toBe(true);
			}
		}),
		{numRuns: cases},
	);
});

testCases(
	'every character of Unicode is shown unchanged, gets a circle as its base, or is written out',
	CHARACTERS,
	cases => {
		const wrong: string[] = [];
		for (let point = 0; point <= 0x10ffff; point++) {
			if ((point >= 0xd800 && point <= 0xdfff) || !isTried(point, cases)) continue;
			const character = String.fromCodePoint(point);
			const shown = label(character);
			const isUnseen = UNSEEN.test(character) || /[\u200d\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/u.test(character);
			const isRight = isUnseen
				? /^[\x20-\x7e]{2,}$/.test(shown)
				: shown === (/[\p{M}\u0e33\u0eb3\uff9e\uff9f]/u.test(character) ? `\u25cc${character}` : character);
			if (!isRight) wrong.push(point.toString(16));
		}

		expect(wrong).toEqual([]);
	},
);

describe('program output', () => {
	test('keeps the common colours in one short form', () => {
		expect(output('\u001b[1m\u001b[31mA\u001b[22mB\u001b[mC').text).toBe(
			'\u001b[1;31mA\u001b[0m\u001b[31mB\u001b[0mC\u001b[0m',
		);
		expect(output('\u001b[38;2;1;2;3;48:5:200mA').text).toBe('\u001b[38;2;1;2;3;48;5;200mA\u001b[0m');
		expect(output('\u001b[38:2::1:2:3mA\u001b[4:3mB\u001b[4:0mC').text).toBe(
			'\u001b[38;2;1;2;3mA\u001b[4mB\u001b[0m\u001b[38;2;1;2;3mC\u001b[0m',
		);
	});

	test('loses all colours on request and no text with them', () => {
		expect(output('\u001b[31mred\u001b[0m \u001b[2Jx', {colour: false})).toEqual({
			text: 'red x',
			removed: 1,
			hidden: 0,
		});
	});

	test('counts the removed characters', () => {
		expect(output('\u001b]0;t\u0007a\u0007\u001b[5mb\u001b[2J').removed).toBe(4);
		expect(output('\u001b[31ma\u001b[0m\rb\bc').removed).toBe(0);
	});

	test('draws a progress bar as the one line that a terminal would leave', () => {
		expect(output('Downloading  10%\r\u001b[KDone\nnext\n').text).toBe('Done\nnext\n');
		expect(output('\u001b[32m##\u001b[0m..\r\u001b[32m####\u001b[0m\n').text).toBe(
			'\u001b[32m####\u001b[0m\n',
		);
		expect(output('abcd\b\b\u001b[1K\rX').text).toBe('X  d');
		expect(output('a\tb\r\tc').text).toBe('a       c');
	});

	test('breaks a wide character of which only a half is covered', () => {
		expect(output('表計\rab').text).toBe('ab計');
		expect(output('表計\ra').text).toBe('a 計');
		expect(output('表計\b算').text).toBe('表 算');
	});

	test('keeps line ends as they are, CRLF as LF', () => {
		expect(output('a\n\nb\n').text).toBe('a\n\nb\n');
		expect(output('é\r\nb\r\r\n').text).toBe('é\nb\n');
	});

	test('shows the first megabyte and the size of the rest', () => {
		const shown = output('x'.repeat(SAFE_LIMIT + 5));
		expect(shown.text.length).toBe(SAFE_LIMIT);
		expect(shown.hidden).toBe(5);
		expect(output(`${'x'.repeat(SAFE_LIMIT - 1)}👩`)).toMatchObject({hidden: 2});
	});
});

test('tabs of a file lead to columns of eight, wide characters counted as two', () => {
	expect(block('表\tx\n\ty\n12345678\tz')).toBe('表      x\n        y\n12345678        z');
});

test('a block beyond a megabyte ends in an ellipsis', () => {
	expect(block('é'.repeat(SAFE_LIMIT + 1))).toBe(`${'é'.repeat(SAFE_LIMIT)}…`);
});

test.each([
	'\u001b',
	'\u001b[',
	'\u001b]',
	'\u001b[1',
	'\u001b[1m',
	'\u001b[1;',
	'\u001b ',
	'\u001bP\u0018',
	'\r',
	'ab\r',
	'a\b',
	'\t\r',
	'\u0301',
	'\u200d',
	'👩\u200d',
	'1;',
	'\ud83d',
	'表\b',
	'\u1100',
	'क्',
])('a megabyte of %j is shown without a stack overflow or a wait', {tags: 'long'}, piece => {
	const text = `${piece.repeat(Math.floor(1_000_000 / piece.length))}\nend`;
	expect(output(text, {colour: false}).text.endsWith('\nend')).toBe(true);
	expect(block(text).endsWith('\nend')).toBe(true);
	expect(label(text).length).toBeLessThanOrEqual(201);
	// Parameters without a final byte are text.
	expect(output(`\u001b[${text}`).text).not.toMatch(UNSEEN_BUT_LINES);
});
