import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {KeyGroup} from '../../src/tui/core/keys/keymap.ts';
import type {Scope} from '../../src/tui/core/program.ts';
import type {Terminal} from './terminal.ts';

/** The key table that the build writes for commands. */
export const builtKeys = JSON.parse(
	readFileSync(join(import.meta.dirname, '../../dist/keys.json'), 'utf8'),
) as Readonly<Record<Scope, KeyGroup>>;

/** The first key of an action in the key table. A chord such as `ctrl+x c` has several names. */
export const keysOf = (scope: Scope, action: string): readonly string[] => {
	const first = builtKeys[scope].rows.find(row => row.action === action)?.keys[0];
	if (first === undefined) throw new RangeError(`the key table has no key for ${scope}/${action}`);
	return first.split(' ');
};

/**
 * Presses the key of an action. Tests use this so that they still work after a change of the key.
 */
export const pressAction = (terminal: Terminal, scope: Scope, action: string): void => {
	terminal.press(...keysOf(scope, action));
};
