// State contains only data. Functions are in parts, which are imported, so that import rules apply
// to them.
import {expect, test} from 'vitest';
import type {State} from '../../src/tui/core/program.ts';
import {storeOn} from '../support/store-on.ts';

/** Type of the members of State that are functions. */
type Callable = {
	[Name in keyof State]-?: NonNullable<State[Name]> extends (...given: never[]) => unknown ? Name : never;
}[keyof State];

test('no member of the state is a function', () => {
	const none: [Callable] extends [never] ? null : Callable = null;
	expect(none).toBeNull();
	const state = storeOn('http://127.0.0.1:1').getState();
	expect(Object.entries(state).filter(([, value]) => typeof value === 'function')).toEqual([]);
});
