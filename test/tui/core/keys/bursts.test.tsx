import {PassThrough} from 'node:stream';
import fc from 'fast-check';
import {render, useInput, usePaste} from 'ink';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import type {Store} from '../../../../src/tui/core/program.ts';
import {createStore} from '../../../../src/tui/create-store.ts';
import {FEATURES} from '../../../../src/tui/feature-list.ts';
import {createDispatcher} from '../../../../src/tui/core/keys/dispatch.ts';
import type {Scope} from '../../../../src/tui/core/program.ts';
import {assemble} from '../../../../src/tui/core/features.ts';
import {keymap, scopesOfAll} from '../../../../src/tui/core/keys/keymap.ts';
import {forgetBindings} from '../../../../src/tui/core/keys/live-keys.ts';
import {keyPath} from '../../../../src/tui/core/keys/scopes.ts';
import {filteredStdin} from '../../../../src/tui/core/keys/stdin-filter.ts';
import {ready, server} from '../../../support/factories.ts';
import {testCases} from '../../../support/test-cases.ts';
import {route} from '../../../../src/tui/core/store/route.ts';

/** A key release. Terminals never merge it with earlier bytes, and it has no effect. */
const MARK = '\u001B[57441;1:3u';

/**
 * Everything between a terminal's input and the effect of keys: bytes, the filter, Ink, the
 * dispatcher and the store. Each action and each typed character is recorded.
 */
const createDesk = () => {
	const log: string[] = [];
	let store: Store;
	let dispatcher: ReturnType<typeof createDispatcher>;
	let marks = 0;

	const act = (scope: Scope, action: string): void => {
		log.push(`${scope}.${action}`);
		if (scope === 'global' && action === 'help') route(store.getState).openDialog({kind: 'help'});
		else if (action === 'palette') route(store.getState).openDialog({kind: 'palette'});
		else if (scope === 'chooser' && action === 'close') route(store.getState).closeDialog();
		else if (['servers', 'compute', 'files', 'repl', 'assistant'].includes(action))
			route(store.getState).go(action as 'servers');
		else if (scope === 'repl' && action === 'leave') route(store.getState).focusPart('repl', 'cells');
		else if (scope === 'cells' && action === 'edit') route(store.getState).focusPart('repl', 'repl');
		else if (scope === 'assistant' && action === 'leave')
			route(store.getState).focusPart('assistant', 'turns');
		else if (action === 'back') route(store.getState).go('servers');
	};

	/** Resets the state to that of a new program with a ready server. */
	const reset = (): void => {
		log.length = 0;
		store = createStore({
			client: async () => new Promise(() => {}),
			now: () => 0,
			copy: async () => ({isInClipboard: false, isInTmux: false, isAsked: true}),
			show: async () => false,
			edit: async () => new Promise(() => {}),
			open: async () => false,
		});
		store.setState({servers: ready([server()]), current: 'welcome'});
		dispatcher = createDispatcher(store, {size: () => ({columns: 80, rows: 24}), press() {}});
	};

	// Each action is recorded instead of being run.
	for (const scope of scopesOfAll())
		keymap[scope] = {
			...keymap[scope],
			rows: keymap[scope].rows.map(row => ({...row, run: () => act(scope, row.action)})),
			...(keymap[scope].isText && {typed: (_, text) => void log.push(...text)}),
		};
	forgetBindings();

	const Keys = () => {
		useInput((input, key) => {
			if (key.eventType === 'release') marks++;
			else dispatcher.input(input, key);
		});
		usePaste(text => dispatcher.paste(text));
		return null;
	};
	const terminal = Object.assign(new PassThrough(), {
		isTTY: true,
		setRawMode: () => terminal,
		ref() {},
		unref() {},
	});
	const screen = Object.assign(new PassThrough(), {columns: 80, rows: 24, isTTY: true});
	screen.resume();
	const app = render(<Keys />, {
		stdin: filteredStdin(terminal as never) as never,
		stdout: screen as never,
		patchConsole: false,
		exitOnCtrlC: false,
	});

	return {
		reset,
		close: () => app.unmount(),
		text: () => keyPath(store.getState()).text,
		log: () => [...log],
		/** Sends these bytes in these reads, and waits until all are handled. */
		async send(reads: readonly Buffer[]) {
			const before = marks;
			for (const read of [...reads, Buffer.from(MARK)]) terminal.write(read);
			while (marks === before)
				await new Promise(resolve => {
					setImmediate(resolve);
				});
		},
	};
};

let desk: ReturnType<typeof createDesk>;
beforeAll(() => {
	// The timers are fake, so the hold times of incomplete sequences do not expire.
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'Date']});
	desk = createDesk();
});
afterAll(() => {
	desk.close();
	assemble(FEATURES);
	vi.useRealTimers();
});

