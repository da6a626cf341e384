import type {State, Store} from './program.ts';
import {screenSpec} from './features.ts';

/**
 * Time within which most short cells finish, in ms. One frame then shows the cell and its
 * result.
 */
const SHORT = 12;

type Listener = (state: State, previous: State) => void;

/** The store for the screens, which batches the changes that a key makes. */
export type BatchedStore = {
	readonly store: Store;
	/**
	 * Runs the handler of a key. The screens are notified of all its changes at once, at the end of
	 * the turn of the event loop.
	 */
	readonly during: (act: () => void) => void;
	/** Notifies the screens of the changes now. */
	readonly tell: () => void;
};

/**
 * Delays notifications about a key's changes to the end of the turn of the event loop. Drawing a
 * frame takes longer than running a short cell, so the request must be sent before the frame is
 * drawn. The service then works while the frame is drawn. All other changes are announced at once.
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
