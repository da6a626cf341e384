// The key table, assembled from the features' keys. Used by the dispatcher, the footer, `?`, the
// table in src/docs and tests.
import type {Scope} from '../program.ts';
import type {KeyScope, KeyScopes, Rows} from './action.ts';
import type {Binding, Tab} from './binding-sets.ts';

/** A scope with its actions as rows. */
export type KeyGroup = Omit<KeyScope, 'actions'> & {readonly rows: readonly Binding[]};

/** Groups of keys by scope. */
export const keymap = {} as Record<Scope, KeyGroup>;

export const scopesOfAll = (): readonly Scope[] => Object.keys(keymap) as Scope[];

const rowsOf = (rows: Rows): readonly Binding[] =>
	Object.entries(rows).map(([action, row]) => ({action, ...row}));

/** Keys of a feature. Those of the core depend on the screens, so they are a function. */
export type FeatureKeys = KeyScopes | ((screens: readonly Tab[]) => KeyScopes);

/** Fills the table with these keys, for screens in this order. */
export const fillKeymap = (screens: readonly Tab[], all: readonly FeatureKeys[]): void => {
	for (const scope of scopesOfAll()) delete keymap[scope];
	for (const keys of all)
		for (const [scope, {actions, ...facts}] of Object.entries(
			typeof keys === 'function' ? keys(screens) : keys,
		))
			keymap[scope as Scope] = {...facts, rows: rowsOf(actions)};
};
