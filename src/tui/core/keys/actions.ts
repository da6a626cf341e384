import type {Scope, State} from '../program.ts';
import {isPane} from '../features.ts';
import {MOVEMENTS, type Binding} from './binding-sets.ts';
import {keymap, scopesOfAll} from './keymap.ts';
import {offeredIn, type KeyRules} from './live-keys.ts';
import {keyPath} from './scopes.ts';
import {route} from '../store/route.ts';

export type ActionItem = {readonly scope: Scope; readonly binding: Binding};

/** Scopes of screens have a name for users. Dialogs have none: their footer lists their keys. */
export const isPlaced = (scope: Scope): boolean => keymap[scope].name !== undefined;
/** Name of the place where the keys of a scope work. */
export const placeName = (scope: Scope): string => keymap[scope].name ?? keymap[scope].where;

/** Actions of a scope that are worth choosing from a list. */
const actionsOf = (rules: KeyRules, scope: Scope): readonly ActionItem[] =>
	offeredIn(rules, scope)
		.filter(({action}) => !MOVEMENTS.has(action))
		.map(binding => ({scope, binding}));

const EVERYWHERE: readonly Scope[] = ['own', 'global', 'anywhere', 'always'];

/**
 * Every action of the program, with those of the user's screen first. An action with a key for
 * typing and one for reading is listed once.
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
 * Rank of an action. The actions in the footer are the most useful, and movements in lists and
 * texts the least: users know or guess those.
 */
const rank = ({action, hint}: Binding): number => (hint ? 0 : MOVEMENTS.has(action) ? 2 : 1);

/** Words that find an action, besides its label. */
export const searchText = ({scope, binding}: ActionItem): string =>
	`${placeName(scope)} ${binding.also ?? ''}`;

/** Every key: those of the user's screen, then those of all other screens and of their dialogs. */
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

/** Opens the place of an action. Returns a sentence if it cannot be reached now. */
export const goToPlace = (get: () => State, scope: Scope): string | void => {
	const {screen, part} = keymap[scope];
	if (screen === undefined) return;
	if (get().screen !== screen) route(get).go(screen);
	if (part !== undefined && isPane(screen)) route(get).focusPart(screen, part as never);
	if (!keyPath({...get(), dialogs: []}).scopes.includes(scope)) return 'This needs a ready server';
};
