// The state holds data only. Functions belong to parts, which are imported, so that import rules
// see them.
import {expect, test} from 'vitest';
import type {State} from '../../src/tui/core/program.ts';
import {storeOn} from '../support/store-on.ts';

/** Members of State that are functions. */
type Callable = {
	[Name in keyof State]-?: NonNullable<State[Name]> extends (...given: never[]) => unknown ? Name : never;
}[keyof State];

test('no member of the state is a function', () => {
	const none: [Callable] extends [never] ? null : Callable = null;
	expect(none).toBeNull();
	const state = storeOn('http://127.0.0.1:1').getState();
	expect(Object.entries(state).filter(([, value]) => typeof value === 'function')).toEqual([]);
});
