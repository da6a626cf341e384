import {vi} from 'vitest';
import type {Client, Live, LiveCell, LiveChange, LiveOutcome} from '../../src/api/client-types.ts';
import type {EditRequest} from '../../src/tui/core/store/deps.ts';
import {createStore} from '../../src/tui/create-store.ts';
import type {KeyContext} from '../../src/tui/core/feature.ts';
import {keymap} from '../../src/tui/core/keys/keymap.ts';
import type {OpenNotebook} from '../../src/tui/notebook/open-notebook.ts';
import {keyOf, textFile} from '../../src/tui/files/content.ts';
import {withSource} from '../../src/text/notebook/edit.ts';
import {ready, server} from './factories.ts';
import {plainCell, unaskedKernels} from './unasked-link.ts';
import {fileViewer} from '../../src/tui/files/viewer/open-file.ts';
import {notebookOpening} from '../../src/tui/notebook/open.ts';
import {serverLinks} from '../../src/tui/live/links.ts';
import {notebookList} from '../../src/tui/notebook/notebooks.ts';

export const FILE = {server: 's', path: 'n.ipynb'};
const RECT = {left: 0, top: 0, width: 80, height: 24};

export const textOf = (...sources: readonly string[]): string => textIn({}, ...sources);
export const textIn = (metadata: object, ...sources: readonly string[]): string =>
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
/** Text of a notebook that names a kernel. */
export const textFor = (kernel: string, ...sources: readonly string[]): string =>
	textIn({kernelspec: {display_name: kernel, name: kernel}}, ...sources);
export const TEXT = textOf('a', 'b');

export const turns = async (): Promise<void> => {
	for (let turn = 0; turn < 12; turn++) await new Promise(resolve => setImmediate(resolve));
};

/** Gate at which callers wait until the test releases them. */
export const gate = () => {
	const waiting: (() => void)[] = [];
	let isOpen = true;
	return {
		pass: async (): Promise<void> => (isOpen ? undefined : new Promise(resolve => waiting.push(resolve))),
		close: (): void => void (isOpen = false),
		open(): void {
			isOpen = true;
			for (const resolve of waiting.splice(0)) resolve();
		},
		/** Releases one of the waiting callers. */
		one: (): void => waiting.shift()?.(),
	};
};

/** Simulated cells of a live link. The test decides when they end. */
const cellsOf = () => {
	const sent: {
		readonly code: string;
		readonly end: (end: LiveOutcome, text?: string) => void;
		readonly print: (text: string) => void;
		/** Reports that the kernel has received the code. */
		readonly hand: () => void;
		readonly begin: () => void;
		isInterrupted: boolean;
	}[] = [];
	const starting = gate();
	const run = async (code: string, _: string, changed: LiveChange): Promise<LiveCell> => {
		await starting.pass();
		let printed = '';
		const {promise, resolve} = Promise.withResolvers<LiveOutcome>();
		const print = (text: string): void => {
			printed = text;
			changed();
		};
		const cell = {
			code,
			isInterrupted: false,
			print,
			end: resolve,
			hand: () => changed('sent'),
			begin: () => changed('began'),
		};
		sent.push(cell);
		return {
			...plainCell,
			ended: promise,
			now: () => ({
				outputs: printed === '' ? [] : [{output_type: 'stream', name: 'stdout', text: printed}],
				execution_count: 1,
			}),
			interrupt: () => void (cell.isInterrupted = true),
		} as unknown as LiveCell;
	};
	return {sent, starting, run};
};

/**
 * Advances the fake clock to the next frame, because changes of outputs are reported once per
 * frame.
 */
export const drawn = (): void => void vi.advanceTimersByTime(1000);

/** A store with an open notebook, and a link that runs cells and has the functions of `link`. */
export const openNotebook = async (text = TEXT, link: Partial<Live> = {}) => {
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
			const write = (next: string): void => {
				if (disk.isFull) throw new Error('the disk is full');
				copy.text = next;
			};
			return {
				path: copy.path,
				write,
				async writeBehind(pieces) {
					write([...pieces].join(''));
					return !copy.isGone;
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
	await fileViewer(get).openFile('s', FILE.path);
	await notebookOpening(get).workInNotebook('s');
	await serverLinks(get).linkOf('s');
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
		/** Runs the delayed saves at once. */
		flush: () => flushes.forEach(save => save()),
		/** Existing recovery copies. */
		kept: () => copies.filter(({isGone}) => !isGone).map(({text: held}) => held),
		put: (index: number, source: string) =>
			notebookList(get).workNotebook(FILE, notebook => ({
				notebook: withSource(notebook, keyAt(index), source),
			})),
		/** Presses a key of the notebook. */
		press: (action: string, scope: 'notebook' | 'notebookEdit' = 'notebook') =>
			keymap[scope].rows
				.find(row => row.action === action)
				?.run?.({get, rect: RECT, columns: 80, rows: 24} as unknown as KeyContext),
		said: () => get().notices.map(({text: each}) => each),
	};
};

/** A recovery copy that an earlier process has left. */
export const leftOf = (mine: string, before = TEXT) => {
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
