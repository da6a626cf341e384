// Turns the `keys` of the settings into rules for the key table. Invalid entries are skipped and
// reported, so an error in one line leaves all other keys working.
import {KEY_NAMES} from './key-names.ts';
import type {Binding} from './binding-sets.ts';
import type {Scope} from '../program.ts';
import {keymap, scopesOfAll} from './keymap.ts';
import type {DigitChoice, LeaderChoice} from '../../../settings/key-choices.ts';
import {bindingsOf, searchedKey, type KeyRules} from './live-keys.ts';
import {canOverlap} from './scopes.ts';

export type KeyProblem = {
	/** The entry's name in the settings, such as `servers.start`. */
	readonly entry: string;
	readonly message: string;
};

const ALIASES: Readonly<Record<string, string>> = {'ctrl+i': 'tab', 'ctrl+m': 'enter', 'ctrl+[': 'esc'};
const SYNTAX =
	'write one character such as "s" or "G", a name such as "enter", "pageup" or "f", with ctrl+ or alt+ before it, or two keys with a space between';

/** Reason why no terminal sends such a key; undefined if it can be sent. */
const keyFault = (key: string): string | undefined => {
	const [, modifiers = '', name = ''] = /^((?:ctrl\+|alt\+|shift\+)*)(.+)$/su.exec(key) ?? [];
	const alias = ALIASES[key];
	if (alias !== undefined)
		return `${JSON.stringify(key)} is the same as ${alias} for a terminal; write "${alias}", or choose another key`;
	if (/^f\d{1,2}$/i.test(name))
		return `${JSON.stringify(key)} does not reach the program: choose a key that is not a function key`;
	const isNamed = KEY_NAMES.includes(name);
	if (!isNamed && [...name].length !== 1) return `${JSON.stringify(key)} is not a key: ${SYNTAX}`;
	if (modifiers.includes('shift+') && !isNamed)
		return `${JSON.stringify(key)} is written as the character itself: ${JSON.stringify(name.toUpperCase())}`;
	if (modifiers.includes('ctrl+') && !isNamed && !/^[a-z@\\\]^_]$/.test(name))
		return `${JSON.stringify(key)} does not reach the program: with ctrl+ use a letter from a to z`;
	return /\P{C}/u.test(name) ? undefined : `${JSON.stringify(key)} is not a key: ${SYNTAX}`;
};

const isDigit = (key: string): boolean => /^\d$/.test(key);

const isTyped = (key: string): boolean => [...key].length === 1 || key === 'space';

const rowsOf = (scope: string): readonly Binding[] | undefined =>
	Object.hasOwn(keymap, scope) ? keymap[scope as Scope].rows : undefined;

const entryFault = (entry: string, wanted: unknown): string | undefined => {
	const [scope = '', action = ''] = entry.split('.');
	const rows = rowsOf(scope);
	if (rows === undefined)
		return `there is no group of keys ${JSON.stringify(scope)}; the groups are ${Object.keys(keymap).join(', ')}`;
	if (!rows.some(row => row.action === action))
		return `${scope} has no action ${JSON.stringify(action)}; it has ${[...new Set(rows.map(row => row.action))].join(', ')}`;
	const keys = typeof wanted === 'string' ? [wanted] : wanted;
	if (!Array.isArray(keys) || !keys.every(key => typeof key === 'string'))
		return 'must be a key or a list of keys, as in ["s", "ctrl+s"]';
	if (keys.length === 0 && action === 'interrupt')
		return 'needs a key: without one nothing could be cancelled';
	for (const key of keys) {
		const fault =
			key
				.split(' ')
				.map(keyFault)
				.find(each => each !== undefined) ??
			(key.split(' ').length > 2 ? `${JSON.stringify(key)} has more than two keys` : undefined);
		if (fault !== undefined) return fault;
		const [first = ''] = key.split(' ');
		if (isTyped(first) && (keymap[scope as Scope].isText || ['anywhere', 'always', 'own'].includes(scope)))
			return `${JSON.stringify(key)} would be typed as text there; use one with ctrl+ or alt+`;
	}
	return undefined;
};

