import {readFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {keyBytes} from '../support/key-bytes.ts';
import {testRows} from '../support/rows.ts';
import {newHome, openProgram} from '../support/program.ts';

const README = readFileSync(path.join(import.meta.dirname, '../../README.md'), 'utf8');

/** The first keys in README for a new user, in order. */
const readmeKeys = (): readonly string[] => {
	const [told = ''] = /^1\. Press `[^]*?\n\n/m.exec(README) ?? [];
	return [...told.matchAll(/`([^`]+)`/g)]
		.map(([, each = '']) => each)
		.filter(each => each.length === 1 || each === 'Esc')
		.map(each => (each === 'Esc' ? 'esc' : each));
};

const KEYS = readmeKeys();
/** The code that README suggests, and its output. */
const [, CODE = '', OUT = ''] = /Type `([^`]+)` and Enter: it prints `([^`]+)`/.exec(README) ?? [];
/** The keys up to and including the help. */
const BEFORE_LEAVING = KEYS.slice(0, -2);

test('README names keys to start, to open each pane, for help and to quit', () => {
	expect([CODE, OUT]).toEqual(['6 * 7', '→ 42']);
	expect(KEYS).toEqual(['s', 'y', '4', '5', 'esc', '6', 'esc', '?', 'esc', 'q']);
});

const WAYS = [
	['all at once', true],
	['key by key', false],
] as const;
testRows("README's first keys work as described, typed %s", WAYS, 1, async ([_, isBurst]) => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await terminal.until('to start welcome');
	if (isBurst) {
		terminal.type(BEFORE_LEAVING.map(key => keyBytes(key)).join(''));
	} else {
		const seen: ReadonlyArray<string | RegExp> = [
			'Start welcome?',
			/welcome \S ready/,
			/Files · welcome[^]*src/,
			'>>>',
			'esc servers',
			'Assistant · welcome',
			'esc servers',
			'Type to search all',
		];
		for (const [at, key] of BEFORE_LEAVING.entries()) {
			terminal.press(key);
			await terminal.until(seen[at]!);
			if (seen[at] !== '>>>') continue;
			terminal.type(`${CODE}\r`);
			await terminal.until(new RegExp(OUT.replace(' ', ' +')));
			// While the cell runs, Esc applies to the cell.
			await terminal.gone(/esc (?:stop waiting|interrupt)/);
		}
	}
	await terminal.until('Type to search all');
	await terminal.until(/welcome \S ready/);
	// No key was typed into a field.
	terminal.press('esc');
	await terminal.gone('Type to search all');
	terminal.press('alt+6');
	await terminal.until(/Assistant · welcome[^]*^ › *$/m);
	terminal.press('alt+5');
	await terminal.until(/REPL · welcome[^]*^ >>> *$/m);
	terminal.type(
		KEYS.slice(-2)
			.map(key => keyBytes(key))
			.join(''),
	);
	await expect(terminal.exit).resolves.toEqual({code: 0, signal: null});
});

test(
	'typed in one go from the first to the last, they leave the program',
	{tags: ['long', 'plain']},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home});
		await terminal.until('to start welcome');
		terminal.type(KEYS.map(key => keyBytes(key)).join(''));
		await expect(terminal.exit).resolves.toEqual({code: 0, signal: null});
		await expect(terminal.leftovers()).resolves.toEqual([]);
	},
);
