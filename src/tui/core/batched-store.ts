import type {State, Store} from './program.ts';
import {screenSpec} from './features.ts';

/**
 * Time in which most short cells have answered, in ms: one frame then shows the cell and its
 * result.
 */
const SHORT = 12;

type Listener = (state: State, previous: State) => void;

/** The store as the screens see it, and the effect of a key on it. */
export type BatchedStore = {
	readonly store: Store;
	/**
	 * Runs the handler of a key. The screens are notified of its changes together, at the end of
	 * the turn of the event loop.
	 */
	readonly during: (act: () => void) => void;
	/** Notifies the screens of the changes now. */
	readonly tell: () => void;
};

/**
 * Delays notifications about a key's changes to the end of the turn. A frame takes longer than a
 * short cell: the request is then on its way before the frame is drawn, and the service works
 * during that time. All other changes are announced at once.
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
