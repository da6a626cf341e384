import type {Scope, State} from '../program.ts';
import {isPane} from '../features.ts';
import {MOVEMENTS, type Binding} from './binding-sets.ts';
import {keymap, scopesOfAll} from './keymap.ts';
import {offeredIn, type KeyRules} from './live-keys.ts';
import {keyPath} from './scopes.ts';
import {route} from '../store/route.ts';

export type ActionItem = {readonly scope: Scope; readonly binding: Binding};

/**
 * True for scopes of screens, which have a name for users. Dialogs have none: their footer lists
 * their keys.
 */
export const isPlaced = (scope: Scope): boolean => keymap[scope].name !== undefined;
/** Name of the place where the keys of a scope work. */
export const placeName = (scope: Scope): string => keymap[scope].name ?? keymap[scope].where;

/** Actions of a scope that a list offers: all except movements. */
const actionsOf = (rules: KeyRules, scope: Scope): readonly ActionItem[] =>
	offeredIn(rules, scope)
		.filter(({action}) => !MOVEMENTS.has(action))
		.map(binding => ({scope, binding}));

const EVERYWHERE: readonly Scope[] = ['own', 'global', 'anywhere', 'always'];

/**
 * Every action of the program; those of the current screen come first. An action with one key while
 * typing and another while reading is listed once.
 */
export const everyAction = (state: State): readonly ActionItem[] => {
	const here = keyPath({...state, dialogs: []}).scopes.filter(isPlaced);
	const others = [...scopesOfAll().filter(scope => !EVERYWHERE.includes(scope)), ...EVERYWHERE].filter(
		scope => !here.includes(scope) && isPlaced(scope) && !keymap[scope].isPassing,
	);
	const listed = new Map<string, ActionItem>();
	for (const item of [...here, ...others].flatMap(scope => actionsOf(state, scope))) {
		const {scope, binding} = item;
		const isCommon = scope === 'global' || scope === 'anywhere';
		const id = `${isCommon ? '' : scope} ${binding.action}`;
		const before = listed.get(id);
		const keys =
			scope === 'global'
				? [...binding.keys, ...(before?.binding.keys ?? [])]
				: [...(before?.binding.keys ?? []), ...binding.keys];
		listed.set(id, {scope: before?.scope ?? scope, binding: {...binding, keys: [...new Set(keys)]}});
	}
	listed.delete(' palette');
	return [...listed.values()];
};

/**
 * Rank of an action in search results: first those in the footer, last the movements in lists and
 * texts, which users know or guess.
 */
const rank = ({action, hint}: Binding): number => (hint ? 0 : MOVEMENTS.has(action) ? 2 : 1);

/** Text in which a search looks for the action, besides its label. */
export const searchText = ({scope, binding}: ActionItem): string =>
	`${placeName(scope)} ${binding.also ?? ''}`;

/**
 * Every key: first those of the current screen, then those of all other screens and their dialogs.
 */
export const everyKey = (
	state: State,
): readonly {readonly scope: Scope; readonly binding: Binding; readonly isHere: boolean}[] => {
	const here = keyPath({...state, dialogs: []}).scopes;
	const others = scopesOfAll().filter(scope => !here.includes(scope));
	return [...here, ...others].flatMap(scope =>
		offeredIn(state, scope)
			.filter(({keys}) => keys.length > 0)
			.sort((a, b) => rank(a) - rank(b))
			.map(binding => ({scope, binding, isHere: here.includes(scope)})),
	);
};

/**
 * Opens the screen or pane where an action works. Returns a sentence if it cannot be opened now.
 */
export const goToPlace = (get: () => State, scope: Scope): string | void => {
	const {screen, part} = keymap[scope];
	if (screen === undefined) return;
	if (get().screen !== screen) route(get).go(screen);
	if (part !== undefined && isPane(screen)) route(get).focusPart(screen, part as never);
	if (!keyPath({...get(), dialogs: []}).scopes.includes(scope)) return 'This needs a ready server';
};
