// The list of the program's features: each noun is a folder and a line here. Store, key table,
// titles, locations and the switch of screens and dialogs follow from it.
import {createStore as createVanilla} from 'zustand/vanilla';
import {assistant} from './assistant/index.ts';
import {cells} from './cells/index.ts';
import {compute} from './compute/index.ts';
import {core} from './core/index.ts';
import type {State, Store} from './core/program.ts';
import {allFeatures, assemble} from './core/features.ts';
import type {App} from './core/app.ts';
import type {Deps} from './core/store/deps.ts';
import {withFastCopies} from './core/store/fast-copies.ts';
import {environments} from './environments/index.ts';
import {files} from './files/index.ts';
import {live} from './live/index.ts';
import {notebook} from './notebook/index.ts';
import {pictures} from './pictures/index.ts';
import {profiles} from './profiles/index.ts';
import {repl} from './repl/index.ts';
import {userCommands} from './repl/user-commands.ts';
import {servers} from './servers/index.ts';
import {tables} from './tables/index.ts';

/** Features, in the order of their dependencies; screens are in the order of their tabs. */
export const FEATURES = [
	core,
	servers,
	compute,
	environments,
	files,
	notebook,
	repl,
	userCommands,
	cells,
	live,
	assistant,
	tables,
	pictures,
	profiles,
];
assemble(FEATURES);

/** The store of the program: the data of all features, and their parts. */
export const createStore = (deps: Deps): Store => {
	const parts = allFeatures().flatMap(({parts: own = []}) => own);
	const store = createVanilla<State>()(
		withFastCopies((set, get, api) => {
			const app: App = {get, set, subscribe: api.subscribe, deps, parts: new Map()};
			return Object.assign({app}, ...parts.map(({first}) => first?.(deps))) as State;
		}),
	);
	const {app} = store.getState();
	for (const {start} of parts) start(app);
	for (const {onStart} of allFeatures()) onStart?.(app);
	return store;
};
