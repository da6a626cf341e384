import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import * as editing from '../../src/text/editor/editor.ts';
import {createEditor, cursorPosition, type Editor} from '../../src/text/editor/editor.ts';
import {hostileString} from './hostile-characters.ts';
import {testCases} from '../support/test-cases.ts';

const SEGMENTER = new Intl.Segmenter(undefined, {granularity: 'grapheme'});
const boundariesOf = (text: string): number[] => [
	...Array.from(SEGMENTER.segment(text), ({index}) => index),
	text.length,
];

const typed = (text: string, editor = createEditor()): Editor =>
	[...text].reduce((state, character) => editing.insert(state, character), editor);

/** An editor as text with `|` at the cursor, and the conversion back. */
const drawn = ({text, cursor}: Editor): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;
const at = (drawing: string): Editor =>
	editing.moveTo(createEditor(drawing.replace('|', '')), drawing.indexOf('|'));

describe('moving', () => {
	test('left and right step over whole characters as the reader sees them', () => {
		expect(drawn(editing.left(at('a👨‍👩‍👧|b')))).toBe('a|👨‍👩‍👧b');
		expect(drawn(editing.right(at('|e\u0301x')))).toBe('e\u0301|x');
		expect(drawn(editing.left(at('|a')))).toBe('|a');
	});

	test('words are letters, digits and underscores of any language', () => {
		expect(drawn(editing.wordLeft(at('np.zeros_like(x)|')))).toBe('np.zeros_like(|x)');
		expect(drawn(editing.wordLeft(editing.wordLeft(at('np.zeros_like(x)|'))))).toBe('np.|zeros_like(x)');
		expect(drawn(editing.wordRight(at('|  größe = 1')))).toBe('  größe| = 1');
	});

	test('up and down keep the column over shorter lines, counted in cells', () => {
		const start = at('abcdef\nx\n表計算式|');
		const middle = editing.up(start);
		expect(drawn(middle.editor)).toBe('abcdef\nx|\n表計算式');
		expect(drawn(editing.up(middle.editor).editor)).toBe('abcdef|\nx\n表計算式');
		expect(drawn(editing.down(editing.down(at('abc|\n\n表計')).editor).editor)).toBe('abc\n\n表|計');
	});

	test('up on the first line and down on the last report that they did not move', () => {
		expect(editing.up(at('ab|c\nd')).moved).toBe(false);
		expect(editing.down(at('ab\nc|d')).moved).toBe(false);
		expect(editing.up(at('|')).moved).toBe(false);
		expect(editing.up(at('\n|')).moved).toBe(true);
		expect(editing.up(at('|\nabc')).moved).toBe(false);
	});

	test('line start and end belong to the line of the cursor', () => {
		expect(drawn(editing.lineStart(at('a\nb|c\nd')))).toBe('a\n|bc\nd');
		expect(drawn(editing.lineEnd(at('a\n|bc\nd')))).toBe('a\nbc|\nd');
		expect(drawn(editing.lineStart(at('\n|')))).toBe('\n|');
	});
});

describe('changing', () => {
	test('backspace and delete take one visible character', () => {
		expect(drawn(editing.backspace(at('a🇩🇪|b')))).toBe('a|b');
		expect(drawn(editing.deleteForward(at('a|e\u0301b')))).toBe('a|b');
	});

	test('line ends of other systems become line feeds, every other character stays', () => {
		expect(editing.insert(createEditor(), 'a\r\nb\rc').text).toBe('a\nb\nc');
		expect(editing.insert(createEditor(), '\u001b[31m\u0000\u200b\ud83d').text).toBe(
			'\u001b[31m\u0000\u200b\ud83d',
		);
	});

	test('consecutive deletions are restored as one', () => {
		const killed = editing.deleteWordBefore(editing.deleteWordBefore(at('one two three|!')));
		expect(drawn(killed)).toBe('one |!');
		expect(drawn(editing.yank(killed))).toBe('one two three|!');
		const both = editing.deleteWordAfter(editing.deleteWordBefore(at('one |two')));
		expect(drawn(editing.yank(both))).toBe('one two|');
	});

	test('killing to the line end takes the line end itself when nothing else is left', () => {
		expect(drawn(editing.killToLineEnd(at('a|b\nc')))).toBe('a|\nc');
		expect(drawn(editing.killToLineEnd(at('a|\nc')))).toBe('a|c');
		expect(drawn(editing.killToLineStart(at('a\nbc|d')))).toBe('a\n|d');
	});

	test('a new line may bring its indentation', () => {
		expect(drawn(editing.newline(at('if x:|y'), '    '))).toBe('if x:\n    |y');
	});

	test('a character that joins with the next one leaves the cursor behind both', () => {
		expect(drawn(editing.insert(at('|\u0301x'), 'e'))).toBe('e\u0301|x');
	});
});

describe('undo', () => {
	test('undoes a word of typing at a time, and redo restores it', () => {
		const all = typed('one two');
		const once = editing.undo(all);
		expect(drawn(once)).toBe('one |');
		expect(drawn(editing.undo(once))).toBe('|');
		expect(drawn(editing.redo(editing.redo(editing.undo(once))))).toBe('one two|');
	});

	test('undoes a paste alone', () => {
		expect(editing.undo(editing.insert(typed('ab'), 'pasted text')).text).toBe('ab');
	});

	test('undoes a run of backspaces at once', () => {
		expect(
			drawn(editing.undo(editing.backspace(editing.backspace(editing.insert(createEditor(), 'abc def'))))),
		).toBe('abc def|');
	});

	test('forgets what could be redone after a new change', () => {
		expect(editing.redo(typed('x', editing.undo(typed('abc')))).text).toBe('x');
	});

	test('brings back a draft that history replaced', () => {
		expect(editing.undo(editing.setText(typed('draft'), 'older entry')).text).toBe('draft');
	});
});

