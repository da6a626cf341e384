import {UnicodeGraphemesAddon} from '@xterm/addon-unicode-graphemes';
import headless from '@xterm/headless';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {pinColumns} from '../../src/text/width/pin-columns.ts';
import {unitCells} from '../../src/text/width/graphemes.ts';
import {cellWidth, fit} from '../../src/text/width/width.ts';
import {HOSTILE_TEXTS} from './hostile-text.ts';
import {label} from '../../src/text/safe.ts';
import {testCases} from '../support/test-cases.ts';
import {grapheme} from '../support/code-points.ts';

/**
 * Terminals with different widths of characters: as in Unicode 6, by graphemes, and two without any
 * support for emoji or joining.
 */
const TERMINALS = ['6', '15-graphemes', 'all narrow', 'all wide'] as const;
type Counting = (typeof TERMINALS)[number];

const simpleCounting = (version: string, cells: 1 | 2) => {
	const wcwidth = (point: number): 0 | 1 | 2 => (point < 0x20 ? 0 : unitCells(point) || cells);
	return {version, wcwidth, charProperties: (point: number): number => wcwidth(point) << 1};
};

/** The rows of a terminal of this kind after `written`. */
const shown = async (
	written: string,
	counting: Counting,
	columns: number,
): Promise<(row: number, column: number) => string> => {
	const terminal = new headless.Terminal({cols: columns, rows: 4, allowProposedApi: true});
	terminal.loadAddon(new UnicodeGraphemesAddon());
	terminal.unicode.register(simpleCounting('all narrow', 1));
	terminal.unicode.register(simpleCounting('all wide', 2));
	terminal.unicode.activeVersion = counting;
	await new Promise<void>(resolve => {
		terminal.write(`\u001B[?7l${written}`, resolve);
	});
	return (row, column) => terminal.buffer.active.getLine(row)?.getCell(column)?.getChars() ?? '';
};

/** A row of two panes of 20 cells with a divider between. */
const row = (left: string, right: string): string => `${fit(left, 20)}│\u001B[1m${fit(right, 20)}\u001B[22m│`;

const isRight = async (
	left: string,
	right: string,
	counting: Counting,
	keep = pinColumns,
): Promise<boolean> => {
	const changed = `\u001B[3G\u001B[K${row(`ab${left}`, right).slice(2)}`;
	const cell = await shown(
		`${keep(`${row(left, right)}\r\n${row(right, left)}`)}\r\n${row('ab', '')}${keep(changed)}`,
		counting,
		44,
	);
	return [0, 1, 2].every(each => cell(each, 20) === '│' && cell(each, 41) === '│');
};

const DISPUTED = [
	'⚠️ ❤️ 👩‍💻 👍🏽',
	'🇩🇪🇫🇷 #️⃣',
	'👨‍👩‍👧‍👦x',
	'นํ้า ภาษาไทย',
	'हिन्दी क्षि',
	'ㅎㅏㄴ 한',
	'🫠🪿🫨',
	'é e\u0301 o\u0308\u0304',
	'日本👩‍🚀語',
	'①②③ ☎ ☂',
];

test.each(TERMINALS)('dividers stay in their columns on a terminal that counts by %s', async counting => {
	for (const text of DISPUTED) {
		expect(await isRight(text, 'plain', counting), text).toBe(true);
		expect(await isRight(text, text, counting), text).toBe(true);
	}
	for (const {text, name} of HOSTILE_TEXTS)
		expect(await isRight(label(text.slice(0, 200)), label(text.slice(0, 200)), counting), name).toBe(true);
});

test('without the cursor moves dividers would not stay on any of the other terminals', async () => {
	for (const counting of ['6', 'all narrow', 'all wide'] as const)
		expect(
			(
				await Promise.all(DISPUTED.map(text => isRight(text, 'plain', counting, written => written)))
			).includes(false),
			counting,
		).toBe(true);
});

testCases('with any text, dividers stay in their columns', 200, async cases => {
	const part = fc.oneof(
		fc.constantFrom(...DISPUTED, '👩', '\u200D', '\uFE0F', '🏽', 'x', ' ', '日'),
		fc.string({unit: grapheme, maxLength: 3}),
	);
	await fc.assert(
		fc.asyncProperty(
			fc.array(part, {maxLength: 6}),
			fc.array(part, {maxLength: 6}),
			fc.constantFrom(...TERMINALS),
			async (left, right, counting) => {
				expect(await isRight(label(left.join('')), label(right.join('')), counting)).toBe(true);
			},
		),
		{numRuns: cases},
	);
});

test('text that all terminals measure alike is unchanged', () => {
	for (const text of [
		'\u001B[2J\u001B[H plain ─│╭ 日本語 한국 → …\r\n\u001B[31mred\u001B[39m',
		'\u001B[?2026h',
		'',
	])
		expect(pinColumns(text)).toBe(text);
	expect(pinColumns('ab⚠️c')).toBe('ab⚠️\u001B[5Gc');
	expect(pinColumns('x\u001B[10G👍\u001B[1m.\n👍.')).toBe('x\u001B[10G👍\u001B[12G\u001B[1m.\n👍\u001B[3G.');
	// The control sequences of a link have no width.
	expect(pinColumns('\u001B]8;;http://x/❤️\u001B\\ab\u001B]8;;\u001B\\👍')).toBe(
		'\u001B]8;;http://x/❤️\u001B\\ab\u001B]8;;\u001B\\👍\u001B[5G',
	);
	expect(cellWidth('👍')).toBe(2);
});
