// Queues of documents and the messages of their kernels, one file per document and program. After a
// kill, the next program resumes from it.
import {randomUUID} from 'node:crypto';
import {
	closeSync,
	openSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {stat} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {writeAtOnce} from '../machine/atomic-write.ts';
import {makeFolder} from '../machine/make-folder.ts';
import {identityOf, isOwned} from '../machine/process-identity.ts';
import {
	messageLine,
	readRunLog,
	runLine,
	shortenedLog,
	type LoggedRun,
	type RunDocument,
	type RunPlace,
	type Sent,
} from './run-log-lines.ts';
import {recordsAsLog} from './running-records.ts';
import type {ServiceStorage} from './service-storage.ts';

export type {DetachedDocument, LeftCell, LeftChannel, RunDocument, RunPlace} from './run-log-lines.ts';

/** Size at which a log is rewritten without the messages of landed cells, in bytes. */
const MOST_BYTES = 32 << 20;
const RETENTION_MS = 30 * 24 * 3600 * 1000;

/** Recorder for one cell. `log`: shared by all cells of the document. */
export type CellRecord = {
	/** Called before the cell is sent over the link. */
	begin(to: Sent): void;
	readonly log: {
		/** Adds a message that the kernel sent in this session, or a reply to such a message. */
		add(session: string, line: string): void;
	};
};

export type WantedCell = {readonly place: RunPlace; readonly source: string; readonly kernel: string};

/**
 * Log of one document. Synchronous, so that a message is on disk before the server learns that it
 * was received. Never throws: a log that cannot be written is deleted without a message.
 */
export type RunLog = {
	/** Records cells that are to run, and returns their numbers. */
	want(cells: readonly WantedCell[]): readonly number[];
	record(cell: number): CellRecord;
	/** Records that a cell is sent through the service, which reports no progress. */
	sentToService(cell: number): void;
	/** Forgets cells whose outputs are stored elsewhere, or that are not to run. */
	landed(cells: readonly number[]): void;
};

/** Cells that an ended program has left. */
export type LeftRun = LoggedRun & {readonly file: string};

export type RunLogs = {
	/** Starts a log. Its file exists only while the log contains cells. */
	open(server: string, document: RunDocument): RunLog;
	/** Logs of ended programs, for one server or for all. */
	left(server?: string): readonly LeftRun[];
	/** Logs of programs that run, of all servers. Another program must not change them. */
	owned(): readonly LeftRun[];
	/** Takes over a log that an ended program has left. Null if another program was faster. */
	resume(left: LeftRun): RunLog | null;
};

type Begun = {readonly file: string; readonly run: LoggedRun} | null;

const createLog = (
	newFile: () => string,
	server: string,
	document: RunDocument,
	{begun, most}: {readonly begun: Begun; readonly most: number},
): RunLog => {
	let file = begun?.file ?? null;
	let descriptor: number | null = null;
	let bytes = 0;
	let limit = most;
	let isFull = false;
	let last = begun?.run.last ?? 0;
	let left = new Set(begun?.run.cells.map(({number}) => number));
	let channels = new Map(begun?.run.channels.map(({session}, index) => [session, index + 1]));

	const close = (): void => {
		if (descriptor !== null) closeSync(descriptor);
		descriptor = null;
	};
	const remove = (): void => {
		close();
		if (file !== null) rmSync(file, {force: true});
		file = null;
		channels = new Map();
		bytes = 0;
		limit = most;
		isFull = false;
	};
	/** Accesses the disk. If that fails, the log is removed, because its content would be wrong. */
	const onDisk = (act: () => void): void => {
		try {
			act();
		} catch {
			try {
				remove();
			} catch {
				// The incomplete log remains, because its folder cannot be accessed now.
			}
			left = new Set();
		}
	};
	const write = (text: string): void => {
		if (descriptor === null) return;
		writeFileSync(descriptor, text);
		bytes += Buffer.byteLength(text);
	};
	const open = (): void => {
		if (descriptor !== null) return;
		const isNew = file === null;
		file ??= newFile();
		descriptor = openSync(file, 'a', 0o600);
		if (isNew) write(runLine({head: {server, document}}));
	};
	/**
	 * Removes the messages of landed cells. If the log is still too long, a single cell has printed
	 * most of it, so recording stops.
	 */
	const shorten = (): void => {
		if (file === null) return;
		const run = readRunLog(readFileSync(file, 'utf8'));
		if (run === null) return;
		const text = shortenedLog(run);
		close();
		writeAtOnce(file, text);
		descriptor = openSync(file, 'a', 0o600);
		bytes = Buffer.byteLength(text);
		isFull = bytes > most;
		limit = 2 * most;
	};
	const log: CellRecord['log'] = {
		add(session, line) {
			const of = channels.get(session);
			if (of === undefined || isFull) return;
			onDisk(() => {
				write(messageLine(of, line));
				if (bytes > limit) shorten();
			});
		},
	};
	if (begun !== null) onDisk(open);
	return {
		want(cells) {
			const numbers = cells.map(() => ++last);
			for (const number of numbers) left.add(number);
			onDisk(() => {
				open();
				const at = Date.now();
				write(cells.map((cell, index) => runLine({cell: numbers[index] ?? 0, ...cell, at})).join(''));
			});
			return numbers;
		},
		record: cell => ({
			begin({kernel, session, request}) {
				onDisk(() => {
					const isKnown = channels.has(session);
					if (!isKnown) channels.set(session, channels.size + 1);
					const of = channels.get(session) ?? 0;
					const opened = isKnown ? '' : runLine({channel: of, session});
					write(opened + runLine({sent: cell, to: {kernel, session, request}}));
				});
			},
			log,
		}),
		sentToService: cell => onDisk(() => write(runLine({sent: cell, to: null}))),
		landed(cells) {
			const mine = cells.filter(cell => left.delete(cell));
			if (mine.length > 0) onDisk(() => (left.size === 0 ? remove() : write(runLine({landed: [...mine]}))));
		},
	};
};

/** Process that owns a log, from the name of its file. */
const ownerOf = (name: string): string => /\.(\d+(?:-\d+)?)\.jsonl$/.exec(name)?.[1]?.replace('-', ' ') ?? '';

const namesIn = (folder: string): readonly string[] => {
	try {
		return readdirSync(folder).filter(name => name.endsWith('.jsonl'));
	} catch {
		return [];
	}
};

/** Removes logs of ended programs for servers that were not opened for a month. Never rejects. */
export const removeStaleLogs = async (keeper: ServiceStorage, now: number): Promise<void> => {
	const folder = dirname(keeper.fileOf('runs', ''));
	for (const name of namesIn(folder)) {
		const file = join(folder, name);
		try {
			if (!isOwned(ownerOf(name)) && now - (await stat(file)).mtimeMs >= RETENTION_MS) rmSync(file);
		} catch {
			// The next start tries again.
		}
	}
};

/** `most`: size at which a log is rewritten, in bytes. */
export const openRunLogs = (keeper: ServiceStorage, most = MOST_BYTES): RunLogs => {
	const owner = identityOf(process.pid).trim().replace(' ', '-');
	const newFile = (): string => {
		const file = keeper.fileOf('runs', `${randomUUID()}.${owner}`);
		makeFolder(dirname(file));
		return file;
	};
	/** Turns records of earlier versions into a log without an owner. */
	const adopt = (server: string): void => {
		const {text, files} = recordsAsLog(keeper, server, Date.now());
		if (files.length === 0) return;
		const file = keeper.fileOf('runs', randomUUID());
		makeFolder(dirname(file));
		writeFileSync(file, text, {mode: 0o600});
		for (const each of files) rmSync(each, {force: true});
	};
	const createIn = (server: string, document: RunDocument, begun: Begun): RunLog =>
		createLog(newFile, server, document, {begun, most});
	const readAll = (isMeant: (name: string) => boolean): readonly LeftRun[] => {
		const folder = dirname(keeper.fileOf('runs', ''));
		return namesIn(folder)
			.filter(isMeant)
			.flatMap((name): readonly LeftRun[] => {
				const file = join(folder, name);
				try {
					const run = readRunLog(readFileSync(file, 'utf8'));
					return run === null ? [] : [{...run, file}];
				} catch {
					// Another program has taken the log over.
					return [];
				}
			});
	};
	return {
		open: (server, document) => createIn(server, document, null),
		left(server) {
			if (server !== undefined) adopt(server);
			return readAll(name => !isOwned(ownerOf(name))).filter(run => (server ?? run.server) === run.server);
		},
		owned: () => readAll(name => isOwned(ownerOf(name))),
		resume(left) {
			const file = newFile();
			try {
				renameSync(left.file, file);
				// An incomplete last line would corrupt the next line.
				truncateSync(file, readFileSync(file).lastIndexOf('\n') + 1);
			} catch {
				return null;
			}
			return createIn(left.server, left.document, {file, run: left});
		},
	};
};