test('the cursor is reported by line and by cell, as the line is shown', () => {
	expect(cursorPosition(at('ab\n表計|x'))).toEqual({row: 1, column: 4});
	expect(cursorPosition(at('a\tb|'))).toEqual({row: 0, column: 9});
	expect(cursorPosition(at('\u001b|x'))).toEqual({row: 0, column: 2});
});

type Step = {readonly name: string; readonly run: (editor: Editor) => Editor};

const unary = [
	'backspace',
	'deleteForward',
	'deleteWordBefore',
	'deleteWordAfter',
	'killToLineStart',
	'killToLineEnd',
	'yank',
	'undo',
	'redo',
	'left',
	'right',
	'wordLeft',
	'wordRight',
	'lineStart',
	'lineEnd',
	'textStart',
	'textEnd',
] as const;
const anyStep: fc.Arbitrary<Step> = fc.oneof(
	fc.constantFrom(...unary).map((name): Step => ({name, run: editing[name]})),
	fc
		.constantFrom('up' as const, 'down' as const)
		.map((name): Step => ({name, run: editor => editing[name](editor).editor})),
	hostileString(4).map((text): Step => ({
		name: `insert ${JSON.stringify(text)}`,
		run: editor => editing.insert(editor, text),
	})),
	fc
		.constantFrom('a', 'b', ' ', 'é')
		.map((text): Step => ({name: `type ${text}`, run: editor => editing.insert(editor, text)})),
	hostileString(4).map((text): Step => ({
		name: `set ${JSON.stringify(text)}`,
		run: editor => editing.setText(editor, text),
	})),
);
const anySteps = fc.array(anyStep, {maxLength: 40});

testCases('after any steps the cursor is between two visible characters', 1500, cases => {
	fc.assert(
		fc.property(hostileString(), anySteps, (text, steps) => {
			let editor = createEditor(text);
			for (const {run} of steps) {
				editor = run(editor);
				expect(boundariesOf(editor.text)).toContain(editor.cursor);
				expect(editor.text).not.toContain('\r');
			}
		}),
		{numRuns: cases},
	);
});

testCases(
	'undo goes back through earlier texts to the first, and redo forward again to the last',
	1500,
	cases => {
		fc.assert(
			fc.property(hostileString(10), anySteps, (text, steps) => {
				const first = createEditor(text);
				const seen = [first.text];
				let editor = first;
				for (const {name, run} of steps) {
					if (name === 'undo' || name === 'redo') continue;
					editor = run(editor);
					seen.push(editor.text);
				}

				const last = editor;
				let latest = seen.length - 1;
				while (editor.past.length > 0) {
					editor = editing.undo(editor);
					latest = seen.lastIndexOf(editor.text, latest);
					expect(latest).toBeGreaterThanOrEqual(0);
				}

				expect(editor.text).toBe(first.text);
				while (editor.future.length > 0) editor = editing.redo(editor);
				expect(editor.text).toBe(last.text);
				expect(boundariesOf(editor.text)).toContain(editor.cursor);
			}),
			{numRuns: cases},
		);
	},
);

/**
 * Reference: a naive editor, which stores visible characters before and after the cursor as lists.
 */
class NaiveEditor {
	before: string;
	after = '';

	constructor(text: string) {
		this.before = text;
	}

	#graphemes(text: string): string[] {
		return Array.from(SEGMENTER.segment(text), ({segment}) => segment);
	}

	apply(name: string): void {
		const first = this.#graphemes(this.after)[0] ?? '';
		const last = this.#graphemes(this.before).at(-1) ?? '';
		if (name === 'left' || name === 'backspace')
			this.before = this.before.slice(0, this.before.length - last.length);
		if (name === 'right' || name === 'deleteForward') this.after = this.after.slice(first.length);
		if (name === 'left') this.after = last + this.after;
		if (name === 'right') this.before += first;
		if (name === 'textStart') this.after = this.before + this.after;
		if (name === 'textStart') this.before = '';
	}

	insert(text: string): void {
		this.before += text;
	}
}

testCases('the basic operations do what a naive editor of visible characters does', 2000, cases => {
	// Characters that do not join with those on the other side of the cursor, so that the naive
	// editor is right too.
	const piece = fc.constantFrom('a', ' ', '\n', '表', '👩‍🚀', 'e\u0301', '🇩🇪\u200b', '\u001b', 'क्षि');
	const step = fc.oneof(
		fc
			.constantFrom('left', 'right', 'backspace', 'deleteForward', 'textStart')
			.map(name => ({name, text: ''})),
		piece.map(text => ({name: 'insert', text})),
	);
	fc.assert(
		fc.property(fc.array(piece, {maxLength: 8}), fc.array(step, {maxLength: 40}), (pieces, steps) => {
			const naive = new NaiveEditor(pieces.join(''));
			let editor = createEditor(pieces.join(''));
			for (const {name, text} of steps) {
				if (name === 'insert') {
					naive.insert(text);
					editor = editing.insert(editor, text);
				} else {
					naive.apply(name);
					editor = editing[name as 'left'](editor);
				}

				expect(drawn(editor)).toBe(`${naive.before}|${naive.after}`);
			}
		}),
		{numRuns: cases},
	);
});
