// The setting `"digits": "counts"`: a number repeats the movement after it, and Alt with a digit
// opens a screen.
import {afterEach, expect, test} from 'vitest';
import {bindingsOf} from '../../../../src/tui/core/keys/live-keys.ts';
import {readKeys, withDigits} from '../../../../src/tui/core/keys/rebind.ts';
import type {State} from '../../../../src/tui/core/program.ts';
import {ready, server} from '../../../support/factories.ts';
import {openScreens} from '../../../support/screens.tsx';

const NAMES = Array.from({length: 30}, (_, at) => `row-${String(at + 1).padStart(2, '0')}`);
const SERVERS = ready(NAMES.map(name => server({name})));
const ESC = '\u001B[27u';

let open: ReturnType<typeof openScreens> | undefined;
const screens = (state: Partial<State> = {}) => {
	open = openScreens({
		servers: SERVERS,
		current: null,
		connection: {status: 'ready'},
		rebound: withDigits({}, 'counts'),
		hasCounts: true,
		...state,
	});
	return open;
};
afterEach(() => open?.close());

const isOn = (name: string): RegExp => new RegExp(`▸ ${name}`);

test('a count repeats a move, G goes to that row, and the end of the list is no error', async () => {
	const {type, until} = screens();
	await until(isOn('row-01'));
	type('12j');
	await until(isOn('row-13'));
	type('3k');
	await until(isOn('row-10'));
	type('20G');
	await until(isOn('row-20'));
	type('999999j');
	expect(await until(isOn('row-30'))).not.toContain('does nothing');
	type('2g');
	await until(isOn('row-02'));
});

test('a count is shown, Esc drops it, and it is for moves alone', async () => {
	const {store, type, until} = screens();
	await until(isOn('row-01'));
	type('12');
	expect((await until(/12 …/)).trimEnd().split('\n').at(-1)).toMatch(/esc cancel/);
	type(ESC);
	await until(/^(?![^]*12 …)/);
	expect(store.getState().chord).toBe(null);
	type('3q');
	await until(/3 q does nothing here: a count is for moves/);
	expect(store.getState().quitting).toBe(false);
});

test('Alt and a digit open the screens, in help and footer too; with text, digits are text', async () => {
	const {store, type, until} = screens();
	await until(isOn('row-01'));
	type('\u001B2');
	await until(/Compute/);
	expect(store.getState().screen).toBe('compute');
	const rules = {rebound: withDigits({}, 'counts')};
	const keysOf = (action: string): readonly string[] =>
		bindingsOf(rules, 'global').find(row => row.action === action)?.keys ?? [];
	expect(['servers', 'assistant'].map(keysOf)).toEqual([['alt+1'], ['alt+6']]);
	type('?');
	await until(/Type to search all/);
	type('assistant');
	await until(/Assistant +Alt-6/);
});

test('keys of the settings stay, and without the setting digits open screens', async () => {
	const {rebound} = readKeys({'global.repl': ['9', 'ctrl+g']});
	expect(withDigits(rebound, 'counts')['global.repl']).toEqual(['alt+9', 'ctrl+g']);
	expect(withDigits(rebound, 'screens')).toBe(rebound);
	const {store, type, until} = screens({rebound: {}, hasCounts: false});
	await until(isOn('row-01'));
	type('3');
	await until(/Environments/);
	expect(store.getState().screen).toBe('environments');
});
