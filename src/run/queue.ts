type Waiting<Key> = {readonly key: Key; readonly batch: unknown};

/** What waits to be run, one after the other. */
export type Queue<Key> = {
	/** Puts them behind those that wait. Of a batch none runs after one that failed. */
	add(keys: readonly Key[], batch?: unknown): void;
	/** Takes one out; false: it does not wait. */
	drop(key: Key): boolean;
	/** Takes all out. */
	clear(): readonly Key[];
	/** What waits waits for this one too, which runs already. */
	waitFor(key: Key, ended: Promise<unknown>): void;
	/** Nothing waits any more for one that runs. The rest of its batch is dropped: it was not meant to run beside it. */
	release(key: Key): void;
	/** None that waits is run until what this answers is called. */
	hold(): () => void;
	/** Nothing runs or waits, and nothing is held. */
	isIdle(): boolean;
};

/** `perform` runs one to its end; false: it failed. `onDrop`: one is not run since one before it in its batch failed. */
export const createQueue = <Key>(
	perform: (key: Key) => Promise<boolean>,
	onDrop: (key: Key) => void,
): Queue<Key> => {
	let waiting: readonly Waiting<Key>[] = [];
	/** Those that are waited for, and their batches. */
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
