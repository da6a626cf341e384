// Keys in an edited notebook: their effects on several cells, and on the parts of cells that are
// shown and saved.
import {stripVTControlCharacters} from 'node:util';
import {expect, test} from 'vitest';
import type {LiveOutcome} from '../../../src/api/client-types.ts';
import {notebookText} from '../../../src/text/notebook/serialize.ts';
import {runAction} from '../../support/run-action.ts';
import {isUnsaved, markedCells} from '../../../src/tui/notebook/open-notebook.ts';
import {layoutNotebook} from '../../../src/tui/notebook/rows.ts';
import {notebookRows} from '../../../src/tui/notebook/view.ts';
import {notebookFaults} from '../../support/notebook-schema.ts';
import {route} from '../../../src/tui/core/store/route.ts';
import {FILE, openNotebook, textOf, turns} from '../../support/open-notebook.ts';
import {notebookList} from '../../../src/tui/notebook/notebooks.ts';

const ROOM = {width: 80, height: 40, pictureStyle: {depth: 24, blocks: 'quadrants'}} as const;

/** A notebook whose cells have each printed one of these texts. */
const printed = (...texts: readonly string[]): string =>
	JSON.stringify({
		cells: texts.map((text, index) => ({
			cell_type: 'code',
			execution_count: index + 1,
			id: `cell-${index}`,
			metadata: {},
			outputs: [{output_type: 'stream', name: 'stdout', text}],
			source: `part ${index}`,
		})),
		metadata: {},
		nbformat: 4,
		nbformat_minor: 5,
	});

test.each([
	['runAbove', ['a', 'b']],
	['runBelow', ['c', 'd']],
	['runAll', ['a', 'b', 'c', 'd']],
])('%s runs these cells one after the other', async (action, wanted) => {
	const {get, cells, press, keyAt} = await openNotebook(textOf('a', 'b', 'c', 'd'));
	notebookList(get).changeNotebook(FILE, () => ({at: keyAt(2)}));
	expect(press(action)).toBeUndefined();
	for (let count = 1; count <= wanted.length; count++) {
		await turns();
		expect(cells.sent.map(({code}) => code)).toEqual(wanted.slice(0, count));
		cells.sent.at(-1)?.end({kind: 'done'} as LiveOutcome);
	}
	await turns();
	expect(cells.sent.length).toBe(wanted.length);
});

test('a cell made raw keeps its text, is shown unformatted, loses its outputs, is not run, and is code again by undo', async () => {
	const {get, cells, press, open, keyAt} = await openNotebook(printed('one', 'two'));
	notebookList(get).changeNotebook(FILE, () => ({at: keyAt(0)}));
	press('raw');
	const json = JSON.parse(notebookText(open().notebook)) as {readonly cells: readonly object[]};
	expect(json.cells[0]).toEqual({cell_type: 'raw', id: 'cell-0', metadata: {}, source: 'part 0'});
	expect(notebookFaults(json)).toEqual([]);
	expect(stripVTControlCharacters(layoutNotebook(open(), ROOM).blocks[0]!.join('\n'))).toBe(
		'       part 0\n',
	);
	expect(press('run')).toBe('Only code cells run');
	press('runAll');
	await turns();
	expect(cells.sent.map(({code}) => code)).toEqual(['part 1']);
	cells.sent[0]?.end({kind: 'done'} as LiveOutcome);
	await turns();
	press('undo');
	expect(open().notebook.cells[0]).toMatchObject({kind: 'code', source: 'part 0', count: 1});
});

