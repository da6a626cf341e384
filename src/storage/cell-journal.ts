import {randomUUID} from 'node:crypto';
import {appendFileSync, renameSync, statSync} from 'node:fs';
import {open, rename, stat} from 'node:fs/promises';
import {setImmediate as immediate} from 'node:timers/promises';
import * as z from 'zod';
import {linesAfter, jsonLine} from '../machine/json-line.ts';
import type {ServiceStorage} from './service-storage.ts';
import {readLinesBackwards} from '../machine/read-lines-backwards.ts';
import {makeFolder} from '../machine/make-folder.ts';
import {openRunningCells, type RunningCells} from './run-log.ts';
import {exactIn} from '../text/exact-json.ts';

export {removeStaleRecords} from './run-log.ts';

const asked = z.object({
	session: z.string(),
	id: z.int(),
	source: z.string(),
	kernel: z.string(),
	/** ms since the epoch. */ at: z.number(),
});
const ended = z.object({
	session: z.string(),
	id: z.int(),
	state: z.string(),
	/** ms since the epoch. */
	startedAt: z.number().nullable(),
	endedAt: z.number().nullable(),
	/** The executed cell as the service sent it. */
	result: z.unknown(),
	failure: z.unknown(),
	/** `KERNEL/PROCESS` of who ran it. */
	life: z.string().optional().catch(undefined),
	/** Cells of others that its kernel ran since the cell before it. */
	others: z.int().positive().optional().catch(undefined),
	/** Its kernel ended afterwards. */
	isLastOfKernel: z.literal(true).optional().catch(undefined),
});

/** Code that was handed in with Enter. */
export type SubmittedCell = Omit<z.infer<typeof asked>, 'session'>;
/** What came of it. */
export type CellOutcome = Omit<z.infer<typeof ended>, 'session'>;

/** `ended` is null: the program ended before it was known. */
export type SavedCell = {
	readonly session: string;
	readonly asked: SubmittedCell;
	readonly ended: CellOutcome | null;
};

/** What earlier programs have run on a server, as far as it is kept in memory. */
export type SavedCells = {
	/** Sources, oldest first, each at its last place. */
	readonly history: readonly string[];
	/** Of all sessions, the last one's at the end, oldest first. */
	readonly cells: readonly SavedCell[];
	/** Lines that could not be read. */
	readonly unreadable: number;
	/** The files that hold cells older than these; null when there are none. */
	readonly rest: string | null;
};

/** Cells of one service on disk: lines are only ever added, so that what was written stays whole however the program ends. */
export type CellJournal = {
	asked(server: string, cell: SubmittedCell): Promise<void>;
	/** `of`: the session of an earlier program that has run it. */
	ended(server: string, cell: CellOutcome, of?: string): Promise<void>;
	/** What came so far of those that run. */
	readonly running: RunningCells;
	read(server: string): Promise<SavedCells>;
};

/** Bytes of a file from which on it is put aside and a new one is begun; the one put aside before goes. */
const ROTATE = {asked: 4 << 20, ended: 16 << 20} as const;
const KEPT_HISTORY = 2000;
const KEPT_CELLS = 2000;
/** Of what came of them. */
const KEPT_BYTES = 4 << 20;
type Kind = keyof typeof ROTATE;

/** Numbers of cells begin again with each session. */
const keyOf = ({session, id}: {readonly session: string; readonly id: number}): string => `${id} ${session}`;

