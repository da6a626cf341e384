/** Outcome of a started cell. `aborted`, `unsent`: it did not run. */
export type Outcome = 'done' | 'failed' | 'aborted' | 'unsent';

export type StartedCell = {
	/**
	 * Resolves to true once the kernel has the cell. Resolves to false if the cell takes another
	 * route, or ends earlier.
	 */
	readonly handedOver: Promise<boolean>;
	readonly ended: Promise<Outcome>;
};

/** Number of times that a cell may return to the queue because it did not run. */
const MOST_RETURNS = 5;

type Place = {
	readonly batch: unknown;
	readonly order: number;
	/** Number of times that the cell has returned to the queue. */
	readonly returns: number;
};
type Waiting<Key> = Place & {readonly key: Key};
type Running = Place & {
	readonly handedOver: Promise<boolean>;
	/** Result of `handedOver`. Null until it is known. */
	isHandedOver: boolean | null;
	/** True if an earlier cell of the batch failed, or the whole batch was dropped. */
	isDropped: boolean;
};

/** Cells that run in order. A kernel may hold several of them. */
export type Queue<Key> = {
	/** Adds cells at the end. When a cell fails, the rest of its batch does not run. */
	add(keys: readonly Key[], batch?: unknown): void;
	/** Removes a waiting cell. Returns false if it is not waiting. */
	drop(key: Key): boolean;
	/**
	 * Removes all waiting cells and returns them. If the kernel aborts the cells that it holds,
	 * they are dropped.
	 */
	clear(): readonly Key[];
	/** Adds a cell that the kernel already holds. Waiting cells are sent after its end. */
	waitFor(key: Key, ended: Promise<Outcome>, batch?: unknown): void;
	/** Stops waiting for a running cell, and drops the rest of its batch. */
	release(key: Key): void;
	/** Holds waiting cells back until the returned function is called. */
	hold(): () => void;
	/**
	 * Hands all waiting cells over to the kernel, before the program ends. Resolves to the cells
	 * that cannot be handed over.
	 */
	handOver(): Promise<readonly Key[]>;
	/** True if the kernel holds the cell, although its batch was dropped. */
	isDropped(key: Key): boolean;
	/** True if no cell runs or waits, and the queue is not held. */
	isIdle(): boolean;
};

type Perform<Key> = (
	key: Key,
	/** `follows`: true if the kernel still holds earlier cells of this queue. */
	how: {readonly follows: boolean; readonly batch: unknown},
) => StartedCell;

/**
 * `onDrop`: called for cells not run because an earlier one of their batch failed. `most`: number
 * of cells that the kernel may hold at a time.
 */
export const createQueue = <Key>(perform: Perform<Key>, onDrop: (key: Key) => void, most = 1): Queue<Key> => {
	let ahead = most;
	let added = 0;
	let waiting: readonly Waiting<Key>[] = [];
	/** Running cells that others wait for. */
	const running = new Map<Key, Running>();
	let holds = 0;
	/**
	 * True from the return of a cell until no cell is running. Later cells must not overtake it.
	 */
	let isStalled = false;

	const dropBatch = (batch: unknown): void => {
		if (batch === undefined) return;
		for (const each of running.values()) if (each.batch === batch) each.isDropped = true;
		const dropped = waiting.filter(each => each.batch === batch);
		waiting = waiting.filter(each => !dropped.includes(each));
		for (const {key} of dropped) onDrop(key);
	};
	/** Puts a cell that did not run back into the queue, or drops it. */
	const comeBack = (key: Key, {batch, order, returns, isDropped}: Running): void => {
		if (isDropped || returns >= MOST_RETURNS) return onDrop(key);
		isStalled = true;
		waiting = [...waiting, {key, batch, order, returns: returns + 1}].sort(
			(one, other) => one.order - other.order,
		);
	};
	const follow = async (key: Key, entry: Running, ended: Promise<Outcome>): Promise<void> => {
		running.set(key, entry);
		void entry.handedOver.then(isHandedOver => {
			entry.isHandedOver = isHandedOver;
			next();
		});
		const outcome = await ended;
		if (running.get(key) === entry) running.delete(key);
		if (outcome === 'failed') dropBatch(entry.batch);
		if (outcome === 'aborted' || outcome === 'unsent') comeBack(key, entry);
		if (running.size === 0) isStalled = false;
		next();
	};
	/**
	 * True if the next cell may be sent. To keep the order, the kernel must first have received all
	 * earlier cells.
	 */
	const mayStart = (): boolean =>
		running.size === 0 ||
		(running.size < ahead && !isStalled && [...running.values()].every(({isHandedOver}) => isHandedOver));
	const next = (): void => {
		const [first, ...rest] = waiting;
		if (first === undefined || holds > 0 || !mayStart()) return;
		waiting = rest;
		const {key, ...place} = first;
		const {handedOver, ended} = perform(key, {follows: running.size > 0, batch: place.batch});
		void follow(key, {...place, handedOver, isHandedOver: null, isDropped: false}, ended);
	};
	return {
		add(keys, batch) {
			waiting = [...waiting, ...keys.map(key => ({key, batch, order: added++, returns: 0}))];
			next();
		},
		drop(key) {
			const left = waiting.filter(each => each.key !== key);
			const isDropped = left.length < waiting.length;
			waiting = left;
			return isDropped;
		},
		clear() {
			for (const each of running.values()) each.isDropped = true;
			const keys = waiting.map(({key}) => key);
			waiting = [];
			return keys;
		},
		waitFor(key, ended, batch) {
			const place = {batch, order: added++, returns: 0};
			const handedOver = Promise.resolve(true);
			void follow(key, {...place, handedOver, isHandedOver: true, isDropped: false}, ended);
		},
		release(key) {
			dropBatch(running.get(key)?.batch);
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
		async handOver() {
			ahead = Infinity;
			for (;;) {
				next();
				const open = [...running.values()].filter(({isHandedOver}) => isHandedOver === null);
				if (open.length === 0) return waiting.map(({key}) => key);
				await Promise.all(open.map(async ({handedOver}) => handedOver));
			}
		},
		isDropped: key => running.get(key)?.isDropped ?? false,
		isIdle: () => waiting.length === 0 && running.size === 0 && holds === 0,
	};
};