test('marked cells run and are deleted together, and undo restores them in one step', async () => {
	const {get, cells, press, open, keyAt} = await openNotebook(textOf('a', 'b', 'c', 'd'));
	const marked = (): readonly string[] => markedCells(open()).map(({source}) => source);
	const signs = (): readonly string[] =>
		notebookRows(open(), layoutNotebook(open(), ROOM), ROOM, true)
			.map(row => stripVTControlCharacters(row).trimEnd())
			.filter(row => /\S/.test(row));
	route(get).focusPart('files', 'viewer');
	notebookList(get).changeNotebook(FILE, () => ({at: keyAt(2)}));
	press('markUp');
	expect([marked(), open().at === keyAt(1)]).toEqual([['b', 'c'], true]);
	expect(signs()).toEqual([
		expect.stringMatching(/^ .*a$/),
		expect.stringMatching(/^■.*b$/),
		expect.stringMatching(/^■.*c$/),
		expect.stringMatching(/^ .*d$/),
	]);
	// Moves back over the first marked cell, so that cells on its other side are marked.
	for (const _ of [1, 2, 3]) press('markDown');
	expect(marked()).toEqual(['c', 'd']);
	press('tree');
	expect([marked(), get().paneFocus.files]).toEqual([[], 'viewer']);
	press('markUp');
	press('down');
	expect(marked()).toEqual([]);

	press('markUp');
	press('markUp');
	expect(marked()).toEqual(['b', 'c', 'd']);
	press('run');
	for (const source of ['b', 'c', 'd']) {
		await turns();
		expect(cells.sent.at(-1)?.code).toBe(source);
		if (source === 'b') {
			press('markDown');
			press('markDown');
			expect([marked(), press('remove')]).toEqual([
				['b', 'c', 'd'],
				'This cell is running: wait, or ii stops it',
			]);
		}
		cells.sent.at(-1)?.end({kind: 'done'} as LiveOutcome);
	}
	await turns();
	expect(cells.sent.length).toBe(3);
	press('remove');
	expect([open().notebook.cells.map(({source}) => source), marked()]).toEqual([['a'], []]);
	press('undo');
	expect(open().notebook.cells.map(({source}) => source)).toEqual(['a', 'b', 'c', 'd']);
});

/** A notebook with a text cell that contains a picture, and a code cell with printed output. */
const MIXED = JSON.stringify({
	cells: [
		{
			attachments: {'plot.png': {'image/png': 'aGk='}},
			cell_type: 'markdown',
			id: 'text',
			metadata: {tags: ['intro']},
			source: ['![plot](attachment:plot.png)'],
		},
		{
			cell_type: 'code',
			execution_count: 3,
			id: 'code',
			metadata: {collapsed: true},
			outputs: [{output_type: 'stream', name: 'stdout', text: ['out']}],
			source: ['print("out")'],
		},
	],
	metadata: {},
	nbformat: 4,
	nbformat_minor: 5,
});
type Saved = {readonly cells: readonly {readonly id: string; readonly source: unknown}[]};

test('cells are cut, copied and pasted with all that they hold, each with an id of its own', async () => {
	const {press, open, get, keyAt} = await openNotebook(MIXED);
	const saved = () => JSON.parse(notebookText(open().notebook)) as Saved;
	const original = saved().cells;
	expect(press('paste')).toMatch(/^No cell was copied: c copies one, x cuts it$/);
	notebookList(get).changeNotebook(FILE, () => ({at: keyAt(1)}));
	press('markUp');
	press('copyCell');
	expect(get().notice?.text).toBe(
		'2 cells were copied: v pastes them below the selected one, here or in another notebook',
	);
	notebookList(get).changeNotebook(FILE, () => ({at: keyAt(1)}));
	press('paste');
	const {cells} = saved();
	const content = (cell: Saved['cells'][number]): object => ({...cell, id: ''});
	expect(cells.map(content)).toEqual([...original, ...original].map(content));
	expect(new Set(cells.map(({id}) => id)).size).toBe(4);
	expect([notebookFaults(saved()), open().at]).toEqual([[], keyAt(3)]);
	press('undo');
	expect(saved().cells).toEqual(original);
	notebookList(get).changeNotebook(FILE, () => ({at: keyAt(0)}));
	press('cut');
	expect([get().notice?.text, saved().cells]).toEqual([
		'A cell was cut: v pastes it below the selected one, here or in another notebook',
		original.slice(1),
	]);
	press('paste');
	expect(saved().cells.map(content)).toEqual([...original].reverse().map(content));
});

test('cells that were copied in one notebook are pasted into another, in its layout', async () => {
	const first = await openNotebook(printed('one'));
	first.press('copyCell');
	const {copiedCells} = first.get();
	const second = await openNotebook(
		JSON.stringify({cells: [], metadata: {}, nbformat: 4, nbformat_minor: 4}, null, 4),
	);
	notebookList(second.get).setCopiedCells(copiedCells);
	second.press('paste');
	const text = notebookText(second.open().notebook);
	expect(text).not.toContain('"id"');
	expect(text).toContain('\n            "source": [\n                "part 0"\n            ]');
});