const oneByOne = async (keys: readonly string[]): Promise<readonly string[]> => {
	desk.reset();
	for (const key of keys) await desk.send([Buffer.from(key)]);
	return desk.log();
};

const together = async (
	keys: readonly string[],
	cuts: readonly number[] = [],
): Promise<readonly string[]> => {
	desk.reset();
	const all = Buffer.from(keys.join(''));
	const places = [...new Set(cuts.map(cut => cut % (all.length + 1)))].sort((one, other) => one - other);
	await desk.send([0, ...places].map((from, index) => all.subarray(from, places[index])));
	return desk.log();
};

const ESC = '\u001B';
/** Keys whose bytes do not merge with an ESC before them, then keys that may be Alt. */
const OWN = [
	ESC,
	'\u001B[27u',
	'\u001B[97;5u',
	'\u001B[13;2u',
	'\u001B[27;2;13~',
	'\u001B[27;5;106~',
	'\u001B[27;3;49~',
	'\u001B[49;3u',
	'\u001B[200~one two\u001B[201~',
	'\u001B[200~\u001B[A\u001B\u001B[201~',
];
const LEGACY = [
	'1',
	'2',
	'4',
	'5',
	'6',
	'j',
	'k',
	'G',
	's',
	'i',
	'x',
	'z',
	' ',
	'?',
	'@',
	'é',
	'日',
	'👩‍👩‍👧',
	'\r',
	'\n',
	'\t',
	'\u007F',
	'\b',
	'\u0001',
	'\u0010',
	'\u0018',
	'\u001F',
	'\u001B[A',
	'\u001B[B',
	'\u001BOA',
	'\u001BOD',
	'\u001B[1;5C',
	'\u001B[1;3D',
	'\u001B[3~',
	'\u001B[3;5~',
	'\u001B[Z',
	'\u001B[5~',
	'\u001B[H',
	'\u001BOF',
	'\u001Bb',
	'\u001B4',
	'\u001B6',
	'\u001B\r',
	'\u001B\u007F',
	'\u001B_',
];

const joins = (keys: readonly string[]): boolean =>
	keys.some((key, at) => key === ESC && LEGACY.includes(keys[at + 1] ?? ''));
const cutsIn = fc.array(fc.nat({max: 400}), {maxLength: 12});

testCases(
	'keys that arrive together act as they do one by one, at any cut of the reads',
	400,
	async cases => {
		const some = fc
			.array(fc.constantFrom(...OWN, ...LEGACY), {minLength: 1, maxLength: 14})
			.filter(keys => !joins(keys));
		await fc.assert(
			fc.asyncProperty(some, cutsIn, async (keys, cuts) => {
				expect(await together(keys, cuts)).toEqual(await oneByOne(keys));
			}),
			{
				// The examples are the first runs.
				numRuns: 5 + cases,
				examples: [
					[[ESC, ESC], []],
					[[ESC, ESC], [1]],
					[['5', ESC, ESC, ESC], []],
					[['5', '日', ESC, ESC], [2]],
					[['?', ESC, ESC, '\u001B[200~one\u001B[201~'], []],
				],
			},
		);
	},
);

test.each([
	['two Escs', ['5', ESC, ESC], ['global.repl', 'repl.leave', 'global.back']],
	['Esc and a letter in a list', [ESC, 'j'], ['global.back', 'servers.down']],
	['Esc and an arrow in a list', [ESC, '\u001B[B'], ['global.back', 'servers.down']],
	['Esc and a paste', ['5', ESC, '\u001B[200~x\u001B[201~'], ['global.repl', 'repl.leave']],
])('%s in one read are two keys', async (_, keys, log) => {
	expect(await together(keys)).toEqual(log);
	expect(await oneByOne(keys)).toEqual(log);
});

test.each([
	['a number, which goes there from a field too', ['5', ESC, '6'], ['global.repl', 'anywhere.assistant']],
	[
		'a number, out of a dialog that a field has opened',
		['5', '\u0010', ESC, '4'],
		['global.repl', 'anywhere.palette', 'chooser.close', 'anywhere.files'],
	],
	[
		'q, which leaves from everywhere',
		['5', '\u0018', '?', ESC, 'q'],
		['global.repl', 'anywhere.help', 'anywhere.quit'],
	],
	['what moves by words in a field', ['5', ESC, 'b'], ['global.repl', 'repl.wordLeft']],
	['an arrow in a field', ['5', ESC, '\u001B[D'], ['global.repl', 'repl.wordLeft']],
	['a letter that only the cells know: code is not run for it', ['5', ESC, 'r'], ['global.repl']],
])('Esc and %s in one read are Alt with it', async (_, keys, log) => {
	expect(await together(keys)).toEqual(log);
});
