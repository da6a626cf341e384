// Partial outputs of running cells, one file each. After a kill, the next program reads them.
import {closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync} from 'node:fs';
import {readdir, readFile, rm, stat} from 'node:fs/promises';
import {basename, join} from 'node:path';
import * as z from 'zod';
import {jsonIn} from '../text/record.ts';
import type {ServiceStorage} from './service-storage.ts';
import {makeFolder} from '../machine/make-folder.ts';
import {identityOf, isOwned} from '../machine/process-identity.ts';

const head = z.object({
	/** Identity of the process that runs the cell. */
	owner: z.string(),
	/** Session in the journal, and the cell's number in it. */
	session: z.string(),
	id: z.int(),
	/** Kernel name. */
	kernel: z.string(),
	at: z.object({kernel: z.string(), session: z.string(), request: z.string(), source: z.string()}),
});

/** Limit of a file, in bytes. Later output is not recorded. */
const MOST_BYTES = 32 << 20;
const RETENTION_MS = 30 * 24 * 3600 * 1000;

export type RunningCell = Omit<z.infer<typeof head>, 'owner'> & {
	readonly file: string;
	readonly lines: readonly string[];
};

/** Never throws: recording failures are ignored. */
export type CellRecord = {
	begin(at: RunningCell['at']): void;
	add(line: string): void;
	/** Called once the outcome is in the journal. */
	remove(): void;
};

export type RunningCells = {
	record(server: string, cell: {readonly id: number; readonly kernel: string}): CellRecord;
	/** Records that ended programs have left. */
	left(server: string): readonly RunningCell[];
	/** Continues a record that an ended program has left. */
	resume(cell: RunningCell): CellRecord;
};

/** Synchronous: data is on disk before the server may learn that it was received. */
const recordIn = (file: string, first: (at: RunningCell['at']) => object): CellRecord => {
	let descriptor: number | null = null;
	let bytes = 0;
	const stop = (): void => {
		if (descriptor !== null) closeSync(descriptor);
		descriptor = null;
	};
	const write = (line: string): void => {
		if (descriptor === null) return;
		try {
			bytes += writeSync(descriptor, `${line}\n`);
			if (bytes > MOST_BYTES) stop();
		} catch {
			stop();
		}
	};
	return {
		begin(at) {
			try {
				descriptor = openSync(file, 'a', 0o600);
			} catch {
				return;
			}
			write(JSON.stringify(first(at)));
		},
		add: write,
		remove() {
			stop();
			rmSync(file, {force: true});
		},
	};
};

/** Header of the last program that continued the record; each adds its own. */
const lastHead = (lines: readonly string[]): z.infer<typeof head> | undefined =>
	lines
		.filter(line => line.startsWith('{'))
		.map(line => head.safeParse(jsonIn(line)).data)
		.at(-1);

/** Removes records of ended programs after a month, for servers not opened since. Never rejects. */
export const removeStaleRecords = async (folder: string, now: number): Promise<void> => {
	for (const name of await readdir(folder).catch(() => [])) {
		if (!name.includes('.running-')) continue;
		const file = join(folder, name);
		try {
			if (now - (await stat(file)).mtimeMs < RETENTION_MS) continue;
			const last = lastHead((await readFile(file, 'utf8')).split('\n'));
			if (last === undefined || !isOwned(last.owner)) await rm(file);
		} catch {
			// The next start tries again.
		}
	}
};

export const openRunningCells = (keeper: ServiceStorage, session: string): RunningCells => {
	const folder = keeper.folderOf('cells');
	const owner = identityOf(process.pid);
	const fileOf = (server: string, name: string): string => keeper.fileOf('cells', server, `running-${name}`);
	return {
		record(server, {id, kernel}) {
			makeFolder(folder);
			return recordIn(fileOf(server, `${session}-${id}`), at => ({owner, session, id, kernel, at}));
		},
		left(server) {
			const [before = '', after = ''] = basename(fileOf(server, '*')).split('*');
			return readdirSync(folder)
				.filter(name => name.startsWith(before) && name.endsWith(after))
				.flatMap(name => {
					const file = join(folder, name);
					const lines = readFileSync(file, 'utf8').split('\n');
					const last = lastHead(lines);
					if (last === undefined || isOwned(last.owner)) return [];
					const {owner: _, ...rest} = last;
					return [{...rest, file, lines: lines.filter(line => line !== '' && !line.startsWith('{'))}];
				});
		},
		resume(cell) {
			const {session: of, id, kernel, file} = cell;
			const record = recordIn(file, at => ({owner, session: of, id, kernel, at}));
			record.begin(cell.at);
			return record;
		},
	};
};
