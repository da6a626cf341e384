import {expect, test} from 'vitest';
import type {Binding} from '../../src/tui/core/keys/binding-sets.ts';
import {keyBytes} from './key-bytes.ts';
import {builtKeys, keysOf} from './press-action.ts';

test('an action is pressed with the first key of its row, a chord key by key', () => {
	expect(keysOf('servers', 'start')).toEqual(
		builtKeys.servers.rows.find(row => row.action === 'start')!.keys[0]!.split(' '),
	);
	expect(keysOf('anywhere', 'dockAssistant')).toHaveLength(2);
});

const rows: readonly (readonly [string, Binding])[] = Object.entries(builtKeys).flatMap(
	([scope, {rows: bindings}]) => bindings.map(row => [`${scope}/${row.action}`, row] as const),
);

const sent = (names: string): boolean => {
	try {
		return names.split(' ').every(name => keyBytes(name) !== '');
	} catch {
		return false;
	}
};

test('every action can be reached on a plain terminal by its first key', () => {
	expect(rows.filter(([, row]) => !sent(row.keys[0] ?? '')).map(([name]) => name)).toEqual([]);
});
