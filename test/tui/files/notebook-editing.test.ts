// Work in notebooks that another writer, a slow save, a stop or a kept text gets in the way of. The files and the link answer when the test lets them.
import {afterEach, expect, test, vi} from 'vitest';
import type {Client, Live, LiveCell, LiveEnd} from '../../../src/api/client-types.ts';
import type {EditRequest} from '../../../src/tui/core/store/deps.ts';
import {summary} from '../../../src/app/summary.ts';
import {createStore} from '../../../src/tui/app.ts';
import type {At} from '../../../src/tui/core/room.ts';
import {createEditor} from '../../../src/text/editor/editor.ts';
import {cellField} from '../../../src/tui/files/notebook/code-field.ts';
import {notebookHandlers} from '../../../src/tui/files/notebook/handlers.ts';
import {
	hasChanges,
	isUnsaved,
	kernelNameOf,
	notebookOn,
	type OpenNotebook,
} from '../../../src/tui/files/notebook/open-notebook.ts';
import {keyOf, textFile} from '../../../src/tui/files/content.ts';
import {withSource} from '../../../src/text/notebook/worked.ts';
import {ready, server} from '../../support/factories.ts';
import {unaskedKernels} from '../../support/unasked-link.ts';

afterEach(() => {
	vi.useRealTimers();
});

const FILE = {server: 's', path: 'n.ipynb'};
const RECT = {left: 0, top: 0, width: 80, height: 24};

const textOf = (...sources: readonly string[]): string => textIn({}, ...sources);
const textIn = (metadata: object, ...sources: readonly string[]): string =>
	JSON.stringify({
		cells: sources.map((source, index) => ({
			cell_type: 'code',
			execution_count: null,
			id: `cell-${index}`,
			metadata: {},
			outputs: [],
			source,
		})),
		metadata,
		nbformat: 4,
		nbformat_minor: 5,
	});
/** One that names a kernel. */
const textFor = (kernel: string, ...sources: readonly string[]): string =>
	textIn({kernelspec: {display_name: kernel, name: kernel}}, ...sources);
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

/** Changes of outputs are told of once a frame. */
const drawn = (): void => void vi.advanceTimersByTime(1000);

