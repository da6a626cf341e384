import {afterEach, expect, test, vi} from 'vitest';
import type {LiveOutcome} from '../../../src/api/client-types.ts';
import {createEditor} from '../../../src/text/editor/editor.ts';
import {runsNow} from '../../../src/tui/notebook/open-notebook.ts';
import {withoutCell} from '../../../src/text/notebook/edit.ts';
import {drawn, FILE, openNotebook, textOf, turns} from '../../support/open-notebook.ts';
import {notebookList} from '../../../src/tui/notebook/notebooks.ts';

afterEach(() => {
	vi.useRealTimers();
});

test('code stopped before it was sent is not sent, and code being sent is interrupted', async () => {
	const {get, cells, overService, keyAt, open} = await openNotebook();
	// The kernel is still being looked up.
	notebookList(get).runNotebook(FILE, [keyAt(0), keyAt(1)]);
	expect(notebookList(get).stopNotebook(FILE)).toBe(true);
	await turns();
	expect([cells.sent.length, overService]).toEqual([0, []]);
	expect([...open().runs.values()].map(({state}) => state)).toEqual(['skipped', 'skipped']);
	// The link is still starting, and then cannot send the cell.
	cells.starting.close();
	notebookList(get).runNotebook(FILE, [keyAt(0)]);
	await turns();
	notebookList(get).stopNotebook(FILE);
	cells.starting.open();
	await turns();
	expect(cells.sent.at(-1)?.isInterrupted).toBe(true);
	cells.sent.at(-1)?.end({kind: 'unsent'} as LiveOutcome);
	await turns();
	expect([overService, open().runs.get(keyAt(0))?.state]).toEqual([[], 'interrupted']);
	// The next run is not affected by the stop.
	notebookList(get).runNotebook(FILE, [keyAt(0)]);
	await turns();
	expect([cells.sent.length, cells.sent.at(-1)?.isInterrupted]).toEqual([2, false]);
});

test('a running cell is not merged, split or deleted until its results have arrived', async () => {
	const {get, cells, press, keyAt, sources, open} = await openNotebook(textOf('a', 'b', 'c'));
	notebookList(get).runNotebook(FILE, [keyAt(1)]);
	await turns();
	const reason = /^This cell is running: wait, or ii stops it$/;
	notebookList(get).changeNotebook(FILE, () => ({at: keyAt(0)}));
	expect(press('merge')).toMatch(reason);
	notebookList(get).changeNotebook(FILE, () => ({at: keyAt(1)}));
	expect([press('merge'), press('remove')]).toEqual([
		expect.stringMatching(reason),
		expect.stringMatching(reason),
	]);
	notebookList(get).changeNotebook(FILE, () => ({editing: createEditor('b')}));
	expect(press('split', 'notebookEdit')).toMatch(reason);
	notebookList(get).changeNotebook(FILE, () => ({editing: null}));
	cells.sent[0]?.print('out');
	cells.sent[0]?.end({kind: 'done'} as LiveOutcome);
	await turns();
	expect([sources(), open().notebook.cells[1]?.outputs.length]).toEqual([['a', 'b', 'c'], 1]);
	expect(press('merge')).toBeUndefined();
	expect(sources()).toEqual(['a', 'b\nc']);
});

test('late output of an earlier run lands only if its outputs are still there', async () => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'Date']});
	const {get, cells, press, keyAt, open} = await openNotebook();
	const key = keyAt(0);
	const printed = (): unknown => open().notebook.cells[0]?.outputs[0]?.['text'];
	notebookList(get).runNotebook(FILE, [key]);
	await turns();
	const first = cells.sent[0];
	first?.print('first');
	first?.end({kind: 'done'} as LiveOutcome);
	await turns();
	expect(printed()).toBe('first');
	first?.print('first, and a thread of it');
	drawn();
	expect(printed()).toBe('first, and a thread of it');
	notebookList(get).runNotebook(FILE, [key]);
	await turns();
	const second = cells.sent[1];
	second?.print('second');
	second?.end({kind: 'done'} as LiveOutcome);
	await turns();
	expect(printed()).toBe('second');
	first?.print('late');
	drawn();
	expect(printed()).toBe('second');
	press('clear');
	second?.print('late too');
	drawn();
	expect(open().notebook.cells[0]?.outputs).toEqual([]);
});

test('a waiting cell stays code until it has run, and a removed one no longer waits', async () => {
	const {get, cells, press, keyAt, open} = await openNotebook(textOf('a', 'b', 'c'));
	const key = keyAt(1);
	notebookList(get).runNotebook(FILE, [keyAt(0), key, keyAt(2)]);
	await turns();
	notebookList(get).changeNotebook(FILE, () => ({at: key}));
	expect(press('markdown')).toMatch(/^This cell is running: wait/);
	notebookList(get).workNotebook(FILE, notebook => ({notebook: withoutCell(notebook, key)}));
	cells.sent[0]?.end({kind: 'done'} as LiveOutcome);
	await turns();
	expect(cells.sent.map(({code}) => code)).toEqual(['a', 'c']);
	cells.sent[1]?.end({kind: 'done'} as LiveOutcome);
	await turns();
	expect([open().runs.has(key), runsNow(open()), notebookList(get).stopNotebook(FILE)]).toEqual([
		false,
		false,
		false,
	]);
});

