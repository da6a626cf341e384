// The leader (Space where no text is typed; Ctrl-X and Ctrl-Space everywhere) and the strip of its
// keys.
import {afterEach, expect, test} from 'vitest';
import type {State} from '../../../../src/tui/core/program.ts';
import {LEADER_GROUPS, stripGroups} from '../../../../src/tui/core/keys/leader.ts';
import {keymap} from '../../../../src/tui/core/keys/keymap.ts';
import {bindingsOf, searchedKey} from '../../../../src/tui/core/keys/live-keys.ts';
import {readKeys, withLeader} from '../../../../src/tui/core/keys/rebind.ts';
import {ready, server} from '../../../support/factories.ts';
import {openScreens} from '../../../support/screens.tsx';

const CTRL_X = '\u0018';
const CTRL_SPACE = '\u0000';
const ESC = '\u001B[27u';
const SERVERS = ready([server(), server({name: 'trainer'})]);

let open: ReturnType<typeof openScreens> | undefined;
const screens = (state: Partial<State> = {}) => {
	open = openScreens({servers: SERVERS, current: 'welcome', connection: {status: 'ready'}, ...state});
	return open;
};
afterEach(() => {
	open?.close();
});

test.each([
	['Space', ' '],
	['Ctrl-X', CTRL_X],
	['Ctrl-Space', CTRL_SPACE],
])('%s and a letter do the same in one read, without a strip', async (_, leader) => {
	const {store, type, until} = screens();
	await until(/trainer/);
	type(`${leader}i`);
	await until(/Messages/);
	expect([store.getState().dialogs.at(-1)?.kind, store.getState().chord]).toEqual(['messages', null]);
});

test('in a text field Space is text, and the two others lead', async () => {
	const {store, type, until} = screens({filtering: 'servers'});
	await until(/trainer/);
	type('tr i');
	await until(/tr i/);
	expect(store.getState().dialogs).toEqual([]);
	type(`${CTRL_SPACE}i`);
	await until(/Messages/);
	type(ESC);
	type(`${CTRL_X}q`);
	await until(/Requests/);
});

test('a user who hesitates sees what each letter does; Esc closes the list, and does no more', async () => {
	const {store, type, until} = screens();
	await until(/trainer/);
	type(' ');
	const shown = await until(/─ Space ─/);
	for (const {title, entries} of LEADER_GROUPS) {
		expect(shown).toContain(title);
		for (const {label} of entries) expect(shown).toContain(label);
	}
	expect(shown.trimEnd().split('\n').at(-1)).toMatch(/\? keys of this place +esc cancel/);
	type(ESC);
	expect(await until(/^(?![^]*─ Space ─)/)).not.toContain('does nothing');
	expect(store.getState().screen).toBe('servers');
});

test('a letter that cannot act here names the place where it does', async () => {
	const {type, until} = screens();
	await until(/trainer/);
	type(' u');
	await until(/Space u does nothing here: upload is for Files/);
});

test('the letter of the kernel leads to a list of its own', async () => {
	const {type, until} = screens();
	await until(/trainer/);
	type(' k');
	await until(/ kernel|Space k does nothing here/);
});

test('an old key acts and names the new one', async () => {
	const {store, type, until} = screens({screen: 'environments'});
	await until(/3 Environments/);
	type(`${CTRL_X}n`);
	await until(/Space n is now Space i/);
	expect(store.getState().dialogs.at(-1)?.kind).toBe('messages');
});

test('"leader": "ctrl+x" gives Space back to mark and fold, and leaves no chord with Space', () => {
	const rebound = withLeader(readKeys({'tree.upload': ['space U']}).rebound, 'ctrl+x');
	const keysOf = (scope: keyof typeof keymap, action: string): readonly string[] =>
		bindingsOf({rebound}, scope).find(row => row.action === action)?.keys ?? [];
	expect(keysOf('compute', 'mark')).toEqual(['m', 'space']);
	expect(keysOf('notebook', 'fold')).toContain('space');
	expect(keysOf('tree', 'upload')).toEqual(['ctrl+x U']);
	const scopes = Object.keys(keymap) as (keyof typeof keymap)[];
	const left = scopes.flatMap(scope => bindingsOf({rebound}, scope).flatMap(({keys}) => keys));
	expect(left.filter(key => key.startsWith('space '))).toEqual([]);
});

test('a setting that gives Space to the action that had it is no conflict', () => {
	expect(readKeys({'compute.mark': 'space', 'notebook.fold': ['space', 'Z']}).problems).toEqual([]);
	expect(readKeys({'servers.detail': 'space'}).problems).toHaveLength(1);
});

test('what cannot act here is told apart, and acts elsewhere', async () => {
	const {store, until} = screens();
	await until(/trainer/);
	const acting = (): readonly string[] =>
		stripGroups(store.getState(), 'ctrl+x', {columns: 120, rows: 40}, () => false)
			.flatMap(({keys}) => keys)
			.filter(({acts}) => acts)
			.flatMap(({keys}) => keys);
	expect(acting()).toEqual(expect.arrayContaining(['f', 'space', 'n', 'j', '.', 'p', '$']));
	for (const key of ['u', 'R', 'd', 'z', '<', 'k', '!']) expect(acting()).not.toContain(key);
	store.setState({screen: 'files', current: 'trainer'});
	expect(acting()).toEqual(expect.arrayContaining(['z', '<', '+', 'u']));
	expect(acting()).not.toContain('j');
});

test('each letter of the strip belongs to an action, and its label does not contradict that', () => {
	const chords = Object.values(keymap).flatMap(({rows}) => rows.flatMap(({keys}) => keys.map(searchedKey)));
	const unused = LEADER_GROUPS.flatMap(({entries}) => entries.flatMap(({keys}) => keys)).filter(
		key => !chords.some(chord => `${chord} `.startsWith(`ctrl+x ${key} `)),
	);
	expect(unused).toEqual([]);
});
