// Work in notebooks that another writer, a slow save, a stop or a kept text gets in the way of. The files and the link answer when the test lets them.
import {expect, test} from 'vitest';
import type {Client, Live, LiveCell, LiveEnd} from '../../../src/api/client-types.ts';
import type {EditRequest} from '../../../src/tui/core/store/deps.ts';
import {createStore} from '../../../src/tui/app.ts';
import type {At} from '../../../src/tui/core/room.ts';
import {createEditor} from '../../../src/text/editor/editor.ts';
import {notebookHandlers} from '../../../src/tui/files/notebook/handlers.ts';
import {isUnsaved, type OpenNotebook} from '../../../src/tui/files/notebook/open-notebook.ts';
import {keyOf, textFile} from '../../../src/tui/files/content.ts';
import {withSource} from '../../../src/text/notebook/worked.ts';
import {ready, server} from '../../support/factories.ts';

const FILE = {server: 's', path: 'n.ipynb'};
const RECT = {left: 0, top: 0, width: 80, height: 24};

const textOf = (...sources: readonly string[]): string =>
	JSON.stringify({
		cells: sources.map((source, index) => ({
			cell_type: 'code',
			execution_count: null,
			id: `cell-${index}`,
			metadata: {},
			outputs: [],
			source,
		})),
		metadata: {},
		nbformat: 4,
		nbformat_minor: 5,
	});
const TEXT = textOf('a', 'b');

const turns = async (): Promise<void> => {
	for (let turn = 0; turn < 12; turn++) await new Promise(resolve => setImmediate(resolve));
};

/** Lets what waits go on when the test says so. */
const gate = () => {
	const waiting: (() => void)[] = [];
	let isOpen = true;
	return {
		pass: async (): Promise<void> => (isOpen ? undefined : new Promise(resolve => waiting.push(resolve))),
		close: (): void => void (isOpen = false),
		open(): void {
			isOpen = true;
			for (const resolve of waiting.splice(0)) resolve();
		},
		/** One of those that wait. */
		one: (): void => waiting.shift()?.(),
	};
};

/** Cells of a link, which end when the test says so. */
const cellsOf = () => {
	const sent: {
		readonly code: string;
		readonly end: (end: LiveEnd, text?: string) => void;
		readonly print: (text: string) => void;
		isInterrupted: boolean;
	}[] = [];
	const starting = gate();
	const run = async (code: string, _: string, changed: () => void): Promise<LiveCell> => {
		await starting.pass();
		let printed = '';
		const {promise, resolve} = Promise.withResolvers<LiveEnd>();
		const print = (text: string): void => {
			printed = text;
			changed();
		};
		const cell = {code, isInterrupted: false, print, end: resolve};
		sent.push(cell);
		return {
			ended: promise,
			now: () => ({
				outputs: printed === '' ? [] : [{output_type: 'stream', name: 'stdout', text: printed}],
				execution_count: 1,
			}),
			size: () => 0,
			interrupt: () => void (cell.isInterrupted = true),
			asks: () => null,
			answer() {},
		} as unknown as LiveCell;
	};
	return {sent, starting, run};
};

