type Waiting<Key> = {readonly key: Key; readonly batch: unknown};

/** Cells that wait to run, one after the other. */
export type Queue<Key> = {
	/** Adds cells at the end. When a cell fails, the rest of its batch does not run. */
	add(keys: readonly Key[], batch?: unknown): void;
	/** Removes a waiting cell. Returns false if it is not waiting. */
	drop(key: Key): boolean;
	/** Removes all waiting cells and returns them. */
	clear(): readonly Key[];
	/** Makes waiting cells wait for an already running cell. */
	waitFor(key: Key, ended: Promise<unknown>): void;
	/** Lets waiting cells run beside a running one, and drops the rest of its batch. */
	release(key: Key): void;
	/** Holds waiting cells back until the returned function is called. */
	hold(): () => void;
	/** True if no cell runs or waits, and the queue is not held. */
	isIdle(): boolean;
};

/**
 * `perform` runs a cell to its end; false if it failed. `onDrop`: called for cells not run because
 * an earlier one of their batch failed.
 */
export const createQueue = <Key>(
	perform: (key: Key) => Promise<boolean>,
	onDrop: (key: Key) => void,
): Queue<Key> => {
	let waiting: readonly Waiting<Key>[] = [];
	/** Running cells that others wait for, with their batches. */
	const running = new Map<Key, unknown>();
	let holds = 0;

	const dropBatch = (batch: unknown): void => {
		const dropped = waiting.filter(each => batch !== undefined && each.batch === batch);
		waiting = waiting.filter(each => !dropped.includes(each));
		for (const {key} of dropped) onDrop(key);
	};
	const follow = async (key: Key, batch: unknown, ended: Promise<unknown>): Promise<void> => {
		running.set(key, batch);
		if ((await ended) === false) dropBatch(batch);
		running.delete(key);
		next();
	};
	const next = (): void => {
		const [first, ...rest] = waiting;
		if (first === undefined || running.size > 0 || holds > 0) return;
		waiting = rest;
		void follow(first.key, first.batch, perform(first.key));
	};
	return {
		add(keys, batch) {
			waiting = [...waiting, ...keys.map(key => ({key, batch}))];
			next();
		},
		drop(key) {
			const left = waiting.filter(each => each.key !== key);
			const isDropped = left.length < waiting.length;
			waiting = left;
			return isDropped;
		},
		clear() {
			const keys = waiting.map(({key}) => key);
			waiting = [];
			return keys;
		},
		waitFor: (key, ended) => void follow(key, undefined, ended),
		release(key) {
			dropBatch(running.get(key));
			running.delete(key);
			next();
		},
		hold() {
			let isHeld = true;
			holds++;
			return () => {
				if (isHeld) holds--;
				isHeld = false;
				next();
			};
		},
		isIdle: () => waiting.length === 0 && running.size === 0 && holds === 0,
	};
};
