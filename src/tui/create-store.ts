// The store of a session with a service.
import {createStore as createVanilla} from 'zustand/vanilla';
import './feature-list.ts';
import type {App} from './core/app.ts';
import {allFeatures} from './core/features.ts';
import type {State, Store} from './core/program.ts';
import type {Deps} from './core/store/deps.ts';
import {withFastCopies} from './core/store/fast-copies.ts';

/** Creates the store: the data of all features, and their parts. */
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
