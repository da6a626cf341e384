// Menu of completions: how it follows typing, the text it inserts, and its rows.
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {backspace, createEditor, insert, left, type Editor} from '../../../../src/text/editor/editor.ts';
import {cellWidth} from '../../../../src/text/width/width.ts';
import {questionIn} from '../../../../src/tui/cells/help/help.ts';
import {documentationRows, pagedDocumentation} from '../../../../src/tui/cells/help/documentation.ts';
import {menuRows} from '../../../../src/tui/cells/help/menu-rows.ts';
import {accepted, followed, opened, type Menu} from '../../../../src/tui/cells/help/menu.ts';
import {codePoint} from '../../../support/code-points.ts';

const words = (...texts: readonly string[]) =>
	texts.map(text => ({text, kind: 'function', signature: '(x)'}));
const ask = (code: string, from: number, ...texts: readonly string[]) => {
	const draft = createEditor(code);
	return opened(draft, {from, to: code.length, words: words(...texts)});
};
const menuOf = (code: string, from: number, ...texts: readonly string[]): readonly [Menu, Editor] => {
	const found = ask(code, from, ...texts);
	if (!found?.menu) throw new Error('no menu');
	return [found.menu, found.draft];
};
const fitting = (menu: Menu | null): readonly string[] | undefined => menu?.fitting.map(({text}) => text);
const plain = (rows: readonly string[]): readonly string[] =>
	rows.map(row => row.replaceAll(/\u001B\[[\d;]*m/g, '').trimEnd());

test('a single candidate is inserted, several are completed to their common part and open a menu, none has no effect', () => {
	expect(ask('os.pathc', 3, 'pathconf')).toMatchObject({
		draft: {text: 'os.pathconf', cursor: 11},
		menu: null,
	});
	expect(ask('os.pa', 3, 'path', 'pathsep')).toMatchObject({draft: {text: 'os.path'}, menu: {typed: 'path'}});
	expect(ask('os.pa', 3, 'pardir', 'path')).toMatchObject({draft: {text: 'os.pa'}, menu: {typed: 'pa'}});
	expect(ask('os.pa', 3)).toBeNull();
	expect(ask('os.path', 3, 'path')).toBeNull();
	// If the kernel's completion differs in case, the typed text does not change.
	expect(ask('PA', 0, 'path', 'pathsep')).toMatchObject({draft: {text: 'PA'}});
});

test('a completion with invisible characters is not inserted', () => {
	for (const hostile of ['a\u001B]0;t\u0007', 'a\nb', 'a\u202Eb', 'a\u200Bb', 'x'.repeat(400), ''])
		expect(ask('a', 0, hostile)).toBeNull();
	expect(fitting(menuOf('a', 0, 'a\u001B[2J', 'ab', 'ac')[0])).toEqual(['ab', 'ac']);
});

test('magics come last, and are for the start of a line', () => {
	expect(fitting(menuOf('x = 1\nti', 6, '%time', 'tile', 'time')[0])).toEqual(['tile', 'time', '%time']);
	expect(fitting(menuOf('d["al', 3, '%alias', 'alp', 'also')[0])).toEqual(['alp', 'also']);
	expect(fitting(menuOf('%ti', 0, '%time', '%%time')[0])).toEqual(['%time', '%%time']);
});

test('typing narrows the menu, deleting widens it, and other text closes it', () => {
	const [menu, draft] = menuOf('f(os.pa)', 5, 'pardir', 'path', 'pathsep');
	expect(menu).toMatchObject({at: 0});
	const [inner, start] = [
		{...draft, cursor: 7},
		{...menu, behind: ')', typed: 'pa', taken: 0},
	];
	const typed = insert(inner, 't');
	const narrow = followed(start, typed);
	expect(fitting(narrow)).toEqual(['path', 'pathsep']);
	expect(fitting(followed(narrow ?? start, backspace(typed)))).toEqual(['pardir', 'path', 'pathsep']);
	expect(followed(start, left(typed))).toBeNull();
	expect(followed(start, backspace(inner))).toBeNull();
	expect(followed(start, insert(inner, '('))).toBeNull();
	expect(followed(start, createEditor('other'))).toBeNull();
	expect(followed(start, createEditor())).toBeNull();
	// No completion is left.
	expect(followed(start, insert(inner, 'thsep'))).toBeNull();
	expect(accepted({...start, at: 1}, inner)).toMatchObject({text: 'f(os.path)', cursor: 9});
});

test('text that the kernel replaces after the cursor is replaced, also with characters of two units', () => {
	const draft = {...createEditor('"🙂".joXX)'), cursor: 7};
	const found = opened(draft, {from: 5, to: 9, words: words('join', 'joke')});
	if (!found?.menu) throw new Error('no menu');
	expect(accepted(found.menu, found.draft)).toMatchObject({text: '"🙂".join)', cursor: 9});
	expect(opened(draft, {from: 8, to: 9, words: words('x')})).toBeNull();
	expect(ask('🙂', 0, '🙂a', '🙃a')).toMatchObject({draft: {text: '🙂'}});
});

test('the rows fit, show at most eight with the position among all, and the chosen one', () => {
	const [menu] = menuOf('x', 0, ...Array.from({length: 41}, (_, index) => `x${index}`));
	const rows = plain(menuRows({...menu, at: 2}, 5, 60, 20));
	expect(rows).toHaveLength(9);
	expect(rows[0]).toMatch(/^── completions ─+ 3\/41 ──$/);
	expect(rows[3]).toMatch(/^ +▸ x2 +function +\(x\)$/);
	expect(rows.filter(row => row.includes('▸'))).toHaveLength(1);
	expect(plain(menuRows({...menu, at: 40}, 5, 60, 20)).at(-1)).toMatch(/▸ x40/);
	expect(menuRows(menu, 5, 60, 4)).toHaveLength(4);
	expect(menuRows(menu, 5, 60, 1)).toEqual([]);
});

test('rows are never wider than the pane, with any data from a kernel', () => {
	fc.assert(
		fc.property(
			fc.array(
				fc.record({
					text: fc.string({unit: codePoint, minLength: 1}),
					kind: fc.string({unit: codePoint}),
					signature: fc.string({unit: codePoint}),
				}),
				{minLength: 2, maxLength: 9},
			),
			fc.integer({min: 20, max: 120}),
			fc.integer({min: 0, max: 120}),
			fc.integer({min: 0, max: 12}),
			(sent, width, column, height) => {
				const menu = opened(createEditor(''), {from: 0, to: 0, words: sent})?.menu;
				if (!menu) return;
				const rows = menuRows(menu, column, width, height);
				expect(rows.length).toBeLessThanOrEqual(height);
				for (const row of rows) expect(cellWidth(row)).toBeLessThanOrEqual(width);
				expect(plain(rows).join('')).not.toMatch(/[\u0000-\u001F\u007F-\u009F]/);
			},
		),
		{numRuns: 40},
	);
});

test('documentation keeps its colours and nothing else that controls a terminal, and is read by pages', () => {
	const text = `\u001B[31mSignature:\u001B[39m f()\u001B]0;title\u0007\u001B[2J\n${Array.from({length: 40}, (_, index) => `line ${index}`).join('\n')}\n\n`;
	const shown = {name: 'f', text, hasSource: false, top: 0};
	const rows = documentationRows(shown, 60, 30);
	expect(rows.join('\n')).toContain('\u001B[31mSignature:');
	expect(plain(rows).join('\n')).not.toMatch(/title|\u001B/);
	expect(plain(rows)[0]).toMatch(/^── documentation ─+ 14\/41 ──$/);
	const next = pagedDocumentation(shown, 1, 60, 30);
	expect(plain(documentationRows(next, 60, 30))[1]).toBe(' line 12');
	const end = pagedDocumentation(next, 99, 60, 30);
	expect(plain(documentationRows(end, 60, 30)).at(-1)).toBe(' line 39');
	expect(pagedDocumentation(pagedDocumentation(end, -99, 60, 30), -1, 60, 30).top).toBe(0);
	for (const height of [0, 1, 2, 3, 5, 9])
		expect(documentationRows(shown, 60, height).length).toBeLessThanOrEqual(height);
});

test.each([
	['len?', 'len', 0],
	['len??', 'len', 1],
	['x = 1\n  a.b?', 'x = 1\n  a.b', 0],
	['%time?', '%time', 0],
	['print("what?', null, 0],
	['# why?', null, 0],
	['f(x)?', null, 0],
	['?', null, 0],
	['len???', null, 0],
] as const)('%j asks about %j', (before, text, detail) => {
	expect(questionIn(before)).toEqual(text === null ? null : {text, detail});
});
