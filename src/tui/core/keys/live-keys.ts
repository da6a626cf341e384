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
			// An action without a key has none that is old, either.
			return keys === undefined ? row : {...row, keys, ...(keys.length === 0 && {was: []})};
		});
	known.set(scope, found);
	return found;
};

/** The leader: the first key of chords that have the same second key on every screen. */
export const LEADER = 'ctrl+x';
/** Other leaders: Space where no text is typed, and Ctrl-Space, with its name in a burst. */
const LEADERS: ReadonlySet<string> = new Set(['space', 'ctrl+space', 'ctrl+@']);

/** A key as it is searched for: every leader of a chord is the same one. */
export const searchedKey = (key: string): string => {
	const at = key.indexOf(' ');
	return at > 0 && LEADERS.has(key.slice(0, at)) ? LEADER + key.slice(at) : key;
};

type Index = {
	readonly byKey: ReadonlyMap<string, Binding>;
	/** Actions by the keys that they had before. */
	readonly byOldKey: ReadonlyMap<string, Binding>;
	/** Starts of chords, with the leader as it is written. */
	readonly starts: ReadonlySet<string>;
};
const indices = new WeakMap<readonly Binding[], Index>();

/** Called several times at every key. */
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

/** The action that had this key before. */
export const actionThatHad = (rules: Rebound, scope: Scope, key: string): Binding | undefined =>
	indexOf(bindingsOf(rules, scope)).byOldKey.get(searchedKey(key));

/** True if a chord of the scope starts with this. */
export const hasChord = (rules: Rebound, scope: Scope, start: string): boolean => {
	const {starts} = indexOf(bindingsOf(rules, scope));
	return starts.has(searchedKey(start)) || (isLeader(start) && start !== 'space' && starts.has(LEADER));
};

/** True if the key may be the leader. */
export const isLeader = (key: string): boolean => key === LEADER || LEADERS.has(key);

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
