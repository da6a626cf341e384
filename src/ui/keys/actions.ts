import type {Pane, Screen} from '../../store/route.ts';
import type {State} from '../../store/store.ts';
import {MOVEMENTS, type Binding} from './binding-sets.ts';
import type {Scope} from './keymap.ts';
import {offeredIn, type KeyRules} from './live-keys.ts';
import {keyPath} from './scopes.ts';

/** Where the keys of a scope are found. */
type Place = {readonly name: string; readonly screen?: Screen; readonly part?: {readonly pane: Pane; readonly part: string}};

/** The scopes of screens, and their names for people. Dialogs have none: what they do is on their footer. */
export const PLACES = {
	servers: {name: 'Servers', screen: 'servers'},
	compute: {name: 'Compute', screen: 'compute'},
	environments: {name: 'Environments', screen: 'environments'},
	filter: {name: 'Filter'},
	offline: {name: 'This server'},
	tree: {name: 'Files', screen: 'files', part: {pane: 'files', part: 'tree'}},
	viewer: {name: 'File viewer', screen: 'files', part: {pane: 'files', part: 'viewer'}},
	marks: {name: 'Marked lines'},
	find: {name: 'Find in the file'},
	repl: {name: 'REPL', screen: 'repl', part: {pane: 'repl', part: 'repl'}},
	cells: {name: 'REPL, reading', screen: 'repl', part: {pane: 'repl', part: 'cells'}},
	cellFind: {name: 'Finding in the cells'},
	assistant: {name: 'Assistant', screen: 'assistant', part: {pane: 'assistant', part: 'assistant'}},
	turns: {name: 'Assistant, reading', screen: 'assistant', part: {pane: 'assistant', part: 'turns'}},
	comparison: {name: 'Assistant, answers side by side'},
	global: {name: 'Anywhere'},
	anywhere: {name: 'Anywhere, also while typing'},
	always: {name: 'Always'},
} as const satisfies Partial<Record<Scope, Place>>;

export type PlacedScope = keyof typeof PLACES;

export type ActionItem = {readonly scope: PlacedScope; readonly binding: Binding};

/** Those of a scope that are worth choosing from a list; with movements too where all keys are to be seen. */
export const actionsOf = (rules: KeyRules, scope: PlacedScope, withMovements = false): readonly ActionItem[] =>
	offeredIn(rules, scope).filter(({action}) => withMovements || !MOVEMENTS.has(action)).map(binding => ({scope, binding}));

/** Scopes that hold for a moment: from elsewhere their keys mean nothing. */
const PASSING: ReadonlySet<PlacedScope> = new Set([
	'filter',
	'offline',
	'cellFind',
	'comparison',
	'find',
	'marks',
]);

/** Every action of the program, those of where the user is first. One that has a key for typing and one for reading is told once. */
export const everyAction = (state: State): readonly ActionItem[] => {
	const here = keyPath({...state, dialogs: []}).scopes.filter((scope): scope is PlacedScope => scope in PLACES);
	const others = (Object.keys(PLACES) as PlacedScope[]).filter(scope => !here.includes(scope) && !PASSING.has(scope));
	const told = new Map<string, ActionItem>();
	for (const item of [...here, ...others].flatMap(scope => actionsOf(state, scope))) {
		const {scope, binding} = item;
		const isCommon = scope === 'global' || scope === 'anywhere';
		const id = `${isCommon ? '' : scope} ${binding.action}`;
		const before = told.get(id);
		const keys = scope === 'global' ? [...binding.keys, ...(before?.binding.keys ?? [])] : [...(before?.binding.keys ?? []), ...binding.keys];
		told.set(id, {scope: before?.scope ?? scope, binding: {...binding, keys: [...new Set(keys)]}});
	}
	told.delete(' palette');
	return [...told.values()];
};

/** Goes where an action belongs. A sentence when it cannot be reached now. */
export const goToPlace = (get: () => State, scope: PlacedScope): string | void => {
	const place: Place = PLACES[scope];
	if (place.screen !== undefined && get().screen !== place.screen) get().go(place.screen);
	if (place.part !== undefined) get().focusPart(place.part.pane, place.part.part as never);
	if (place.screen !== undefined && !keyPath({...get(), dialogs: []}).scopes.includes(scope)) return 'That needs a server that is ready';
};
