import type {Engine, Session, SessionOptions} from '../../engines/engine.ts';
import {createRunQueue, type RunQueue} from '../run-queue.ts';

export type PoolOptions = {
	/** Imports and opens the engine; called at the first start of a server. */
	readonly openEngine: () => Promise<Engine>;
	/** Readies a server's folder before its engine sees it. */
	readonly prepare: (root: string) => Promise<unknown>;
	/** Milliseconds without use after which a session is let go. */
	readonly idleAfter: number;
	/** Runs that may wait for one server. */
	readonly maxWaiting: number;
	/** Called when a server goes offline by itself, with a sentence; `failed` when its Python could not be started at all. */
	readonly onOffline: (id: string, reason: string, options: {readonly failed: boolean}) => void;
	readonly onFailure: (error: unknown) => void;
};

export type Live = {
	readonly id: string;
	readonly queue: RunQueue;
	/** Absent while the server is starting. */
	readonly running: Session | null;
	/** Code has run on it: it has taken the memory that it needs. */
	readonly ran: boolean;
	/** Milliseconds since the epoch. */
	readonly lastUsed: number;
	/** Just created: its forward address is not known before it is ready. */
	readonly created: boolean;
	/** Since when it is kept for what its code made though no program was there, in milliseconds since the epoch; null once it was used again. */
	readonly keptAt: number | null;
};

type Entry = {-readonly [Key in keyof Live]: Live[Key]} & {
	timer: NodeJS.Timeout | undefined;
	/** Its kernel holds what code made. */
	hasState: boolean;
};

const minutes = (milliseconds: number): string => {
	const count = Math.max(1, Math.round(milliseconds / 60_000));
	return `${count} minute${count === 1 ? '' : 's'}`;
};

/** The sessions that are live, by server id. */
export const createEnginePool = (poolOptions: PoolOptions) => {
	const {openEngine, prepare, idleAfter, maxWaiting, onOffline, onFailure} = poolOptions;
	const entries = new Map<string, Entry>();
	const closings = new Set<Promise<void>>();
	let engine: Promise<Engine> | undefined;
	let closed = false;
	/** No program is there: nothing goes for being idle, since all goes at the end of the time. */
	let isKeeping = false;

	const end = (session: Session): Promise<void> => {
		const closing = session
			.close()
			.catch(onFailure)
			.finally(() => closings.delete(closing));
		closings.add(closing);
		return closing;
	};
	/** Resolves when its processes have ended. */
	const letGo = async (entry: Entry, reason: string, failed = false): Promise<void> => {
		if (entries.get(entry.id) !== entry) return;
		entries.delete(entry.id);
		clearTimeout(entry.timer);
		const ending = entry.running && end(entry.running);
		onOffline(entry.id, reason, {failed});
		await ending;
	};
	const touch = (entry: Entry): void => {
		entry.lastUsed = Date.now();
		clearTimeout(entry.timer);
		entry.timer = setTimeout(() => void onIdle(entry).catch(onFailure), idleAfter).unref();
	};
	const onIdle = async (entry: Entry): Promise<void> => {
		const since = entry.lastUsed;
		const inUse = entry.queue.busy() || (await entry.running?.usedSince?.(since)) === true;
		// It may have been used while we asked.
		if (entry.lastUsed !== since) return;
		if (inUse || isKeeping) touch(entry);
		else
			void letGo(
				entry,
				`It was idle for ${minutes(idleAfter)}; its files are kept. Start it again to go on.`,
			);
	};
	const open = async (entry: Entry, options: SessionOptions): Promise<void> => {
		engine ??= openEngine().catch((error: unknown) => {
			// The next start tries again.
			engine = undefined;
			throw error;
		});
		const [opened] = await Promise.all([engine, prepare(options.root)]);
		const session = await opened.open(options);
		if (closed || entries.get(entry.id) !== entry) {
			void end(session);
			return;
		}
		entry.running = session;
		touch(entry);
		// Cells come over the server's own address too.
		session.kernel?.watch(({type}) => {
			if (type === 'begin') entry.ran = true;
			if (type === 'begin' || type === 'restarting') entry.hasState = type === 'begin';
		});
		void session.ended.then(reason => void letGo(entry, reason));
	};

	return {
		/** Milliseconds. */ idleAfter,
		get: (id: string): Live | undefined => entries.get(id),
		all: (): readonly Live[] => [...entries.values()],
		/** Begins to start; `root` must exist. What goes wrong later goes to `onOffline`. */
		begin(id: string, {created, ...options}: SessionOptions & {readonly created: boolean}): void {
			const entry: Entry = {
				id,
				queue: createRunQueue(maxWaiting),
				running: null,
				ran: false,
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
					void letGo(
						entry,
						'It could not be started; the log of the service says why. Start it again to try once more.',
						true,
					);
				})
				.finally(() => closings.delete(opening));
			closings.add(opening);
		},
		/** The server is in use: it goes offline only `idleAfter` later. */
		touch(id: string): void {
			const entry = entries.get(id);
			if (!entry?.running) return;
			entry.keptAt = null;
			touch(entry);
		},
		/** Code has run on it. */
		ran(id: string): void {
			const entry = entries.get(id);
			if (!entry) return;
			entry.ran = true;
			entry.hasState = true;
		},
		/** Those whose kernels hold what code made, by id. Never rejects. */
		async stateful(): Promise<readonly string[]> {
			const found = await Promise.all(
				[...entries.values()].map(async ({id, running, hasState}) =>
					hasState || (await running?.hasKernel?.().catch(() => false)) === true ? [id] : [],
				),
			);
			return found.flat();
		},
		/** Keeps these, whatever their use, until `resume`; all others go. */
		keep(ids: readonly string[], reason: string): void {
			isKeeping = true;
			for (const entry of [...entries.values()])
				if (ids.includes(entry.id)) entry.keptAt ??= Date.now();
				else void letGo(entry, reason);
		},
		resume(): void {
			isKeeping = false;
			for (const entry of entries.values()) if (entry.running) touch(entry);
		},
		/** Lets the one go that was kept longest and that nobody has come back to; resolves when its memory is free. False: there is none. */
		async giveWay(reason: string): Promise<boolean> {
			const kept = [...entries.values()]
				.filter(({keptAt, queue}) => keptAt !== null && !queue.busy())
				.sort((one, other) => one.lastUsed - other.lastUsed);
			for (const entry of kept) {
				const since = entry.keptAt;
				if (since === null || (await entry.running?.usedSince?.(since)) === true) continue;
				if (entry.keptAt !== since || entry.queue.busy()) continue;
				await letGo(entry, reason);
				return true;
			}
			return false;
		},
		/** Ends every session and the engine. Never rejects. */
		async close(): Promise<void> {
			closed = true;
			for (const entry of [...entries.values()]) {
				entries.delete(entry.id);
				clearTimeout(entry.timer);
				if (entry.running) void end(entry.running);
			}
			// A start that is under way ends its session itself and adds it to the closings.
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
