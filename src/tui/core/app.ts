// The running program and its parts. A part is an object with its own memory (requests, timers,
// queues) outside the state.
import type {State, Store} from './program.ts';
import type {Deps} from './store/deps.ts';

declare module './program.ts' {
	interface State {
		/** Access to the parts for functions that receive only the state. */
		readonly app: App;
	}
}

/** Session with a service. Switching the profile creates another App. */
export type App = {
	readonly get: () => State;
	readonly set: (change: Partial<State>) => void;
	/** Returns the function that ends the subscription. */
	readonly subscribe: Store['subscribe'];
	readonly deps: Deps;
	/** Parts by name. Not module variables: a bundle that loads later may have its own copies. */
	readonly parts: Map<string, unknown>;
};

/** Access to the App: the App itself, or a function that reads its state. */
export type Reach = App | (() => State);

export const appOf = (reach: Reach): App => (typeof reach === 'function' ? reach().app : reach);

export type Part = {
	/** Initial data that the part adds to the state. */
	readonly first?: ((deps: Deps) => Partial<State>) | undefined;
	/**
	 * Called once for each App. A bundle that loads later finds the part already created, and never
	 * creates it from its own copy of the module.
	 */
	readonly start: (app: App) => void;
};

/**
 * Declares a part that each App creates once, and returns the function that finds it. @throws
 * {RangeError} if called before the App has started the part, or if no feature lists it.
 */
export const part = <T>(
	name: string,
	make: (app: App) => T,
	first?: (deps: Deps) => Partial<State>,
): ((reach: Reach) => T) & Part => {
	const of = (reach: Reach): T => {
		const found = appOf(reach).parts.get(name);
		if (found === undefined) throw new RangeError(`no feature lists the part ${name}`);
		return found as T;
	};
	return Object.assign(of, {first, start: (app: App) => void app.parts.set(name, make(app))});
};
