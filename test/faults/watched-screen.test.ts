import {describe, expect, test} from 'vitest';
import {HOSTILE_TEXTS} from '../text/hostile-text.ts';
import {besideList, expectDividers, insideBox, readTable} from './columns.ts';
import {createControlReader} from './controls.ts';
import {CASES, DISPUTED_CASES} from './hostile-cases.ts';
import {expectInOrder, OWN_CONTROLS, type Frame} from './watched-screen.ts';

const kindsOf = (text: string, pieces = 1): readonly string[] => {
	const reader = createControlReader();
	for (let at = 0; at < text.length; at += Math.ceil(text.length / pieces))
		reader.read(text.slice(at, at + Math.ceil(text.length / pieces)));
	return [...reader.counts.keys()];
};

const frameOf = (...lines: readonly string[]): Frame => lines.map(line => [...line.padEnd(30)]);

describe('the watched screen notices', () => {
	test('every text of the corpus that a terminal would obey or not show', () => {
		// The remaining texts are hostile only by their length, appearance or line ends.
		const quiet = HOSTILE_TEXTS.filter(({text}) => kindsOf(`${text}\u001B[0m`).length === 0).map(
			({name}) => name,
		);
		expect(quiet).toEqual([
			'colour',
			'colour left on',
			'colour of 8000 values',
			'colour in a label',
			'file name behind a return',
			'progress by returns',
			'shorter text over a longer one',
			'CRLF',
			'lone return in a file',
			'line end in a label',
			'a tower of marks',
			'a mark without a letter',
			'a letter that joins the one before it',
			'half of a character',
			'a style selector behind a letter',
			'an emoji of a hundred',
			'skin tone behind a letter',
			'emoji',
			'flag and keycap',
			'Japanese',
			'Devanagari',
			'Arabic',
			'a name of 5000 letters',
		]);
	});

	test('each kind by its name, however the output is cut', () => {
		const text =
			'\u001B[?1049l\u001B]52;c;eA==\u0007\u001BP$q"p\u001B\\\u001B[5;8ma\u009B2J\u202E\u001Bc\u001B(0\u0007\u001B[c\u001B[2J';
		const kinds = [
			'CSI ?1049l',
			'OSC 52',
			'DCS $q"p',
			'SGR 5',
			'SGR 8',
			'U+009B',
			'U+202E',
			'ESC c',
			'ESC (0',
			'U+0007',
			'CSI c',
			'CSI 2J',
		];
		expect(kindsOf(text)).toEqual(kinds);
		for (const pieces of [2, 3, 7, text.length]) expect(kindsOf(text, pieces)).toEqual(kinds);
		expect(kinds.filter(kind => !OWN_CONTROLS.has(kind))).toHaveLength(8);
	});

	test('a row that is too wide, a header that has moved, a second one, a lost rule or footer', () => {
		const [head, rule, foot] = [
			' x ● 1 Servers 6 Chat   calm  ',
			'─ Servers ────────── row 1/6 ─',
			'          esc back            ',
		];
		expect(() => expectInOrder(frameOf(head, rule, '', '', foot), 30)).not.toThrow();
		expect(() => expectInOrder(frameOf(head, rule, `${' '.repeat(30)}x`, '', foot), 30)).toThrow(
			'row 2 is too wide',
		);
		expect(() => expectInOrder(frameOf('', head, rule, rule, foot), 30)).toThrow(
			'the header is not in the first row',
		);
		expect(() => expectInOrder(frameOf(head, rule, head, rule, foot), 30)).toThrow('a second header');
		expect(() => expectInOrder(frameOf(head, rule, ' a', rule, foot), 30)).toThrow('no blank row or notice');
		expect(() => expectInOrder(frameOf(head, '', '', '', foot), 30)).toThrow('the rule is not');
		expect(() => expectInOrder(frameOf(head, rule, '', rule, ''), 30)).toThrow('the footer');
	});

	test('a value, a divider or a side of a dialog that is one cell off', () => {
		const rows = ['a b    ready     2.49', 'c      offline      —', 'd      ready    12.50'];
		const table = (...more: readonly string[]) =>
			readTable(
				frameOf('', '', '   Name   State     Rate', ...[...rows, ...more].map(row => `   ${row}`), ''),
				'Name',
			).rows;
		expect(table()[0]).toEqual({Name: 'a b', State: 'ready', Rate: '2.49'});
		expect(() => table('a b     ready     2.49')).toThrow('not aligned');
		expect(() => table('a b   ready      2.49')).toThrow('not aligned');
		expect(() =>
			expectDividers(frameOf('a│b', 'a│b'), [
				{x: 0, y: 0, height: 2},
				{x: 2, y: 0, height: 2},
			]),
		).not.toThrow();
		expect(() =>
			expectDividers(frameOf('a│b', 'aa│'), [
				{x: 0, y: 0, height: 2},
				{x: 2, y: 0, height: 2},
			]),
		).toThrow('not in column 1 of row 1');
		expect(besideList(frameOf('', '', '', ' ▸ a │ b', '   c │ d', '', ''))).toEqual(['b', 'd']);
		expect(() => besideList(frameOf('', '', '', ' ▸ a │ b', '   c  │ d', '', ''))).toThrow(
			'not in column 5 of row 4',
		);
		const box = (row: string) =>
			insideBox(frameOf('', '', '     ╭ Title ───────────╮', row, '     ╰──────────────────╯'));
		expect(box('     │ text             │')).toHaveLength(2);
		expect(() => box('     │ text            │ ')).toThrow("the dialog's frame is broken");
	});
});

test('the texts are many, and differ', () => {
	expect(CASES.length).toBeGreaterThan(110);
	expect(DISPUTED_CASES.length).toBeGreaterThan(5);
	expect(new Set([...CASES, ...DISPUTED_CASES]).size).toBe(CASES.length + DISPUTED_CASES.length);
});
