// Keys after the leader. A letter has the same meaning on every screen. Where its action cannot
// run, a notice gives the reason.
import {chordText, keyText} from '../../../text/key-name.ts';
import type {Scope, State} from '../program.ts';
import {placeName} from './actions.ts';
import type {Binding} from './binding-sets.ts';
import {contextIn, type Size} from './key-context.ts';
import {keymap, scopesOfAll} from './keymap.ts';
import {actionWith, bindingsOf, hasChord, LEADER, offeredIn, searchedKey} from './live-keys.ts';
import {keyPath} from './scopes.ts';

type Entry = {readonly keys: readonly string[]; readonly label: string};
type Group = {readonly title: string; readonly entries: readonly Entry[]};
const entry = (keys: string, label: string): Entry => ({keys: keys.split(' '), label});

/** All letters after the leader and their meanings, in groups. */
export const LEADER_GROUPS: readonly Group[] = [
	{
		title: 'Show',
		entries: [
			entry('f', 'files'),
			entry('r', 'REPL'),
			entry('c', 'chat'),
			entry('z', 'zoom'),
			entry('< >', 'width'),
			entry('=', 'reset width'),
		],
	},
	{
		title: 'Find',
		entries: [
			entry('space', 'anything'),
			entry('/', 'all files'),
			entry('h', 'chats'),
			entry('i', 'messages'),
			entry('j', 'jobs'),
			entry('g', 'go there'),
		],
	},
	{
		title: 'File',
		entries: [
			entry('n', 'new…'),
			entry('s', 'save'),
			entry('R', 'rename…'),
			entry('d', 'delete…'),
			entry('+', 'folder…'),
			entry('e', '$EDITOR'),
		],
	},
	{
		title: 'Move',
		entries: [
			entry('u', 'upload…'),
			entry('o', 'download…'),
			entry('w', 'write to…'),
			entry('y', 'last copied'),
			entry('O', 'outside'),
		],
	},
	{
		title: 'Run',
		entries: [
			entry('enter', 'run'),
			entry('x', 'run, stay'),
			entry('A', 'run all'),
			entry('k', 'kernel…'),
			entry('.', 'stop'),
			entry('v', 'variables'),
		],
	},
	{
		title: 'Ask',
		entries: [entry('@', 'about this'), entry('m', 'model'), entry('t', 'attached'), entry('a', 'several')],
	},
	{
		title: 'Program',
		entries: [
			entry('p', 'profiles'),
			entry('l', 'sign in'),
			entry('$', 'costs'),
			entry('q', 'requests'),
			entry('!', 'failure'),
			entry(':', 'command'),
		],
	},
];

const isInGroup = (key: string): boolean =>
	LEADER_GROUPS.some(({entries}) => entries.some(({keys}) => keys.includes(key)));

/** Labels of three-key chords: the leader, this key, and a further key. */
const LONGER: Readonly<Record<string, Group>> = {
	[`${LEADER} k`]: {
		title: 'Kernel',
		entries: [
			entry('i', 'interrupt'),
			entry('r', 'restart'),
			entry('a', 'restart and run all'),
			entry('k', 'choose'),
			entry('<', 'run all above'),
			entry('>', 'run from here on'),
		],
	},
};

/**
 * A key with its label in the strip, which lists the keys that can follow. `acts`: true if the key
 * has an effect here.
 */
export type StripKey = {readonly keys: readonly string[]; readonly label: string; readonly acts: boolean};
export type StripGroup = {readonly title: string; readonly keys: readonly StripKey[]};

/** The action that a chord runs in the current scopes. */
const actionHere = (state: State, chord: string): Binding | undefined =>
	keyPath(state)
		.scopes.map(scope => actionWith(state, scope, chord))
		.find(binding => binding !== undefined);

const canAct = (state: State, size: Size, chord: string): boolean => {
	const binding = actionHere(state, chord);
	if (binding === undefined) return keyPath(state).scopes.some(scope => hasChord(state, scope, chord));
	if (binding.writes && state.readOnly) return false;
	return binding.now?.(contextIn(state, size)) !== null;
};

/** Keys of the current scopes that mean nothing after the leader on other screens. */
const keysHere = (state: State): readonly StripKey[] => {
	const found = keyPath(state).scopes.flatMap(scope =>
		offeredIn(state, scope).flatMap(({keys, label}) =>
			keys
				.map(searchedKey)
				.filter(key => key.startsWith(`${LEADER} `))
				.map(key => key.slice(LEADER.length + 1))
				.filter(key => !key.includes(' ') && key !== '?' && !isInGroup(key))
				.map(key => ({keys: [key], label, acts: true})),
		),
	);
	return found.filter(({keys: [key]}, at) => found.findIndex(each => each.keys[0] === key) === at);
};

/**
 * Groups of the strip after the keys pressed so far. `hides`: true if an action would now hide the
 * pane that its label names.
 */
export const stripGroups = (
	state: State,
	chord: string,
	size: Size,
	hides: (action: string) => boolean,
): readonly StripGroup[] => {
	const labelOf = (label: string, action: string | undefined): string =>
		action !== undefined && hides(action) ? `hide ${label}` : label;
	const withState = ({title, entries}: Group): StripGroup => ({
		title,
		keys: entries.map(({keys, label}) => ({
			keys,
			label: labelOf(label, actionHere(state, `${chord} ${keys[0] ?? ''}`)?.action),
			acts: keys.some(key => canAct(state, size, `${chord} ${key}`)),
		})),
	});
	const longer = LONGER[chord];
	if (longer !== undefined) return [withState(longer)];
	const here = keysHere(state);
	return [...LEADER_GROUPS.map(withState), ...(here.length === 0 ? [] : [{title: 'Here', keys: here}])];
};

/** Reason why a chord does nothing here: it has no meaning at all, or only on other screens. */
export const whyNotHere = (state: State, chord: string): string => {
	const found = scopesOfAll().flatMap((scope): readonly {scope: Scope; binding: Binding}[] => {
		const binding = actionWith(state, scope, chord);
		return binding && keymap[scope].name !== undefined ? [{scope, binding}] : [];
	});
	const nothing = `${keyHere(state, chord)} does nothing here`;
	if (found.length === 0) return nothing;
	const places = [...new Set(found.map(({scope}) => placeName(scope)))];
	return `${nothing}: ${found[0]?.binding.label} is for ${places.join(', ')}`;
};

/** The leader that works here: Space, unless text is typed. */
export const leaderHere = (state: State): string => {
	const {scopes, text} = keyPath(state);
	return !text && scopes.some(scope => bindingsOf(state, scope).some(({keys}) => keys.some(startsWithSpace)))
		? 'space'
		: LEADER;
};
const startsWithSpace = (key: string): boolean => key.startsWith('space ');

/** Text of a key for a sentence, with the leader that works here. */
export const keyHere = (state: State, key: string): string => {
	const searched = searchedKey(key);
	return keyText(searched.startsWith(`${LEADER} `) ? leaderHere(state) + searched.slice(LEADER.length) : key);
};

/** The chord so far, as the title of the strip. */
export const chordHere = (state: State, chord: string, shown: (key: string) => string): string =>
	chordText(chord.split(' ').map((key, at) => shown(at === 0 && key === LEADER ? leaderHere(state) : key)));
