// An action is one object literal: its keys, its label, the reason when it cannot act, and its
// effect.
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {createStore} from '../../src/tui/create-store.ts';
import {FEATURES} from '../../src/tui/feature-list.ts';
import {assemble} from '../../src/tui/core/features.ts';
import {hintsOf} from '../../src/tui/core/frame/footer.ts';
import {everyAction, everyKey} from '../../src/tui/core/keys/actions.ts';
import {keyTable} from '../../src/tui/core/keys/key-table.ts';
import {keymap, scopesOfAll} from '../../src/tui/core/keys/keymap.ts';
import {readKeys} from '../../src/tui/core/keys/rebind.ts';
import type {Screen, State} from '../../src/tui/core/program.ts';
import {route} from '../../src/tui/core/store/route.ts';
import {ready, server} from '../support/factories.ts';
import {runAction} from '../support/run-action.ts';
import {notes} from '../tui/fixtures/notes/index.ts';
import {noteKeys} from '../tui/fixtures/notes/keys.ts';

const SIZE = {columns: 120, rows: 30};

const openStore = () => {
	const store = createStore({
		client: async () => new Promise(() => {}),
		now: () => 0,
		copy: async () => ({isInClipboard: false, isInTmux: false, isAsked: true}),
		show: async () => false,
		edit: async () => new Promise(() => {}),
		open: async () => false,
	});
	store.setState({servers: ready([server()]), current: 'welcome'});
	return store;
};

/** Effects of all actions of the key table. */
const effects = () => new Set(scopesOfAll().flatMap(scope => keymap[scope].rows.map(({run}) => run)));

describe('the actions of the program', () => {
	test('each has a label and an effect', () => {
		const rows = scopesOfAll().flatMap(scope =>
			keymap[scope].rows.map(row => ({name: `${scope}.${row.action}`, ...row})),
		);
		expect(rows.length).toBeGreaterThan(300);
		expect(
			rows.filter(({label, run}) => label === '' || typeof run !== 'function').map(({name}) => name),
		).toEqual([]);
	});

	test.each(['servers', 'compute', 'environments', 'files', 'repl', 'assistant'] as const satisfies Screen[])(
		'footer, help and palette of %s offer no others',
		screen => {
			const {getState} = openStore();
			route(getState).go(screen);
			const state: State = getState();
			const known = effects();
			const offered = [
				...hintsOf(state, SIZE),
				...everyKey(state).map(({binding}) => binding),
				...everyAction(state).map(({binding}) => binding),
			];
			expect(offered.length).toBeGreaterThan(100);
			expect(offered.filter(({run}) => !known.has(run))).toEqual([]);
		},
	);
});

describe('an action that is added in one literal', () => {
	beforeAll(() => {
		const scope = noteKeys.notes!;
		const shout = {keys: ['x'], label: 'shout the note', hint: true as const, run: () => 'THE NOTE'};
		assemble([...FEATURES, {...notes, keys: {notes: {...scope, actions: {...scope.actions, shout}}}}]);
	});
	afterAll(() => assemble(FEATURES));

	test('is known to the key, the footer, help, palette, settings and the printed table', () => {
		const {getState} = openStore();
		route(getState).go('notes');
		expect(hintsOf(getState(), SIZE).map(({label}) => label)).toContain('shout the note');
		for (const listed of [everyKey(getState()), everyAction(getState())])
			expect(listed.filter(({binding}) => binding.action === 'shout')).toHaveLength(1);
		expect(readKeys({'notes.shout': 'ctrl+t'}).problems).toEqual([]);
		expect(keyTable()).toMatch(/^ {2}x +notes\.shout +shout the note$/m);
		expect(runAction(getState, 'notes', 'shout')).toBe('THE NOTE');
	});
});
