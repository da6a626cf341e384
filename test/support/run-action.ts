import type {Binding} from '../../src/tui/core/keys/binding-sets.ts';
import {contextOf} from '../../src/tui/core/keys/key-context.ts';
import {keymap} from '../../src/tui/core/keys/keymap.ts';
import type {Scope, State} from '../../src/tui/core/program.ts';

type Size = {readonly columns: number; readonly rows: number};

const contextIn = (get: () => State, size: Size) => contextOf({get, ...size, act() {}, press() {}});
const NORMAL: Size = {columns: 80, rows: 24};

/** Runs an action as its key does. Returns the reason of a refusal, or the action's message. */
export const runAction = (
	get: () => State,
	scope: Scope,
	action: string,
	size: Size = NORMAL,
): string | void => {
	const row: Binding | undefined = keymap[scope].rows.find(each => each.action === action);
	if (row?.run === undefined) throw new RangeError(`no feature has ${scope}.${action}`);
	return row.run(contextIn(get, size));
};

/** Types or pastes text in a scope. */
export const typeText = (get: () => State, scope: Scope, text: string, isPasted = false): void =>
	keymap[scope].typed?.(contextIn(get, NORMAL), text, isPasted);
