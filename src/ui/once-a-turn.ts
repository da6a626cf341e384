import type {State, Store} from '../store/store.ts';

type Listener = (state: State, previous: State) => void;

/**
 * The store as the screens see it: they hear of all changes of one turn of the event loop together, at its end. A request that a key
 * has started is then on its way before the frame is drawn, and the service works meanwhile.
 */
export const onceATurn = (store: Store): Store => {
	const listeners = new Set<Listener>();
	let drawn = store.getState();
	let waiting = false;
	const tell = (): void => {
		waiting = false;
		const previous = drawn;
		drawn = store.getState();
		for (const listener of listeners) listener(drawn, previous);
	};
	store.subscribe(() => {
		if (waiting) return;
		waiting = true;
		setImmediate(tell);
	});
	return {
		...store,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
};
