import {StartError, type Engine, type Session, type SessionOptions} from '../../engines/engine.ts';
import {createRunQueue, type RunQueue} from '../run-queue.ts';

export type PoolOptions = {
	/** Imports and opens the engine. Called when the first server is started. */
	readonly openEngine: () => Promise<Engine>;
	readonly prepare: (root: string) => Promise<unknown>;
	/** Idle time after which a session is closed, in ms. */
	readonly idleAfter: number;
	/** True for a server with a separate idle limit, which is checked elsewhere. */
	readonly hasOwnIdleStop: (id: string) => boolean;
	/** Called when a session has been removed from the pool, for any reason. */
	readonly onEnd: (id: string) => void;
	/** Maximum number of runs that wait in the queue of a server. */
	readonly maxWaiting: number;
	/**
	 * Called when a server goes offline without a request to stop it. `failed`: true if its Python
	 * could not be started.
	 */
	readonly onOffline: (id: string, reason: string, options: {readonly failed: boolean}) => void;
	readonly onFailure: (error: unknown) => void;
};

export type Live = {
	readonly id: string;
	readonly queue: RunQueue;
	/** Null while the server is starting. */
	readonly running: Session | null;
	/** Sentence about the progress of a long start. Null if there is none. */
	readonly progress: string | null;
	/** True once code has run, so that the session has allocated the memory of a first run. */
	readonly ran: boolean;
	/** Time of the start, in ms since the epoch. */
	readonly startedAt: number;
	/** Time of the last use, in ms since the epoch. */
	readonly lastUsed: number;
	/** True for a newly created server, whose forward address is unknown until it is ready. */
	readonly created: boolean;
	/**
	 * Time at which retention started, in ms since the epoch. Null if the server is not retained,
	 * or was used again.
	 */
	readonly keptAt: number | null;
};

type Entry = {-readonly [Key in keyof Live]: Live[Key]} & {
	timer: NodeJS.Timeout | undefined;
	/** True if the kernel holds variables. */
	hasState: boolean;
};

const minutes = (milliseconds: number): string => {
	const count = Math.max(1, Math.round(milliseconds / 60_000));
	return `${count} minute${count === 1 ? '' : 's'}`;
};