test('a cell whose kernel has ended unseen runs in the next one of its notebook, not over the service', async () => {
	const {get, cells, keyAt, open, overService} = await openNotebook(textOf('a'));
	notebookList(get).runNotebook(FILE, [keyAt(0)]);
	await turns();
	cells.sent[0]?.end({kind: 'unsent', isNew: true});
	await turns();
	expect([cells.sent.map(({code}) => code), overService]).toEqual([['a', 'a'], []]);
	cells.sent[1]?.end({kind: 'done'});
	await turns();
	expect(open().runs.get(keyAt(0))?.state).toBe('done');
	// The cell is retried once.
	notebookList(get).runNotebook(FILE, [keyAt(0)]);
	for (const index of [2, 3]) {
		await turns();
		cells.sent[index]?.end({kind: 'unsent', isNew: true});
	}
	await turns();
	expect([cells.sent.length, overService]).toEqual([4, ['a']]);
});

const ABORTED = {kind: 'not-run', why: 'aborted'} as const;
const states = ({open}: Pick<Awaited<ReturnType<typeof openNotebook>>, 'open'>): readonly string[] =>
	[...open().runs.values()].map(({state}) => state);

test('the kernel gets the whole queue, and each cell shows where it is', async () => {
	const opened = await openNotebook(textOf('a', 'b', 'c'));
	const {get, cells, press, keyAt, open} = opened;
	notebookList(get).runNotebook(FILE, [keyAt(0), keyAt(1), keyAt(2)]);
	await turns();
	expect([cells.sent.map(({code}) => code), states(opened)]).toEqual([
		['a'],
		['running', 'queued', 'queued'],
	]);
	for (const index of [0, 1, 2]) {
		cells.sent[index]?.hand();
		await turns();
	}
	expect([cells.sent.map(({code}) => code), states(opened)]).toEqual([
		['a', 'b', 'c'],
		['running', 'kernel', 'kernel'],
	]);
	notebookList(get).changeNotebook(FILE, () => ({at: keyAt(1)}));
	expect(press('remove')).toMatch(/^The kernel has its code already: ii stops the run$/);
	cells.sent[0]?.print('of a');
	cells.sent[0]?.end({kind: 'done'});
	cells.sent[1]?.begin();
	await turns();
	expect(states(opened)).toEqual(['done', 'running', 'kernel']);
	for (const index of [1, 2]) {
		cells.sent[index]?.print(`of ${index}`);
		cells.sent[index]?.end({kind: 'done'});
	}
	await turns();
	expect(open().notebook.cells.map(({outputs}) => outputs[0]?.['text'])).toEqual(['of a', 'of 1', 'of 2']);
	expect([states(opened), notebookList(get).stopNotebook(FILE)]).toEqual([['done', 'done', 'done'], false]);
});

test('a stop interrupts the running cell, and what the kernel aborts was not run', async () => {
	const opened = await openNotebook(textOf('a', 'b', 'c'));
	const {get, cells, keyAt} = opened;
	notebookList(get).runNotebook(FILE, [keyAt(0), keyAt(1), keyAt(2)]);
	for (const index of [0, 1, 2]) {
		await turns();
		cells.sent[index]?.hand();
	}
	await turns();
	expect(notebookList(get).stopNotebook(FILE)).toBe(true);
	// The code ignores the interrupt, so the next cell starts.
	cells.sent[0]?.end({kind: 'done'});
	cells.sent[1]?.begin();
	await turns();
	expect(cells.sent.map(({isInterrupted}) => isInterrupted)).toEqual([true, true, false]);
	cells.sent[1]?.end({kind: 'done'});
	cells.sent[2]?.end(ABORTED);
	await turns();
	expect([states(opened), cells.sent.length]).toEqual([['done', 'done', 'skipped'], 3]);
});

test("cells aborted by another client's error run again", async () => {
	const opened = await openNotebook(textOf('a', 'b'));
	const {get, cells, keyAt} = opened;
	notebookList(get).runNotebook(FILE, [keyAt(0), keyAt(1)]);
	for (const index of [0, 1]) {
		await turns();
		cells.sent[index]?.hand();
	}
	await turns();
	cells.sent[0]?.end({kind: 'done'});
	cells.sent[1]?.end(ABORTED);
	await turns();
	expect([cells.sent.map(({code}) => code), states(opened)]).toEqual([
		['a', 'b', 'b'],
		['done', 'running'],
	]);
});