test('marked cells are converted, cleared and merged together', async () => {
	const {press, open, get, keyAt} = await openNotebook(printed('one', 'two', 'three'));
	const markFirstTwo = (): void => {
		notebookList(get).changeNotebook(FILE, () => ({at: keyAt(1)}));
		press('markUp');
	};
	markFirstTwo();
	press('clear');
	expect(open().notebook.cells.map(({outputs}) => outputs.length)).toEqual([0, 0, 1]);
	markFirstTwo();
	press('markdown');
	expect(open().notebook.cells.map(({kind}) => kind)).toEqual(['markdown', 'markdown', 'code']);
	press('undo');
	notebookList(get).changeNotebook(FILE, () => ({at: keyAt(2)}));
	press('markUp');
	press('markUp');
	press('merge');
	expect(open().notebook.cells.map(({source}) => source)).toEqual(['part 0\npart 1\npart 2']);
	press('undo');
	expect(open().notebook.cells).toHaveLength(3);
});

test('above the first cell there is no code to run', async () => {
	const {cells, press} = await openNotebook(textOf('a', 'b'));
	expect(press('runAbove')).toBe('There is no code to run');
	await turns();
	expect(cells.sent).toEqual([]);
});

test('the outputs of a cell, or of all, are cleared, and each step can be undone', async () => {
	const {press, open} = await openNotebook(printed('one', 'two', 'three'));
	const outputs = (): readonly number[] => open().notebook.cells.map(cell => cell.outputs.length);
	expect(outputs()).toEqual([1, 1, 1]);
	press('clear');
	expect([outputs(), isUnsaved(open())]).toEqual([[0, 1, 1], true]);
	press('clearAll');
	expect(outputs()).toEqual([0, 0, 0]);
	press('undo');
	expect(outputs()).toEqual([0, 1, 1]);
	press('undo');
	expect([outputs(), isUnsaved(open())]).toEqual([[1, 1, 1], false]);
});

test('long outputs are folded, unfold and fold again, and hide; none of that changes the file', async () => {
	const lines = Array.from({length: 100}, (_, at) => `line ${at}.`);
	const {press, open} = await openNotebook(printed(lines.join('\n'), 'short'));
	const shown = (): string =>
		layoutNotebook(open(), ROOM)
			.blocks[0]!.join('\n')
			.replaceAll(/\u001B\[[\d;]*m/g, '');
	const folded = shown();
	expect(folded).toMatch(/line 0\.[^]* more lines folded[^]*line 99\./);
	expect(folded).not.toContain('line 50.');
	press('fold');
	expect(lines.filter(line => !shown().includes(line))).toEqual([]);
	press('fold');
	expect(shown()).toBe(folded);
	press('hide');
	expect(shown()).toContain('1 output hidden');
	expect(shown()).not.toContain('line 0.');
	press('hide');
	expect([shown(), isUnsaved(open())]).toEqual([folded, false]);
});

test('outputs over 10 MB are asked about before they are saved', async () => {
	const {get, press, put, files} = await openNotebook(printed('x'.repeat(10_000_001)));
	const before = files.get(FILE.path);
	const answer = (how: 'yes' | 'no'): void => void runAction(get, 'confirm', how);
	put(0, 'changed');
	for (const how of ['no', 'yes'] as const) {
		press('save');
		await turns();
		expect([get().dialogs.at(-1)?.kind, files.get(FILE.path) === before]).toEqual(['save-large', true]);
		answer(how);
		await turns();
		expect(get().dialogs).toEqual([]);
	}
	expect(files.get(FILE.path)).toBe(before?.replace('part 0', 'changed'));
});

test('outputs of 10 MB are saved at once', async () => {
	const {get, press, put, files} = await openNotebook(printed('x'.repeat(9_900_000)));
	put(0, 'changed');
	press('save');
	await turns();
	expect([get().dialogs, files.get(FILE.path)?.includes('changed')]).toEqual([[], true]);
});
