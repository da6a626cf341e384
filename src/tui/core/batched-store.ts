import type {State, Store} from './program.ts';
import {screenSpec} from './features.ts';

/** Milliseconds in which most short cells have answered: one frame then shows the cell and its result. */
const SHORT = 12;

type Listener = (state: State, previous: State) => void;

/** The store as the screens see it, and what a key does to it. */
export type BatchedStore = {
	readonly store: Store;
	/** Runs what a key does; the screens hear of its changes together, at the end of the turn of the event loop. */
	readonly during: (act: () => void) => void;
	/** The screens hear of its changes now. */
	readonly tell: () => void;
};

/**
 * A frame takes longer than a short cell. With what a key changed announced at the end of the turn, the request that the key has started
 * is on its way before the frame is drawn, and the service works meanwhile. All other changes are announced at once.
 */
export const createBatchedStore = (store: Store): BatchedStore => {
	const listeners = new Set<Listener>();
	let drawn = store.getState();
	let inKey = false;
	const tell = (): void => {
		const previous = drawn;
		drawn = store.getState();
		if (drawn !== previous) for (const listener of listeners) listener(drawn, previous);
	};
	store.subscribe(() => {
		if (!inKey) tell();
	});
	return {
		store: {
			...store,
			subscribe(listener) {
				listeners.add(listener);
				return () => listeners.delete(listener);
			},
		},
		tell,
		during(act) {
			const before = store.getState();
			inKey = true;
			try {
				act();
			} finally {
				inKey = false;
			}
			const now = store.getState();
			if (now === drawn) return;
			if (screenSpec(now.screen).hasBegunShort?.(before, now)) setTimeout(tell, SHORT);
			else setImmediate(tell);
		},
	};
};