/** @throws {Error} when the folder cannot be made. */
export const openCellJournal = (keeper: ServiceStorage): CellJournal => {
	makeFolder(keeper.folderOf('cells'));
	const session = randomUUID();
	const writing = new Map<string, Promise<void>>();
	const fileOf = (server: string, kind: Kind | '*'): string => keeper.fileOf('cells', server, kind);

	const append = async (file: string, value: object): Promise<void> => {
		const size = await stat(file).then(
			found => found.size,
			() => 0,
		);
		if (size > ROTATE.ended) await rename(file, `${file}.before`);
		await using handle = await open(file, 'a', 0o600);
		// The newline in front ends a line that another program was killed in.
		for (let rest = jsonLine(value); rest.length > 0;)
			rest = linesAfter(rest, (await handle.writev([...rest])).bytesWritten);
	};
	/** Synchronous: it is short, and its cell is sent behind it. */
	const appendNow = (file: string, line: string): void => {
		const size = statSync(file, {throwIfNoEntry: false})?.size ?? 0;
		if (size > ROTATE.asked) renameSync(file, `${file}.before`);
		appendFileSync(file, `\n${line}\n`, {mode: 0o600});
	};
	/** One after the other, and as a single write each: two programs may use one file. */
	const write = async (server: string, value: object): Promise<void> => {
		const file = fileOf(server, 'ended');
		const mine = (writing.get(file) ?? Promise.resolve())
			.catch(() => {})
			.then(async () => append(file, {session, ...value}));
		writing.set(file, mine);
		return mine;
	};

	/** Calls back with each line that can be read, newest first, until it answers false. Answers how many could not. */
	const eachBack = async <T>(
		file: string,
		shape: z.ZodType<T>,
		visit: (value: T, size: number) => boolean,
	): Promise<number> => {
		let unreadable = 0;
		let since = 0;
		for (const name of [file, `${file}.before`]) {
			for await (const line of readLinesBackwards(name)) {
				// Keys are answered in between.
				since += line.length;
				if (since > 100_000) {
					since = 0;
					await immediate();
				}
				const parsed = shape.safeParse(exactIn(line));
				if (!parsed.success) unreadable++;
				else if (!visit(parsed.data, line.length)) return unreadable;
			}
		}
		return unreadable;
	};

	return {
		asked: async (server, cell) => appendNow(fileOf(server, 'asked'), JSON.stringify({session, ...cell})),
		ended: async (server, cell, of = session) => write(server, {...cell, session: of}),
		running: openRunningCells(keeper, session),
		async read(server) {
			const history = new Set<string>();
			/** Newest first. */
			const cells = new Map<string, z.infer<typeof asked>>();
			let hasMore = false;
			const lost = await eachBack(fileOf(server, 'asked'), asked, entry => {
				if (entry.session === session) return true;
				history.add(entry.source);
				const key = keyOf(entry);
				if (cells.size < KEPT_CELLS) cells.set(key, cells.get(key) ?? entry);
				else hasMore = true;
				return history.size < KEPT_HISTORY || !hasMore;
			});
			const known = new Map<string, CellOutcome>();
			const oldest = [...cells.values()].at(-1)?.at ?? Infinity;
			let bytes = 0;
			/** When the oldest answer of those that were read was there; what came of cells before it may not have been read. */
			let cutAt: number | null = null;
			let lastEnd = Infinity;
			const lostToo =
				cells.size === 0
					? 0
					: await eachBack(fileOf(server, 'ended'), ended, (entry, size) => {
							const key = keyOf(entry);
							if (!cells.has(key)) return (entry.endedAt ?? Infinity) >= oldest;
							if (bytes >= KEPT_BYTES) {
								cutAt = lastEnd;
								return false;
							}
							if (!known.has(key)) known.set(key, entry);
							bytes += size;
							lastEnd = entry.endedAt ?? lastEnd;
							return true;
						});
			const shown: SavedCell[] = [];
			for (const [key, entry] of cells) {
				const result = known.get(key) ?? null;
				if (result === null && cutAt !== null && entry.at <= cutAt) {
					hasMore = true;
					break;
				}
				shown.push({session: entry.session, asked: entry, ended: result});
			}
			return {
				history: [...history].reverse(),
				// Two programs may have run side by side: each stays together.
				cells: [...Map.groupBy(shown, each => each.session).values()].flat().reverse(),
				unreadable: lost + lostToo,
				rest: hasMore ? fileOf(server, '*') : null,
			};
		},
	};
};
