import {setKeyNames} from '../../../text/key-name.ts';
import type {Binding} from './binding-sets.ts';
import type {Scope} from '../program.ts';
import {keymap} from './keymap.ts';

/** Changes that the settings and the profile make to the key table. */
export type KeyRules = {
	/** The user's own keys, by `scope.action`. */
	readonly rebound: Readonly<Record<string, readonly string[]>>;
	/** True if actions that write are hidden. */
	readonly readOnly: boolean;
};

let made = new WeakMap<KeyRules['rebound'], Map<Scope, readonly Binding[]>>();
/** Clears the cache after the key table has changed. */
export const forgetBindings = (): void => {
	made = new WeakMap();
};

/** Every row of a scope with its current keys. */
export const bindingsOf = ({rebound}: Pick<KeyRules, 'rebound'>, scope: Scope): readonly Binding[] => {
	const known = made.get(rebound) ?? new Map<Scope, readonly Binding[]>();
	made.set(rebound, known);
	const found =
		known.get(scope) ??
		keymap[scope].rows.map(row => {
			const keys = rebound[`${scope}.${row.action}`];
			return keys === undefined ? row : {...row, keys};
		});
	known.set(scope, found);
	return found;
};

const chords = new WeakMap<readonly Binding[], ReadonlySet<string>>();

/** True if a chord of the scope starts with this key. Called several times per key press. */
export const hasChord = (rules: Pick<KeyRules, 'rebound'>, scope: Scope, name: string): boolean => {
	const bindings = bindingsOf(rules, scope);
	let firsts = chords.get(bindings);
	if (firsts === undefined) {
		const keys = bindings.flatMap(binding => binding.keys);
		firsts = new Set(keys.filter(key => key.includes(' ')).map(key => key.slice(0, key.indexOf(' '))));
		chords.set(bindings, firsts);
	}
	return firsts.has(name);
};

/** The rows that footer, help and palette offer now. */
export const offeredIn = (rules: KeyRules, scope: Scope): readonly Binding[] =>
	rules.readOnly ? bindingsOf(rules, scope).filter(row => !row.writes) : bindingsOf(rules, scope);

/**
 * The first key of an action, for a sentence that names it; empty if the user removed all its keys.
 */
export const keyOf = (rules: Pick<KeyRules, 'rebound'>, scope: Scope, action: string): string =>
	bindingsOf(rules, scope).find(row => row.action === action)?.keys[0] ?? '';

/** Makes the current keys available to all sentences of the program. */
export const nameKeys = ({rebound, readOnly}: KeyRules): void => {
	const rowOf = (entry: string): Binding | undefined => {
		const [scope, action] = entry.split('.');
		return Object.hasOwn(keymap, scope ?? '')
			? bindingsOf({rebound}, scope as Scope).find(row => row.action === action)
			: undefined;
	};
	setKeyNames(
		entry => rowOf(entry)?.keys ?? [],
		entry => !(readOnly && rowOf(entry)?.writes),
	);
};
nameKeys({rebound: {}, readOnly: false});

export {isKeyAvailable, keyFor, keysFor} from '../../../text/key-name.ts';
