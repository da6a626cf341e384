// Code that reads a line of input: the input field, and the places where the typed text may appear.
import {stripVTControlCharacters as strip} from 'node:util';
import {expect, test} from 'vitest';
import type {Live, LiveCell, LiveOutcome, InputRequest} from '../../../src/api/client-types.ts';
import {createClient} from '../../../src/api/client.ts';
import type {CellOutcome} from '../../../src/storage/cell-journal.ts';
import type {Store} from '../../../src/tui/core/program.ts';
import {headerLine} from '../../../src/tui/core/frame/header.ts';
import {keyPath} from '../../../src/tui/core/keys/scopes.ts';
import {runAction, typeText} from '../../support/run-action.ts';
import {EMPTY_REPL, type Repl} from '../../../src/tui/repl/transcript.ts';
import {cellLines} from '../../../src/tui/cells/rows/cell-lines.ts';
import {answerLines} from '../../../src/tui/cells/answer.ts';

import {cell, ready, server} from '../../support/factories.ts';
import {
	neverShutDown,
	noShell,
	nothingLeft,
	unaskedFiles,
	unaskedKernels,
	unlogged,
	untold,
} from '../../support/unasked-link.ts';
import {storeOn} from '../../support/store-on.ts';
import {waitFor} from '../../support/wait-for.ts';
import {seenWork} from '../../../src/tui/core/store/unseen-results.ts';
import {replSession} from '../../../src/tui/repl/session.ts';
import {route} from '../../../src/tui/core/store/route.ts';

/** A live link whose only cell asks the given question. */
const askingLink = () => {
	const got: string[] = [];
	let text = '';
	let question: InputRequest | null = null;
	let tell = (): void => {};
	const {promise: ended, resolve: end} = Promise.withResolvers<LiveOutcome>();
	const state = {interrupts: 0};
	const running: LiveCell = {
		ended,
		now: () => ({
			cell_type: 'code',
			execution_count: 1,
			metadata: {},
			source: '',
			outputs: [{output_type: 'stream', name: 'stdout', text}],
		}),
		came: () => 0,
		drawn: () => 0,
		interrupt: () => void state.interrupts++,
		life: () => null,
		others: () => 0,
		asks: () => question,
		answer(line) {
			got.push(line);
			question = null;
			text += '…\n';
			tell();
		},
	};
	const live: Live = {
		files: unaskedFiles,
		shell: noShell,
		shutDown: neverShutDown,
		load: untold,
		goOn: nothingLeft,
		kernels: unaskedKernels,
		async run(_code, _kernel, onChange) {
			tell = onChange;
			return running;
		},
		evaluate: async () => ({end: {kind: 'none'}, life: null}),
		complete: async () => null,
		inspect: async () => null,
		close: () => {},
	};
	return {
		live,
		got,
		state,
		ask(prompt: string, isSecret = false) {
			text += prompt;
			question = {prompt, isSecret};
			tell();
		},
		end() {
			question = null;
			end({kind: 'done'});
		},
		/** Reports that the kernel was lost while it asks. */
		lose: () => end({kind: 'unsent'}),
	};
};
const openStore = (live: Live, kept: CellOutcome[] = []): Store => {
	const store = storeOn('http://127.0.0.1:9', {
		client: async () => ({
			...createClient({baseUrl: 'http://127.0.0.1:9', apiKey: 'key'}),
			live: async () => ({live}),
		}),
		journal: async () => ({
			...unlogged,
			asked: async () => {},
			async ended(_, ended) {
				kept.push(ended);
			},
			read: async () => ({history: [], cells: [], unreadable: 0, rest: null}),
		}),
	});
	store.setState({servers: ready([server()]), current: 'welcome', screen: 'repl'});
	seenWork(store.getState).showPane('welcome', 'repl');
	return store;
};
const replOf = (store: Store): Repl => store.getState().repls.get('welcome') ?? EMPTY_REPL;

const press = (store: Store, action: string): void => {
	runAction(store.getState, 'answer', action);
};
const type = (store: Store, text: string): void => {
	typeText(store.getState, 'answer', text, true);
};
const asks = async (store: Store): Promise<void> => waitFor(() => expect(replOf(store).asks).not.toBeNull());

test('a question takes the keys of the prompt, its answers go to the cell one after the other, and the code being typed is there again afterwards', async () => {
	const link = askingLink();
	const store = openStore(link.live);
	replSession(store.getState).runCell('welcome', 'input()');
	replSession(store.getState).changeRepl('welcome', {
		draft: {...replOf(store).draft, text: 'next', cursor: 4},
	});
	await waitFor(() => expect(replOf(store).cells[0]?.state).toBe('running'));
	expect(keyPath(store.getState()).scopes[0]).toBe('repl');
	await waitFor(() => {
		link.ask('');
		expect(replOf(store).asks).not.toBeNull();
	});
	expect(keyPath(store.getState())).toMatchObject({scopes: ['answer', 'anywhere', 'always'], text: true});
	type(store, 'one\ntwo\n');
	press(store, 'answer');
	expect(link.got).toEqual(['one two']);
	expect(keyPath(store.getState()).scopes[0]).toBe('repl');
	link.ask('and? ');
	await asks(store);
	expect(replOf(store).asks?.field.text).toBe('');
	press(store, 'answer');
	expect(link.got).toEqual(['one two', '']);
	link.end();
	await waitFor(() => expect(replOf(store).cells[0]?.state).toBe('done'));
	expect(replOf(store)).toMatchObject({asks: null, draft: {text: 'next'}, history: ['input()']});
});