/** A store that works in a notebook. */
const openNotebook = async (text = TEXT) => {
	const files = new Map([[FILE.path, text]]);
	const saving = gate();
	const keeping = gate();
	const cells = cellsOf();
	const overService: string[] = [];
	const copies: {readonly path: string; text: string; isGone: boolean}[] = [];
	const disk = {isFull: false};
	const found = (path: string) => {
		const held = files.get(path);
		return held === undefined
			? {ok: false, failure: {kind: 'not-found', message: ''}}
			: {ok: true, value: textFile(path, held)};
	};
	const list = async () => ({ok: true, value: {name: '', path: '', type: 'directory', content: []}});
	const client = {
		live: async () => ({live: {run: cells.run, files: {list}, close() {}} as unknown as Live}),
		getFile: async (_: string, path: string) => found(path),
		getTaggedFile: async (_: string, path: string) => {
			const at = found(path);
			return at.ok ? {ok: true, value: {entry: at.value, tag: null}} : at;
		},
		putFile: async (_: string, path: string, {content}: {readonly content: string}) => {
			await saving.pass();
			files.set(path, content);
			return {ok: true, value: textFile(path, content)};
		},
		runCode: async (_: string, {code}: {readonly code: string}) => {
			overService.push(code);
			return new Promise(() => {});
		},
	} as unknown as Client;
	const store = createStore({
		client: async () => client,
		now: Date.now,
		copy: async () => ({isInClipboard: false, isInTmux: false, isAsked: true}),
		show: async () => false,
		edit: async () => Promise.reject(new Error('no editor')),
		open: async () => false,
		keepCopy: async ({name}: EditRequest) => {
			await keeping.pass();
			if (disk.isFull) throw new Error('the disk is full');
			const copy = {path: `/kept/${copies.length}/${name}`, text: '', isGone: false};
			copies.push(copy);
			return {
				path: copy.path,
				write(next) {
					if (disk.isFull) throw new Error('the disk is full');
					copy.text = next;
				},
				discard: () => void (copy.isGone = true),
				leave() {},
			};
		},
	});
	store.setState({servers: ready([server({name: 's'})]), current: 's', screen: 'files'});
	const {getState: get} = store;
	await get().openFile('s', FILE.path);
	await get().workInNotebook('s');
	await get().linkOf('s');
	const open = (): OpenNotebook => get().notebooks.get(keyOf(FILE))!;
	const sources = (): readonly string[] => open().notebook.cells.map(({source}) => source);
	const keyAt = (index: number): number => open().notebook.cells[index]?.key ?? -1;
	return {
		store,
		get,
		files,
		saving,
		keeping,
		cells,
		overService,
		disk,
		open,
		sources,
		keyAt,
		/** Copies that are there. */
		kept: () => copies.filter(({isGone}) => !isGone).map(({text: held}) => held),
		put: (index: number, source: string) =>
			get().workNotebook(FILE, notebook => ({notebook: withSource(notebook, keyAt(index), source)})),
		/** Presses a key of the notebook. */
		press: (action: string, scope: 'notebook' | 'notebookEdit' = 'notebook') => {
			const handlers = notebookHandlers[scope]?.({get, rect: RECT, columns: 80, rows: 24} as unknown as At);
			return (handlers as unknown as Readonly<Record<string, () => string | void>>)[action]?.();
		},
		said: () => get().notices.map(({text: each}) => each),
	};
};

test('what is typed while two saves follow each other stays, unsaved and kept', async () => {
	const {get, put, sources, open, saving, files, kept, keyAt} = await openNotebook();
	const key = keyAt(0);
	saving.close();
	put(0, 'one');
	void get().saveNotebook(FILE);
	put(0, 'two');
	void get().saveNotebook(FILE);
	put(0, 'three');
	await turns();
	saving.one();
	await turns();
	expect([sources(), files.get(FILE.path), kept()]).toEqual([
		['three', 'b'],
		textOf('one', 'b'),
		[textOf('three', 'b')],
	]);
	saving.open();
	await turns();
	expect([sources(), files.get(FILE.path), kept(), isUnsaved(open()), keyAt(0)]).toEqual([
		['three', 'b'],
		textOf('two', 'b'),
		[textOf('three', 'b')],
		true,
		key,
	]);
	await get().saveNotebook(FILE);
	expect([files.get(FILE.path), kept(), isUnsaved(open())]).toEqual([textOf('three', 'b'), [], false]);
});

test('what is typed while a conflict is asked about stays when mine is kept', async () => {
	const {get, put, sources, open, files, keyAt} = await openNotebook();
	const key = keyAt(0);
	files.set(FILE.path, textOf('theirs', 'b'));
	put(0, 'mine');
	await get().saveNotebook(FILE);
	expect(get().dialogs.at(-1)).toMatchObject({kind: 'write-file', writing: {state: {at: 'conflict'}}});
	put(1, 'typed since');
	get().keepMine();
	await turns();
	await get().saveWriting();
	await turns();
	expect([files.get(FILE.path), sources(), keyAt(0), isUnsaved(open())]).toEqual([
		textOf('mine', 'b'),
		['mine', 'typed since'],
		key,
		true,
	]);
});

test('another writer of the program takes the place of cells only where nothing of them is unsaved, edited or running', async () => {
	const {get, put, sources, files, kept, open} = await openNotebook();
	const write = async (text: string): Promise<void> => {
		await get().proposeWrite('s', FILE.path, text);
		await get().saveWriting();
		await turns();
	};
	await write(textOf('shown', 'b'));
	expect(sources()).toEqual(['shown', 'b']);
	put(0, 'mine');
	await turns();
	await write(textOf('theirs', 'b'));
	expect([sources(), kept(), files.get(FILE.path)]).toEqual([
		['mine', 'b'],
		[textOf('mine', 'b')],
		textOf('theirs', 'b'),
	]);
	// Saving asks, since the file holds what these cells were not made of.
	await get().saveNotebook(FILE);
	expect(get().dialogs.at(-1)).toMatchObject({writing: {state: {at: 'conflict'}}});
	expect(isUnsaved(open())).toBe(true);
});

