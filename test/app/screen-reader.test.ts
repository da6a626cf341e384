import {describe, expect, test} from 'vitest';
import {
	boxAt,
	rowAsSentence,
	isChosen,
	isTyped,
	typedAt,
	withoutNumbers,
} from '../../src/app/screen-reader/frame.ts';
import {createScreenReader} from '../../src/app/screen-reader/reader.ts';
import {createStream, typedOver, type Prompt} from '../../src/app/screen-reader/stream.ts';
import type {Store} from '../../src/tui/core/program.ts';
import {storeOn} from '../support/store-on.ts';

const at = (text: string, cursor = text.length, key = 'repl'): Prompt => ({key, text, cursor});

/** The text of a one-line terminal after these bytes, and its cursor. */
const shown = (bytes: string): {readonly line: string; readonly cursor: number} => {
	let line: string[] = [];
	let cursor = 0;
	for (const character of bytes)
		if (character === '\b') cursor--;
		else line = [...line.slice(0, cursor), character, ...line.slice(++cursor)];
	return {line: line.join(''), cursor};
};

describe('the line that is typed', () => {
	test.each([
		[at('>>> pri'), at('>>> prin')],
		[at('>>> prin'), at('>>> pri')],
		[at('>>> prnt'), at('>>> prnt', 6)],
		[at('>>> prnt', 6), at('>>> print', 7)],
		[at('>>> print', 7), at('>>> prnt', 6)],
		[at('>>> abc', 4), at('>>> abc')],
		[at('>>> abc', 5), at('>>> axbc', 6)],
		[at('>>> abc'), at('>>> abcdef', 4)],
	])('%j becomes %j in place', (from, to) => {
		const before = from.text + '\b'.repeat(from.text.length - from.cursor);
		const change = typedOver(from, to, 80);
		expect(change).toBeDefined();
		const {line, cursor} = shown(before + change);
		expect(line.trimEnd()).toBe(to.text.trimEnd());
		expect(cursor).toBe(to.cursor);
	});

	test('text typed at its end is the only output', () => {
		expect(typedOver(at('>>> pri'), at('>>> print'), 80)).toBe('nt');
		expect(typedOver(at('>>> pri'), at('>>> pri'), 80)).toBe('');
	});

	test.each([
		['another field', at('a'), at('ab', 2, 'filter')],
		['much that was taken away', at('>>> print(1)'), at('>>> ')],
		['more than the terminal is wide', at('x'.repeat(19)), at('x'.repeat(20))],
	])('%s is a line of its own', (_, from, to) => expect(typedOver(from, to, 20)).toBeUndefined());

	test('announced lines end it, and it is repeated below them', () => {
		let text = '';
		const stream = createStream(
			more => (text += more),
			() => 80,
		);
		stream.prompt(at('>>> x'));
		stream.prompt(at('>>> xy'));
		stream.say(['lab is ready']);
		stream.prompt(at('>>> xy'));
		stream.prompt(null);
		stream.say([]);
		expect(text).toBe('>>> xy\nlab is ready\n>>> xy\n');
	});
});

describe('a frame in words', () => {
	test('cells are divided by commas; marks, borders and colours are left out', () => {
		expect(rowAsSentence('\u001B[36m ▸ \u001B[39mtrainer   ● ready     ai')).toBe('trainer: ready, ai');
		expect(rowAsSentence('│ ■ us-central-2        12 │')).toBe('chosen: us-central-2, 12');
		expect(rowAsSentence(' n ≥ 2   ⏎ open   ^X m model')).toBe('n at least 2, Enter open, Ctrl-X m model');
	});

	test('a running clock is not a new line', () =>
		expect(withoutNumbers('asked 12 s ago')).toBe(withoutNumbers('asked 3 s ago')));

	test('the box of a dialog is read at its position, beside any other boxes', () => {
		const rows = [
			'╭─ Traceback ─╮',
			'╰─────────────╯ 日本 below',
			'  ╭─ Start? ─╮',
			'  │ y  start │',
			'  │ \u001B[7mno\u001B[27m        │',
			'  ╰──────────╯',
			'',
		];
		const box = boxAt(rows, {left: 2, top: 2, width: 12, height: 2});
		expect(box).toMatchObject({title: 'Start?', x: 3, y: 3});
		expect(box.rows.map(rowAsSentence)).toEqual(['y: start', 'no']);
		expect(box.rows.map(isChosen)).toEqual([false, true]);
	});

	test.each([
		['>>> x  = 1', 8, '>>> x  = 1', 8],
		[' › pri   ', 6, '> pri', 5],
		['▸ name        box     ', 17, 'name: box', 9],
	])('%j with the cursor in cell %i is typed as %j', (row, x, text, cursor) =>
		expect(typedAt(row, x)).toEqual({text, cursor}),
	);
});

test.each([
	['>>> print(x)', 'print(x)', true],
	['...     return 1', '    return 1', true],
	['> what is it?', 'what is it?', true],
	['>>> print(x)', ')', false],
	['>>> print(x)', 'x)', false],
	['', '', false],
])('of %j was typed %j: %s', (typed, line, was) => expect(isTyped(typed, line)).toBe(was));

test('a store that is no longer followed is not announced', () => {
	const ended: string[] = [];
	const storeNamed = (name: string): Store => ({
		...storeOn('http://127.0.0.1:1'),
		subscribe: () => () => ended.push(name),
	});
	const reader = createScreenReader(() => {}, {columns: () => 80, isAway: () => false});
	reader.follow(storeNamed('first'));
	expect(ended).toEqual([]);
	reader.follow(storeNamed('second'));
	expect(ended).toEqual(['first']);
});
