// THE KEY TABLE, put together of the rooms' keys. The dispatcher, the footer, `?`, the table of src/docs and the tests all read it.
import type {Scope} from '../program.ts';
import type {KeyScope, Tab} from './binding-sets.ts';
import {coreKeys} from './core-keys.ts';

/** By scope. */
export const keymap = {} as Record<Scope, KeyScope>;

/** Makes the table of the core's keys and these, for screens in this order. */
export const fillKeymap = (
	tabs: readonly Tab[],
	keys: readonly Readonly<Record<string, KeyScope>>[],
): void => {
	for (const scope of scopesOfAll()) delete keymap[scope];
	Object.assign(keymap, coreKeys(tabs), ...keys);
};

export const scopesOfAll = (): readonly Scope[] => Object.keys(keymap) as Scope[];