/** A store that works in a notebook, with a link that does these besides running cells. */
const openNotebook = async (text = TEXT, link: Partial<Live> = {}) => {
	const files = new Map([[FILE.path, text]]);
	const saving = gate();
	const keeping = gate();
	const cells = cellsOf();
	const overService: string[] = [];
	const copies: {readonly path: string; text: string; isGone: boolean; file: string}[] = [];
	const disk = {isFull: false};
	const flushes: (() => void)[] = [];
	const outside = {end: (_: string): void => {}};
	const found = (path: string) => {
		const held = files.get(path);
		return held === undefined
			? {ok: false, failure: {kind: 'not-found', message: ''}}
			: {ok: true, value: textFile(path, held)};
	};
	const list = async () => ({ok: true, value: {name: '', path: '', type: 'directory', content: []}});
	const move = async (from: string, to: string) => {
		files.set(to, files.get(from) ?? '');
		files.delete(from);
		return {ok: true, value: null};
	};
	const client = {
		live: async () => ({
			live: {
				run: cells.run,
				kernels: unaskedKernels,
				files: {list, move},
				close() {},
				...link,
			} as unknown as Live,
		}),
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
		edit: async () => ({
			text: await new Promise<string>(resolve => {
				outside.end = resolve;
			}),
			path: '/edited',
			discard() {},
			leave() {},
		}),
		open: async () => false,
		saver(save) {
			flushes.push(save);
			return {changed() {}, flush: save, stop() {}};
		},
		keepCopy: async ({name}: EditRequest) => {
			await keeping.pass();
			if (disk.isFull) throw new Error('the disk is full');
			const copy = {path: `/kept/${copies.length}/${name}`, text: '', isGone: false, file: name};
			copies.push(copy);
			return {
				path: copy.path,
				write(next) {
					if (disk.isFull) throw new Error('the disk is full');
					copy.text = next;
				},
				discard: () => void (copy.isGone = true),
				leave() {},
				release() {},
				moved: path => void (copy.file = path),
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
		outside,
		open,
		sources,
		keyAt,
		copies,
		/** What is saved some time after a change is saved now. */
		flush: () => flushes.forEach(save => save()),
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
const leftOf = (mine: string, before = TEXT) => {
	const left = {isGone: false};
	return {
		left,
		given: {
			...FILE,
			before,
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
	// While its kernel is looked up.
	get().runNotebook(FILE, [keyAt(0), keyAt(1)]);
	expect(get().stopNotebook(FILE)).toBe(true);
	await turns();
	expect([cells.sent.length, overService]).toEqual([0, []]);
	expect([...open().runs.values()].map(({state}) => state)).toEqual(['skipped', 'skipped']);
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

test('late output of an earlier run lands only where its outputs still stand', async () => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'Date']});
	const {get, cells, press, keyAt, open} = await openNotebook();
	const key = keyAt(0);
	const printed = (): unknown => open().notebook.cells[0]?.outputs[0]?.['text'];
	get().runNotebook(FILE, [key]);
	await turns();
	const first = cells.sent[0];
	first?.print('first');
	first?.end({kind: 'done'} as LiveEnd);
	await turns();
	expect(printed()).toBe('first');
	first?.print('first, and a thread of it');
	drawn();
	expect(printed()).toBe('first, and a thread of it');
	get().runNotebook(FILE, [key]);
	await turns();
	const second = cells.sent[1];
	second?.print('second');
	second?.end({kind: 'done'} as LiveEnd);
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

test('a cell of Windows lines is parted at the cursor', async () => {
	const {get, press, sources} = await openNotebook(textOf('a\r\nb\r\nc', 'z'));
	press('edit');
	const {text = ''} = get().notebooks.get(keyOf(FILE))?.editing ?? {};
	get().changeNotebook(FILE, () => ({editing: {...createEditor(text), cursor: text.indexOf('c')}}));
	expect(press('split', 'notebookEdit')).toBeUndefined();
	expect(sources()).toEqual(['a\nb', 'c', 'z']);
});

test('a cell that holds pictures of its own is not merged into the one above', async () => {
	const json = JSON.parse(textOf('# above', '![x](attachment:x.png)')) as {cells: Record<string, unknown>[]};
	for (const cell of json.cells) cell['cell_type'] = 'markdown';
	json.cells[1]!['attachments'] = {'x.png': {'image/png': 'AA=='}};
	const {press, sources} = await openNotebook(JSON.stringify(json));
	expect(press('merge')).toBe('The cell below holds pictures of its own, which merging would lose');
	expect(sources()).toEqual(['# above', '![x](attachment:x.png)']);
});

test('what is changed and taken back is saved, and no copy of it stays', async () => {
	const {put, press, open, kept} = await openNotebook();
	put(0, 'mine');
	await turns();
	expect([isUnsaved(open()), kept()]).toEqual([true, [textOf('mine', 'b')]]);
	press('undo');
	await turns();
	expect([isUnsaved(open()), kept()]).toEqual([false, []]);
});

test('what cannot be kept is tried again, stays open when the file is left as it is, and is not said to be kept', async () => {
	const {store, get, put, sources, files, disk, kept, said} = await openNotebook();
	disk.isFull = true;
	put(0, 'mine');
	await turns();
	expect(summary(store, null)).toContain('n.ipynb was not saved, and what you changed could not be kept.');
	files.set(FILE.path, textOf('theirs', 'b'));
	await get().saveNotebook(FILE);
	get().keepTheirs();
	await turns();
	expect(sources()).toEqual(['mine', 'b']);
	expect(said().join('\n')).toContain('What you wrote in n.ipynb stays open, since it cannot be kept');
	disk.isFull = false;
	put(0, 'mine again');
	await turns();
	expect(kept()).toEqual([textOf('mine again', 'b')]);
	expect(summary(store, null)).toContain('what you changed is kept');
});

test('what was changed last is not said to be kept when the disk has filled since the copy was made', async () => {
	const {store, put, disk, kept, flush} = await openNotebook();
	put(0, 'mine');
	await turns();
	flush();
	expect(summary(store, null)).toContain('what you changed is kept');
	disk.isFull = true;
	put(0, 'mine, and more');
	await turns();
	flush();
	expect(kept()).toEqual([textOf('mine', 'b')]);
	expect(summary(store, null)).toContain('what you changed last could not be kept');
	disk.isFull = false;
	flush();
	expect(kept()).toEqual([textOf('mine, and more', 'b')]);
	expect(summary(store, null)).toContain('what you changed is kept');
});

test('what is written of a cell in an editor lands in it, whatever happens to the file meanwhile', async () => {
	const {get, press, outside, files, sources, keyAt} = await openNotebook();
	const key = keyAt(0);
	press('editor');
	await turns();
	files.set(FILE.path, textOf('theirs', 'b'));
	await get().openFile('s', FILE.path);
	outside.end('mine');
	await turns();
	expect([sources(), keyAt(0)]).toEqual([['mine', 'b'], key]);
});

test('a notebook that is renamed stays open with what is unsaved, and is not renamed while a cell of it runs', async () => {
	const {get, put, cells, keyAt, files, copies} = await openNotebook();
	put(0, 'mine');
	get().runNotebook(FILE, [keyAt(1)]);
	await turns();
	expect(await get().moveFile('s', FILE.path, 'm.ipynb')).toBe(
		'A cell of n.ipynb runs: stop it or wait for it',
	);
	cells.sent[0]?.end({kind: 'done'} as LiveEnd);
	await turns();
	expect(await get().moveFile('s', FILE.path, 'm.ipynb')).toBeUndefined();
	await turns();
	const moved = notebookOn(get(), 's');
	expect([moved?.path, moved?.notebook.cells[0]?.source, copies[0]?.file]).toEqual([
		'm.ipynb',
		'mine',
		'm.ipynb',
	]);
	await get().saveNotebook({server: 's', path: 'm.ipynb'});
	expect([files.get('m.ipynb')?.includes('mine'), files.has(FILE.path)]).toEqual([true, false]);
});

/** Kernels of a link, of which there are two. */
const kernels = {
	...unaskedKernels,
	specs: async () => ['one', 'two'].map(name => ({name, displayName: name, language: 'python'})),
	setFor: async () => ({ok: true, value: null}) as const,
};

test('a kernel that was only looked up is looked up again where the file names another now; a chosen one stays', async () => {
	const reload = async (by: Awaited<ReturnType<typeof openNotebook>>, text: string): Promise<void> => {
		by.files.set(FILE.path, text);
		await by.get().openFile('s', FILE.path);
		await turns();
	};
	const found = await openNotebook(textFor('one', 'a'), {kernels});
	await found.get().findNotebookKernel(FILE);
	expect(kernelNameOf(found.open())).toBe('one');
	await reload(found, textFor('one', 'changed'));
	expect([found.open().kernel, found.sources()]).toEqual([{name: 'one', spec: null}, ['changed']]);
	await reload(found, textFor('two', 'a'));
	expect([found.open().kernel, kernelNameOf(found.open())]).toEqual([null, 'two']);

	const chosen = await openNotebook(textFor('one', 'a'), {kernels});
	const [, two] = await kernels.specs();
	await chosen.get().setNotebookKernel(FILE, two!, []);
	await reload(chosen, textFor('third', 'a'));
	expect(chosen.open().kernel).toEqual({name: 'two', spec: two});
	await reload(chosen, textFor('two', 'a'));
	expect(chosen.open().kernel).toEqual({name: 'two', spec: null});
});

test('no kernel is asked about code before it is the one that the notebook names, or was chosen', async () => {
	const asked: string[] = [];
	const link: Partial<Live> = {
		complete: async (_, __, kernel) => {
			asked.push(kernel);
			return null;
		},
		inspect: async (_, __, ___, kernel) => {
			asked.push(kernel);
			return '';
		},
	};
	const askAll = async (text: string) => {
		const opened = await openNotebook(text, link);
		const {get, open, keyAt} = opened;
		get().focusPart('files', 'viewer');
		const field = cellField(FILE, keyAt(0));
		const edit = (code: string): void => get().changeNotebook(FILE, () => ({editing: createEditor(code)}));
		edit('x.app');
		get().completeCode(field);
		await turns();
		get().inspectCode(field, {code: 'x.app', cursor: 5, detail: 0, isAsked: true});
		await turns();
		edit('measu');
		get().completeCode(field);
		await turns();
		return {...opened, editing: open().editing?.text};
	};
	const {said, overService, editing} = await askAll(textFor('ir', 'a', 'measured = 1'));
	expect([asked, overService, editing]).toEqual([[], [], 'measured']);
	expect(said().filter(words => words.startsWith('Choose its kernel first: Esc, then ^K'))).not.toEqual([]);
	expect((await askAll(textFor('python3', 'a'))).said()).not.toContain(
		'Choose its kernel first: Esc, then ^K',
	);
	expect(asked).toEqual(['python3', 'python3', 'python3']);
});

const TWO = {kernelspec: {display_name: 'two', language: 'python', name: 'two'}};

test('a kernel that was chosen is written when the notebook is saved, also where no cell has changed', async () => {
	const {get, files, open, kept} = await openNotebook(textFor('one', 'a'), {kernels});
	const [, two] = await kernels.specs();
	await get().setNotebookKernel(FILE, two!, []);
	await turns();
	expect([hasChanges(open()), isUnsaved(open()), kept()]).toEqual([true, false, [textIn(TWO, 'a')]]);
	await get().reviewNotebook(FILE);
	expect(get().dialogs.at(-1)).toMatchObject({kind: 'write-file'});
	get().closeDialog();
	await get().saveNotebook(FILE);
	await turns();
	expect(files.get(FILE.path)).toBe(textIn(TWO, 'a'));
	expect([hasChanges(open()), kept()]).toEqual([false, []]);
});

test('a kernel that was chosen and not saved is kept: said at quit, there when the notebook is resumed, gone when it is chosen back', async () => {
	const {store, get, files, open, kept} = await openNotebook(textFor('one', 'a'), {kernels});
	const [one, two] = await kernels.specs();
	await get().setNotebookKernel(FILE, two!, []);
	await turns();
	expect(summary(store, null)).toContain('n.ipynb was not saved; what you changed is kept');
	// What another writes is shown, and kept with the kernel.
	files.set(FILE.path, textFor('one', 'theirs'));
	await get().openFile('s', FILE.path);
	await turns();
	expect([open().base.content, kept()]).toEqual([textFor('one', 'theirs'), [textIn(TWO, 'theirs')]]);
	await get().setNotebookKernel(FILE, one!, []);
	await turns();
	expect([kept(), summary(store, null)]).toEqual([[], expect.not.stringContaining('n.ipynb')]);

	const later = await openNotebook(textFor('one'), {kernels});
	const {given} = leftOf(textIn(TWO), textFor('one'));
	await later.get().resumeNotebook(given);
	expect([kernelNameOf(later.open()), hasChanges(later.open())]).toEqual(['two', true]);
	await later.get().saveNotebook(FILE);
	expect([later.files.get(FILE.path), later.kept()]).toEqual([textIn(TWO), []]);
});

test('the question for a kernel opens over nothing else, and not over cells that run', async () => {
	const late = async () => {
		const specs = gate();
		const opened = await openNotebook(textFor('third', 'a'), {
			kernels: {
				...kernels,
				async specs() {
					await specs.pass();
					return kernels.specs();
				},
			},
		});
		opened.get().focusPart('files', 'viewer');
		specs.close();
		const release = async (): Promise<void> => {
			await turns();
			specs.open();
			await turns();
		};
		return {...opened, release};
	};
	type Late = Awaited<ReturnType<typeof late>>;
	const kinds = ({get}: Late): readonly string[] => get().dialogs.map(({kind}) => kind);
	const still = await late();
	still.get().runNotebook(FILE, [still.keyAt(0)]);
	await still.release();
	expect(kinds(still)).toEqual(['notebook-kernel']);

	const others: readonly ((by: Late) => void)[] = [
		({get}) => get().focusPart('files', 'tree'),
		({get}) => get().go('repl'),
		({get}) => get().changeNotebook(FILE, () => ({editing: createEditor('typed')})),
	];
	for (const leave of others) {
		const left = await late();
		left.get().runNotebook(FILE, [left.keyAt(0)]);
		leave(left);
		await left.release();
		expect([kinds(left), left.open().runs.size]).toEqual([[], 0]);
		expect(left.said()).toContain('Nothing of n.ipynb was run: its kernel has to be chosen first, with ^K');
	}

	const chosen = await late();
	void chosen.get().chooseNotebookKernel(FILE);
	chosen.get().runNotebook(FILE, [chosen.keyAt(0)]);
	expect(chosen.open().runs.size).toBe(1);
	await chosen.release();
	expect(kinds(chosen)).toEqual(['notebook-kernel']);
	expect(chosen.said()).toContain('Cells of this notebook run: its kernel can be chosen afterwards');
});