/** True if the keys are equal, or if one of them is the start of the other's chord. */
const collide = (first: string, second: string): boolean => {
	const [one, other] = [searchedKey(first), searchedKey(second)];
	return [first, one].some(key =>
		[second, other].some(each => each === key || each.startsWith(`${key} `) || key.startsWith(`${each} `)),
	);
};

const byDefault = (scope: Scope, action: string, key: string): boolean =>
	keymap[scope].rows.some(row => row.action === action && [...row.keys, ...(row.was ?? [])].includes(key));

/**
 * Name of another action that uses one of the entry's keys and may be active at the same time. Keys
 * that two actions share in the default key table are allowed.
 */
const conflictOf = (rules: Pick<KeyRules, 'rebound'>, entry: string): string | undefined => {
	const [scope, action] = entry.split('.') as [Scope, string];
	for (const key of rules.rebound[entry] ?? []) {
		for (const other of scopesOfAll()) {
			if (!canOverlap(scope, other)) continue;
			for (const row of bindingsOf(rules, other)) {
				// Two groups may use the same key for the same action, such as `help`.
				if (row.action === action) continue;
				const taken = row.keys.find(
					each =>
						collide(each, key) && !(byDefault(scope, action, key) && byDefault(other, row.action, each)),
				);
				if (taken !== undefined)
					return `${JSON.stringify(key)} is also ${taken === key ? 'the key' : `a part of ${JSON.stringify(taken)}, the key`} of ${other}.${row.action} (${row.label}); give one of them another key`;
			}
		}
	}
	return undefined;
};

/** If Space is not the leader, assigns it to the actions that had it formerly. */
export const withLeader = (rebound: KeyRules['rebound'], leader: LeaderChoice): KeyRules['rebound'] => {
	if (leader === 'space') return rebound;
	const changed = scopesOfAll().flatMap(scope =>
		keymap[scope].rows.flatMap(row => {
			const entry = `${scope}.${row.action}`;
			const own = rebound[entry];
			const keys = [
				...(own ?? row.keys),
				...(own === undefined && row.was?.includes('space') ? ['space'] : []),
			];
			const isChanged = keys.length > row.keys.length || keys.some(key => key.startsWith('space '));
			return isChanged
				? [[entry, keys.map(key => (key.startsWith('space ') ? searchedKey(key) : key))] as const]
				: [];
		}),
	);
	return {...rebound, ...Object.fromEntries(changed)};
};

/** If digits are counts, the screens open with Alt and the digit instead of the digit alone. */
export const withDigits = (rebound: KeyRules['rebound'], digits: DigitChoice): KeyRules['rebound'] => {
	if (digits === 'screens') return rebound;
	const changed = keymap.global.rows.flatMap(row => {
		const entry = `global.${row.action}`;
		const keys = rebound[entry] ?? row.keys;
		return keys.some(isDigit) ? [[entry, keys.map(key => (isDigit(key) ? `alt+${key}` : key))] as const] : [];
	});
	return {...rebound, ...Object.fromEntries(changed)};
};

/** Parses the `keys` of the settings into rules and a list of invalid entries. */
export const readKeys = (
	wanted: Readonly<Record<string, unknown>>,
): {readonly rebound: KeyRules['rebound']; readonly problems: readonly KeyProblem[]} => {
	const problems: KeyProblem[] = [];
	const rebound = new Map<string, readonly string[]>();
	for (const [entry, keys] of Object.entries(wanted)) {
		const fault = entryFault(entry, keys);
		if (fault === undefined) rebound.set(entry, [keys].flat() as string[]);
		else problems.push({entry, message: fault});
	}
	for (;;) {
		// Checks all entries together, so that two actions may exchange keys. Skipping an entry may
		// free or take a key, so the check is repeated.
		const rules = {rebound: Object.fromEntries(rebound)};
		const found = [...rebound.keys()]
			.reverse()
			.map(entry => ({entry, message: conflictOf(rules, entry)}))
			.find(({message}) => message !== undefined);
		if (found?.message === undefined) return {...rules, problems};
		problems.push({entry: found.entry, message: found.message});
		rebound.delete(found.entry);
	}
};
