import type {Binding} from '../../src/tui/core/keys/binding-sets.ts';
import type {Action, Scope} from '../../src/tui/core/program.ts';
import '../../src/tui/keys.ts';
import {keymap} from '../../src/tui/core/keys/keymap.ts';
import type {Terminal} from './terminal.ts';

/** The first key of an action in the key table; several names for a chord such as `ctrl+x c`. */
export const keysOf = <S extends Scope>(scope: S, action: Action<S>): readonly string[] => {
	const rows: readonly Binding[] = keymap[scope].rows;
	const first = rows.find(row => row.action === action)?.keys[0];
	if (first === undefined) throw new RangeError(`the key table has no key for ${scope}/${action}`);
	return first.split(' ');
};

/** Presses an action's key, so that a test survives a change of the key. */
export const pressAction = <S extends Scope>(terminal: Terminal, scope: S, action: Action<S>): void => {
	terminal.press(...keysOf(scope, action));
};
