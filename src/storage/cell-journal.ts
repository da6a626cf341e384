import {randomUUID} from 'node:crypto';
import {appendFileSync, renameSync, statSync} from 'node:fs';
import {open, rename, stat} from 'node:fs/promises';
import {setImmediate as immediate} from 'node:timers/promises';
import * as z from 'zod';
import {linesAfter, jsonLine} from '../machine/json-line.ts';
import type {ServiceStorage} from './service-storage.ts';
import {readLinesBackwards} from '../machine/read-lines-backwards.ts';
import {makeFolder} from '../machine/make-folder.ts';
import {openRunLogs, removeStaleLogs, type RunLogs} from './run-log.ts';
import {removeStaleRecords} from './running-records.ts';
import {exactIn} from '../text/exact-json.ts';

const asked = z.object({
	session: z.string(),
	id: z.int(),
	source: z.string(),
	kernel: z.string(),
	/** In ms since the epoch. */
	at: z.number(),
});
const ended = z.object({
	session: z.string(),
	id: z.int(),
	state: z.string(),
	/** In ms since the epoch. */
	startedAt: z.number().nullable(),
	endedAt: z.number().nullable(),
	/** The executed cell as the service sent it. */
	result: z.unknown(),
	failure: z.unknown(),
	/** Kernel process that ran the cell, as `KERNEL/PROCESS`. */
	life: z.string().optional().catch(undefined),
	/** Number of other clients' cells that the kernel ran since the previous cell. */
	others: z.int().positive().optional().catch(undefined),
	/** True if the cell's kernel ended afterwards. */
	isLastOfKernel: z.literal(true).optional().catch(undefined),
});

/** Code that the user submitted with Enter. */
export type SubmittedCell = Omit<z.infer<typeof asked>, 'session'>;
export type CellOutcome = Omit<z.infer<typeof ended>, 'session'>;

/** A cell with its outcome. `ended`: null if the program ended before the cell. */
export type SavedCell = {
	readonly session: string;
	readonly asked: SubmittedCell;
	readonly ended: CellOutcome | null;
};

/** Cells that earlier programs ran on a server. Limited to what fits into memory. */
export type SavedCells = {
	/** Distinct sources of cells, ordered by last use, the oldest first. */
	readonly history: readonly string[];
	/**
	 * Cells grouped by session, with the latest session at the end. Within a session, oldest first.
	 */
	readonly cells: readonly SavedCell[];
	/** Number of unreadable lines. */
	readonly unreadable: number;
	/** Glob of the files with older cells. Null if there are none. */
	readonly rest: string | null;
};

/** Cells of one service on disk. Append-only, so that lines survive any end of the program. */
export type CellJournal = {
	asked(server: string, cell: SubmittedCell): Promise<void>;
	/**
	 * `of`: session of the earlier program that ran the cell. By default the cell is of this
	 * session.
	 */
	ended(server: string, cell: CellOutcome, of?: string): Promise<void>;
	/** Session of this program's cells. */
	readonly session: string;
	/** Cells that wait or run, and the messages of their kernels. */
	readonly runs: RunLogs;
	/**
	 * Removes files that ended programs left for servers that were not opened for a month. Never
	 * rejects.
	 */
	removeStale(now: number): Promise<void>;
	read(server: string): Promise<SavedCells>;
};

/**
 * File size at which a file is renamed and a new one started, in bytes. Only one renamed file
 * remains.
 */
const ROTATE = {asked: 4 << 20, ended: 16 << 20} as const;
const MAX_HISTORY = 2000;
const MAX_CELLS = 2000;
/** Limit for the outcomes in memory, in bytes. */
const MAX_OUTCOME_BYTES = 4 << 20;
type Kind = keyof typeof ROTATE;

/** Key of a cell. It includes the session, because cell numbers restart with each session. */
const keyOf = ({session, id}: {readonly session: string; readonly id: number}): string => `${id} ${session}`;

/** @throws {Error} if the folder cannot be created. */
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
		// The leading newline ends a line that was cut off when another program was killed.
		for (let rest = jsonLine(value); rest.length > 0;)
			rest = linesAfter(rest, (await handle.writev([...rest])).bytesWritten);
	};
	/** Synchronous, because the line is short and must be on disk before the cell is sent. */
	const appendNow = (file: string, line: string): void => {
		const size = statSync(file, {throwIfNoEntry: false})?.size ?? 0;
		if (size > ROTATE.asked) renameSync(file, `${file}.before`);
		appendFileSync(file, `\n${line}\n`, {mode: 0o600});
	};
	/**
	 * Writes one value at a time, each in a single call if possible, because other programs may
	 * append to the same file.
	 */
	const write = async (server: string, value: object): Promise<void> => {
		const file = fileOf(server, 'ended');
		const mine = (writing.get(file) ?? Promise.resolve())
			.catch(() => {})
			.then(async () => append(file, {session, ...value}));
		writing.set(file, mine);
		return mine;
	};

	/**
	 * Visits readable lines, newest first, until `visit` returns false. Returns the number of
	 * unreadable lines.
	 */
	const eachBack = async <T>(
		file: string,
		shape: z.ZodType<T>,
		visit: (value: T, size: number) => boolean,
	): Promise<number> => {
		let unreadable = 0;
		let since = 0;
		for (const name of [file, `${file}.before`]) {
			for await (const line of readLinesBackwards(name)) {
				// Yields now and then, so that key presses are handled.
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
		session,
		runs: openRunLogs(keeper),
		async removeStale(now) {
			await removeStaleRecords(keeper.folderOf('cells'), now);
			await removeStaleLogs(keeper, now);
		},
		async read(server) {
			const history = new Set<string>();
			/** Newest first. */
			const cells = new Map<string, z.infer<typeof asked>>();
			let hasMore = false;
			const lost = await eachBack(fileOf(server, 'asked'), asked, entry => {
				if (entry.session === session) return true;
				history.add(entry.source);
				const key = keyOf(entry);
				if (cells.size < MAX_CELLS) cells.set(key, cells.get(key) ?? entry);
				else hasMore = true;
				return history.size < MAX_HISTORY || !hasMore;
			});
			const known = new Map<string, CellOutcome>();
			const oldest = [...cells.values()].at(-1)?.at ?? Infinity;
			let bytes = 0;
			/**
			 * Position of the end of the oldest outcome that was read. Outcomes of earlier cells
			 * may be unread.
			 */
			let cutAt: number | null = null;
			let lastEnd = Infinity;
			const lostToo =
				cells.size === 0
					? 0
					: await eachBack(fileOf(server, 'ended'), ended, (entry, size) => {
							const key = keyOf(entry);
							if (!cells.has(key)) return (entry.endedAt ?? Infinity) >= oldest;
							if (bytes >= MAX_OUTCOME_BYTES) {
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
				// Cells of concurrent programs are grouped by session.
				cells: [...Map.groupBy(shown, each => each.session).values()].flat().reverse(),
				unreadable: lost + lostToo,
				rest: hasMore ? fileOf(server, '*') : null,
			};
		},
	};
};