test('a secret is drawn as asterisks, goes to the cell only, and is neither in the state nor on disk', async () => {
	const link = askingLink();
	const kept: CellOutcome[] = [];
	const store = openStore(link.live, kept);
	replSession(store.getState).runCell('welcome', 'getpass()');
	await waitFor(() => {
		link.ask('', true);
		expect(replOf(store).asks).not.toBeNull();
	});
	type(store, 'hunter-0815\n');
	const {asks: open} = replOf(store);
	if (open === null) throw new Error('no question');
	const {lines, cursor} = answerLines(open, 60, true);
	expect(strip(lines[0] ?? '').trimEnd()).toBe(' hidden: ***********');
	expect(cursor).toEqual({x: 20, y: 0});
	press(store, 'answer');
	link.end();
	await waitFor(() => expect(replOf(store).cells[0]?.state).toBe('done'));
	await replSession(store.getState).cellsKept();
	expect(link.got).toEqual(['hunter-0815']);
	expect(kept.map(({state}) => state)).toContain('unanswered');
	expect(kept.at(-1)?.state).toBe('done');
	const seen = new Set();
	const all = JSON.stringify([store.getState(), kept], (_, value: unknown) => {
		if (value instanceof Map) return [...value];
		if (typeof value === 'object' && value !== null) {
			if (seen.has(value)) return undefined;
			seen.add(value);
		}
		return value;
	});
	expect(all).toContain('getpass()');
	expect(all).not.toContain('hunter');
});

test('a question of a cell whose kernel turns out to be gone takes no more keys', async () => {
	const link = askingLink();
	const store = openStore(link.live);
	replSession(store.getState).runCell('welcome', 'input()');
	await waitFor(() => {
		link.ask('');
		expect(replOf(store).asks).not.toBeNull();
	});
	// The kernel is lost while a frame is pending.
	link.ask('and? ');
	link.lose();
	await waitFor(() => expect(replOf(store).cells[0]?.state).toBe('failed'));
	expect(replOf(store).asks).toBeNull();
});

test('Esc and Ctrl-C interrupt a cell that asks at once', async () => {
	const link = askingLink();
	const store = openStore(link.live);
	replSession(store.getState).runCell('welcome', 'input()');
	await waitFor(() => {
		link.ask('');
		expect(replOf(store).asks).not.toBeNull();
	});
	press(store, 'interrupt');
	expect(link.state.interrupts).toBe(1);
	expect(replSession(store.getState).stopCell('welcome')).toBe(true);
	expect(link.state.interrupts).toBe(2);
	expect(replOf(store).cells[0]?.state).toBe('running');
});

test('the tab and a notice report a question in a hidden pane', async () => {
	const link = askingLink();
	const store = openStore(link.live);
	seenWork(store.getState).leavePane('welcome', 'repl');
	route(store.getState).go('files');
	replSession(store.getState).runCell('welcome', 'input()');
	await waitFor(() => {
		link.ask('');
		expect(replOf(store).asks).not.toBeNull();
	});
	expect(strip(headerLine(store.getState(), 120))).toContain('5 REPL ?');
	expect(store.getState().notices.map(({text}) => text)).toEqual([
		'A cell of welcome waits for your input: Alt-5 leads there',
	]);
	expect(keyPath(store.getState()).scopes[0]).not.toBe('answer');
});

test('without a user to ask, and if the program ended before the answer, the cell shows what happened', () => {
	const look = {
		width: 100,
		open: false,
		pictureStyle: {depth: 24, blocks: 'quadrants'},
		pictureRows: 10,
	} as const;
	const linesOf = (changes: Parameters<typeof cell>[0]): string =>
		cellLines(cell(changes), look)
			.map(line => strip(line))
			.join('\n');
	const refused = linesOf({
		result: {
			cell_type: 'code',
			execution_count: 1,
			metadata: {},
			source: '',
			outputs: [{output_type: 'error', ename: 'StdinNotImplementedError', evalue: 'x', traceback: ['x']}],
		},
	});
	expect(refused.replaceAll(/\s+/g, ' ')).toContain('needs the live link: ":live" shows why there is none');
	expect(linesOf({state: 'unanswered'})).toContain('the program ended while it waited for your input');
});
