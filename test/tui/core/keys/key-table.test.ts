import {expect, test} from 'vitest';
import type {Store} from '../../../../src/tui/core/program.ts';
import {createStore} from '../../../../src/tui/create-store.ts';
import {everyKey} from '../../../../src/tui/core/keys/actions.ts';
import {keyTable} from '../../../../src/tui/core/keys/key-table.ts';
import type {Scope} from '../../../../src/tui/core/program.ts';
import {keymap} from '../../../../src/tui/core/keys/keymap.ts';
import {builtKeys} from '../../../support/press-action.ts';
import {keyPath} from '../../../../src/tui/core/keys/scopes.ts';

const ACTIONS = (Object.keys(keymap) as Scope[]).flatMap(scope =>
	keymap[scope].rows.map(row => ({scope, row})),
);

const storeWith = (rebound: Readonly<Record<string, readonly string[]>>): Store =>
	createStore({
		client: async () => new Promise(() => {}),
		now: () => 0,
		copy: async () => ({isInClipboard: false, isInTmux: false, isAsked: true}),
		show: async () => false,
		edit: async () => new Promise(() => {}),
		open: async () => false,
		rebound,
	});

/** Groups of the printed table, each with its scopes and its lines. */
const groupsOf = (table: string) =>
	table
		.split('\n\n')
		.slice(1)
		.map(group => {
			const [head = '', ...lines] = group.split('\n');
			return {scopes: /SCOPE: ([^)]+)/.exec(head)?.[1]?.split(', '), lines};
		});

test('help keys names every action as the settings do, with its keys', () => {
	const groups = groupsOf(keyTable());
	const missing = ACTIONS.filter(
		({scope, row}) =>
			!groups.some(({scopes, lines}) =>
				lines.some(
					line =>
						line.endsWith(`  ${row.label}`) &&
						(line.includes(` ${scope}.${row.action} `) ||
							(scopes?.includes(scope) && line.includes(` SCOPE.${row.action} `))),
				),
			),
	);
	expect(missing).toEqual([]);
});

test('help keys shows the keys that the settings give, also where the action is listed once for several groups', () => {
	const table = keyTable({'servers.start': ['x', 'ctrl+t'], 'tree.pageUp': ['ctrl+y'], 'global.quit': []});
	expect(table).toMatch(/^ {2}x, Ctrl\+t +servers\.start +start \(your keys\)$/m);
	expect(table).toMatch(/^ {2}Ctrl\+y +tree\.pageUp +Page up \(your keys\)$/m);
	expect(table).toMatch(/^ {2}- +global\.quit +Quit \(your keys\)$/m);
	expect(table).toMatch(/compute\.pageUp|SCOPE\.pageUp/);
});

test('? and help keys have the same keys, rebound or not; what works here comes first', () => {
	for (const rebound of [{}, {'servers.start': ['x'], 'turns.retry': ['ctrl+y'], 'confirm.yes': ['j']}]) {
		const state = storeWith(rebound).getState();
		const keys = everyKey(state);
		const {scopes} = keyPath(state);
		expect(keys.findIndex(({isHere}) => !isHere)).toBe(keys.filter(({isHere}) => isHere).length);
		expect(new Set(keys.filter(({isHere}) => isHere).map(({scope}) => scope))).toEqual(new Set(scopes));
		expect(keys.map(({scope, binding}) => `${scope}.${binding.action}`).sort()).toEqual(
			ACTIONS.map(({scope, row}) => `${scope}.${row.action}`).sort(),
		);
		const table = keyTable(rebound);
		for (const [entry, own] of Object.entries(rebound)) {
			expect(keys.find(({scope, binding}) => `${scope}.${binding.action}` === entry)?.binding.keys).toEqual(
				own,
			);
			expect(table).toMatch(
				new RegExp(`^ {2}${own.join(', ').replace('ctrl+', 'Ctrl\\+')} +${entry.replace('.', '\\.')} `, 'm'),
			);
		}
	}
});

test('the key table of the commands is that of the features', () => {
	expect(builtKeys).toEqual(JSON.parse(JSON.stringify(keymap)));
	expect(Object.keys(builtKeys)).toEqual(Object.keys(keymap));
});