export const createEnginePool = (poolOptions: PoolOptions) => {
	const {openEngine, prepare, idleAfter, hasOwnIdleStop, onEnd, maxWaiting, onOffline, onFailure} =
		poolOptions;
	const entries = new Map<string, Entry>();
	const closings = new Set<Promise<void>>();
	let engine: Promise<Engine> | undefined;
	let closed = false;
	/**
	 * True while no program uses the service. Idle sessions then stay open until the retention
	 * ends.
	 */
	let isKeeping = false;

	const end = (session: Session): Promise<void> => {
		const closing = session
			.close()
			.catch(onFailure)
			.finally(() => closings.delete(closing));
		closings.add(closing);
		return closing;
	};
	/** Removes a session from the pool and closes it. Resolves when its processes have ended. */
	const closeEntry = async (entry: Entry, reason: string, failed = false): Promise<void> => {
		if (entries.get(entry.id) !== entry) return;
		entries.delete(entry.id);
		clearTimeout(entry.timer);
		const ending = entry.running && end(entry.running);
		onEnd(entry.id);
		onOffline(entry.id, reason, {failed});
		await ending;
	};
	const touch = (entry: Entry): void => {
		entry.lastUsed = Date.now();
		awaitIdle(entry);
	};
	const awaitIdle = (entry: Entry): void => {
		clearTimeout(entry.timer);
		entry.timer = setTimeout(() => void onIdle(entry).catch(onFailure), idleAfter).unref();
	};
	/**
	 * Checks whether the session was used since `lastUsed`. If so, updates `lastUsed` and returns
	 * true.
	 */
	const isUsed = async (entry: Entry): Promise<boolean> => {
		const since = entry.lastUsed;
		const inUse = entry.queue.busy() || (await entry.running?.usedSince?.(since)) === true;
		// The session may have been used while the query ran.
		if (entry.lastUsed !== since) return true;
		if (inUse) touch(entry);
		return inUse;
	};
	const onIdle = async (entry: Entry): Promise<void> => {
		if (isKeeping || hasOwnIdleStop(entry.id)) return awaitIdle(entry);
		if (await isUsed(entry)) return;
		if (isKeeping) awaitIdle(entry);
		else
			void closeEntry(
				entry,
				`Stopped after ${minutes(idleAfter)} without use. Files are kept; start it again to continue.`,
			);
	};
	const open = async (entry: Entry, options: SessionOptions): Promise<void> => {
		engine ??= openEngine().catch((error: unknown) => {
			// Reset, so that the next start tries again.
			engine = undefined;
			throw error;
		});
		const [opened] = await Promise.all([engine, prepare(options.root)]);
		const session = await opened.open({
			...options,
			onProgress(text) {
				entry.progress = text;
			},
		});
		if (closed || entries.get(entry.id) !== entry) {
			void end(session);
			return;
		}
		entry.running = session;
		touch(entry);
		// Watches the kernel, because cells also run through the server's own address.
		session.kernel?.watch(({type}) => {
			if (type === 'begin') entry.ran = true;
			if (type === 'begin' || type === 'restarting') entry.hasState = type === 'begin';
		});
		void session.ended.then(reason => void closeEntry(entry, reason));
	};

	return {
		/** Idle time after which a session is closed, in ms. */
		idleAfter,
		get: (id: string): Live | undefined => entries.get(id),
		all: (): readonly Live[] => [...entries.values()],
		/** Starts a session. `root` must exist. If the start fails, `onOffline` is called. */
		begin(id: string, {created, ...options}: SessionOptions & {readonly created: boolean}): void {
			const entry: Entry = {
				id,
				queue: createRunQueue(maxWaiting),
				running: null,
				progress: null,
				ran: false,
				startedAt: Date.now(),
				lastUsed: Date.now(),
				created,
				keptAt: null,
				timer: undefined,
				hasState: false,
			};
			entries.set(id, entry);
			const opening = open(entry, options)
				.catch((error: unknown) => {
					onFailure(error);
					const reason =
						error instanceof StartError
							? `Failed to start: ${error.message}`
							: 'Failed to start; see the service log. Start it again to retry.';
					void closeEntry(entry, reason, true);
				})
				.finally(() => closings.delete(opening));
			closings.add(opening);
		},
		/** Records a use of the server, which restarts its idle time. */
		touch(id: string): void {
			const entry = entries.get(id);
			if (!entry?.running) return;
			entry.keptAt = null;
			touch(entry);
		},
		/**
		 * Checks whether the server was used since `lastUsed`. If so, updates `lastUsed` and
		 * returns true.
		 */
		async useOf(id: string): Promise<boolean> {
			const entry = entries.get(id);
			return entry !== undefined && isUsed(entry);
		},
		/** Stops a server. Resolves when its processes have ended. */
		async stop(id: string, reason: string): Promise<void> {
			const entry = entries.get(id);
			if (entry) await closeEntry(entry, reason);
		},
		ran(id: string): void {
			const entry = entries.get(id);
			if (!entry) return;
			entry.ran = true;
			entry.hasState = true;
		},
		/** Ids of servers with kernels that hold variables. Never rejects. */
		async stateful(): Promise<readonly string[]> {
			const found = await Promise.all(
				[...entries.values()].map(async ({id, running, hasState}) =>
					hasState || (await running?.hasKernel?.().catch(() => false)) === true ? [id] : [],
				),
			);
			return found.flat();
		},
		/**
		 * True if any server was used after `time` (ms since the epoch), or is running code. Never
		 * rejects.
		 */
		async usedSince(time: number): Promise<boolean> {
			const found = await Promise.all(
				[...entries.values()].map(
					async ({queue, lastUsed, running}) =>
						queue.busy() || lastUsed > time || (await running?.usedSince?.(time)) === true,
				),
			);
			return found.some(Boolean);
		},
		/**
		 * Retains these sessions until `resume` is called, even if they are idle. Closes all other
		 * sessions.
		 */
		keep(ids: readonly string[], reason: string): void {
			isKeeping = true;
			for (const entry of [...entries.values()])
				if (ids.includes(entry.id)) entry.keptAt ??= Date.now();
				else void closeEntry(entry, reason);
		},
		resume(): void {
			isKeeping = false;
			for (const entry of entries.values()) if (entry.running) touch(entry);
		},
		/**
		 * Closes the retained session that was used least recently. Resolves when its memory is
		 * free. False if no retained session is idle.
		 */
		async evict(reason: string): Promise<boolean> {
			const kept = [...entries.values()]
				.filter(({keptAt, queue}) => keptAt !== null && !queue.busy())
				.sort((one, other) => one.lastUsed - other.lastUsed);
			for (const entry of kept) {
				const since = entry.keptAt;
				if (since === null || (await entry.running?.usedSince?.(since)) === true) continue;
				if (entry.keptAt !== since || entry.queue.busy()) continue;
				await closeEntry(entry, reason);
				return true;
			}
			return false;
		},
		async close(): Promise<void> {
			closed = true;
			for (const entry of [...entries.values()]) {
				entries.delete(entry.id);
				onEnd(entry.id);
				clearTimeout(entry.timer);
				if (entry.running) void end(entry.running);
			}
			// `closings` also contains running starts, which close their session as soon as it is
			// open.
			while (closings.size > 0) await Promise.all(closings);
			await engine
				?.then(
					async opened => opened.close(),
					() => {},
				)
				.catch(onFailure);
		},
	};
};

export type EnginePool = ReturnType<typeof createEnginePool>;