/** What an earlier program has left. */
const leftOf = (mine: string) => {
	const left = {isGone: false};
	return {
		left,
		given: {
			...FILE,
			before: TEXT,
			mine,
			copy: {text: mine, path: '/left/n.ipynb', discard: () => void (left.isGone = true), leave() {}},
		},
	};
};

test('what an earlier program left does not take the place of unsaved cells', async () => {
	const {get, put, sources, said} = await openNotebook();
	const {left, given} = leftOf(textOf('left', 'b'));
	put(0, 'mine');
	await turns();
	expect(await get().resumeNotebook(given)).toBe(true);
	expect([sources(), left.isGone]).toEqual([['mine', 'b'], false]);
	expect(said().at(-1)).toBe('Save n.ipynb first: it is open here, and what you left of it stays');
});

test('the copy that an earlier program left goes when another holds its text, and stays where none can be made', async () => {
	const {get, kept, sources, disk} = await openNotebook();
	disk.isFull = true;
	const first = leftOf(textOf('left', 'b'));
	await get().resumeNotebook(first.given);
	expect([sources(), first.left.isGone]).toEqual([['left', 'b'], false]);

	const other = await openNotebook();
	const second = leftOf(textOf('left', 'b'));
	await other.get().resumeNotebook(second.given);
	expect([other.kept(), second.left.isGone, kept()]).toEqual([[textOf('left', 'b')], true, []]);
});

test('code that is stopped before it was sent is not sent, and what was about to be is interrupted', async () => {
	const {get, cells, overService, keyAt, open} = await openNotebook();
	// While the link is asked for.
	get().runNotebook(FILE, [keyAt(0), keyAt(1)]);
	expect(get().stopNotebook(FILE)).toBe(true);
	await turns();
	expect([cells.sent.length, overService]).toEqual([0, []]);
	expect([...open().runs.values()].map(({state}) => state)).toEqual(['interrupted', 'skipped']);
	// While the link begins, which then cannot send it.
	cells.starting.close();
	get().runNotebook(FILE, [keyAt(0)]);
	await turns();
	get().stopNotebook(FILE);
	cells.starting.open();
	await turns();
	expect(cells.sent.at(-1)?.isInterrupted).toBe(true);
	cells.sent.at(-1)?.end({kind: 'unsent'} as LiveEnd);
	await turns();
	expect([overService, open().runs.get(keyAt(0))?.state]).toEqual([[], 'interrupted']);
	// The next run is none that was stopped.
	get().runNotebook(FILE, [keyAt(0)]);
	await turns();
	expect([cells.sent.length, cells.sent.at(-1)?.isInterrupted]).toEqual([2, false]);
});

test('a cell that runs is not merged, split or deleted until what comes of it has landed', async () => {
	const {get, cells, press, keyAt, sources, open} = await openNotebook(textOf('a', 'b', 'c'));
	get().runNotebook(FILE, [keyAt(1)]);
	await turns();
	const reason = /^This cell runs: wait, or \S+ stops it$/;
	get().changeNotebook(FILE, () => ({at: keyAt(0)}));
	expect(press('merge')).toMatch(reason);
	get().changeNotebook(FILE, () => ({at: keyAt(1)}));
	expect([press('merge'), press('remove')]).toEqual([
		expect.stringMatching(reason),
		expect.stringMatching(reason),
	]);
	get().changeNotebook(FILE, () => ({editing: createEditor('b')}));
	expect(press('split', 'notebookEdit')).toMatch(reason);
	get().changeNotebook(FILE, () => ({editing: null}));
	cells.sent[0]?.print('out');
	cells.sent[0]?.end({kind: 'done'} as LiveEnd);
	await turns();
	expect([sources(), open().notebook.cells[1]?.outputs.length]).toEqual([['a', 'b', 'c'], 1]);
	expect(press('merge')).toBeUndefined();
	expect(sources()).toEqual(['a', 'b\nc']);
});
