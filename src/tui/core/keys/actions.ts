import type {Scope, State} from '../program.ts';
import {isPane} from '../features.ts';
import {MOVEMENTS, type Binding} from './binding-sets.ts';
import {keymap, scopesOfAll} from './keymap.ts';
import {offeredIn, type KeyRules} from './live-keys.ts';
import {keyPath} from './scopes.ts';
import {route} from '../store/route.ts';

export type ActionItem = {readonly scope: Scope; readonly binding: Binding};

/** Scopes of screens have a name for people. Dialogs have none: what they do is on their footer. */
export const isPlaced = (scope: Scope): boolean => keymap[scope].name !== undefined;
/** Where the keys of a scope are found, for people. */
export const placeName = (scope: Scope): string => keymap[scope].name ?? keymap[scope].where;

/** Those of a scope that are worth choosing from a list. */
const actionsOf = (rules: KeyRules, scope: Scope): readonly ActionItem[] =>
	offeredIn(rules, scope)
		.filter(({action}) => !MOVEMENTS.has(action))
		.map(binding => ({scope, binding}));

const EVERYWHERE: readonly Scope[] = ['own', 'global', 'anywhere', 'always'];

/** Every action of the program, those of where the user is first. One that has a key for typing and one for reading is listed once. */
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

/** What the footer offers is what people come for; how a list or a text is moved through they know or guess. */
const rank = ({action, hint}: Binding): number => (hint ? 0 : MOVEMENTS.has(action) ? 2 : 1);

/** What an action is found by, besides its label. */
export const searchWords = ({scope, binding}: ActionItem): string =>
	`${placeName(scope)} ${binding.also ?? ''}`;

/** Every key there is: those of where the user is, then those of all other places and of what opens above them. */
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

/** Goes where an action belongs. A sentence when it cannot be reached now. */
export const goToPlace = (get: () => State, scope: Scope): string | void => {
	const {screen, part} = keymap[scope];
	if (screen === undefined) return;
	if (get().screen !== screen) route(get).go(screen);
	if (part !== undefined && isPane(screen)) route(get).focusPart(screen, part as never);
	if (!keyPath({...get(), dialogs: []}).scopes.includes(scope)) return 'That needs a server that is ready';
};
