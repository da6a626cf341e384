import {setKeyNames} from '../../../text/key-name.ts';
import type {Binding} from './binding-sets.ts';
import type {Scope} from '../program.ts';
import {keymap} from './keymap.ts';

/** Changes that the settings and the profile make to the key table. */
export type KeyRules = {
	/** The user's own keys, by `scope.action`. */
	readonly rebound: Readonly<Record<string, readonly string[]>>;
	/** True if a read-only profile hides actions that write. */
	readonly readOnly: boolean;
};

let made = new WeakMap<KeyRules['rebound'], Map<Scope, readonly Binding[]>>();
/** Clears the cache. Called after the key table has changed. */
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
			// If the user has removed all keys of an action, its former keys do not work either.
			return keys === undefined ? row : {...row, keys, ...(keys.length === 0 && {was: []})};
		});
	known.set(scope, found);
	return found;
};

/** The leader: first key of the chords whose second key means the same on every screen. */
export const LEADER = 'ctrl+x';
/**
 * Alternative leaders: Space where no text is typed, and Ctrl-Space, which is called `ctrl+@`
 * within a burst.
 */
const LEADERS: ReadonlySet<string> = new Set(['space', 'ctrl+space', 'ctrl+@']);

/** A key or chord in the form used for lookups, in which every leader is replaced by `LEADER`. */
export const searchedKey = (key: string): string => {
	const at = key.indexOf(' ');
	return at > 0 && LEADERS.has(key.slice(0, at)) ? LEADER + key.slice(at) : key;
};

type Index = {
	readonly byKey: ReadonlyMap<string, Binding>;
	/** Actions by their former keys. */
	readonly byOldKey: ReadonlyMap<string, Binding>;
	/** Beginnings of chords. A chord with an alternative leader is listed with that leader too. */
	readonly starts: ReadonlySet<string>;
};
const indices = new WeakMap<readonly Binding[], Index>();

/** Cached, because it is called several times for each key press. */
const indexOf = (bindings: readonly Binding[]): Index => {
	const known = indices.get(bindings);
	if (known !== undefined) return known;
	const byKey = new Map<string, Binding>();
	const byOldKey = new Map<string, Binding>();
	const starts = new Set<string>();
	for (const binding of bindings) {
		for (const key of binding.keys) {
			const searched = searchedKey(key);
			if (!byKey.has(searched)) byKey.set(searched, binding);
			for (let at = searched.indexOf(' '); at > 0; at = searched.indexOf(' ', at + 1))
				starts.add(searched.slice(0, at));
			if (searched !== key) starts.add(key.slice(0, key.indexOf(' ')));
		}
		for (const key of binding.was ?? [])
			if (!byOldKey.has(searchedKey(key))) byOldKey.set(searchedKey(key), binding);
	}
	const made = {byKey, byOldKey, starts};
	indices.set(bindings, made);
	return made;
};

type Rebound = Pick<KeyRules, 'rebound'>;

/** The action of a key or chord in a scope. */
export const actionWith = (rules: Rebound, scope: Scope, key: string): Binding | undefined =>
	indexOf(bindingsOf(rules, scope)).byKey.get(searchedKey(key));

/** The action of which this is a former key. */
export const actionThatHad = (rules: Rebound, scope: Scope, key: string): Binding | undefined =>
	indexOf(bindingsOf(rules, scope)).byOldKey.get(searchedKey(key));

/** True if a chord of the scope starts with these keys. */
export const hasChord = (rules: Rebound, scope: Scope, start: string): boolean => {
	const {starts} = indexOf(bindingsOf(rules, scope));
	return starts.has(searchedKey(start)) || (isLeader(start) && start !== 'space' && starts.has(LEADER));
};

/** True if the key may be the leader. */
export const isLeader = (key: string): boolean => key === LEADER || LEADERS.has(key);

/** The rows that footer, help and palette list now. */
export const offeredIn = (rules: KeyRules, scope: Scope): readonly Binding[] =>
	rules.readOnly ? bindingsOf(rules, scope).filter(row => !row.writes) : bindingsOf(rules, scope);

/**
 * The first key of an action, for use in a sentence; empty if the user has removed all its keys.
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
