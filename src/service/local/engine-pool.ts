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
};

type Entry = {-readonly [Key in keyof Live]: Live[Key]} & {timer: NodeJS.Timeout | undefined};

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

	const end = (session: Session): void => {
		const closing = session
			.close()
			.catch(onFailure)
			.finally(() => closings.delete(closing));
		closings.add(closing);
	};
	const letGo = (entry: Entry, reason: string, failed = false): void => {
		if (entries.get(entry.id) !== entry) return;
		entries.delete(entry.id);
		clearTimeout(entry.timer);
		if (entry.running) end(entry.running);
		onOffline(entry.id, reason, {failed});
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
		if (inUse) touch(entry);
		else letGo(entry, `It was idle for ${minutes(idleAfter)}; its files are kept. Start it again to go on.`);
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
			end(session);
			return;
		}
		entry.running = session;
		touch(entry);
		void session.ended.then(reason => letGo(entry, reason));
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
				timer: undefined,
			};
			entries.set(id, entry);
			const opening = open(entry, options)
				.catch((error: unknown) => {
					onFailure(error);
					letGo(
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
			if (entry?.running) touch(entry);
		},
		/** Code has run on it. */
		ran(id: string): void {
			const entry = entries.get(id);
			if (entry) entry.ran = true;
		},
		/** Ends every session and the engine. Never rejects. */
		async close(): Promise<void> {
			closed = true;
			for (const entry of [...entries.values()]) {
				entries.delete(entry.id);
				clearTimeout(entry.timer);
				if (entry.running) end(entry.running);
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
