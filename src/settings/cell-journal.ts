import {createHash, randomUUID} from 'node:crypto';
import {mkdirSync} from 'node:fs';
import {appendFile, open, rename, stat} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod';

const asked = z.object({session: z.string(), id: z.int(), source: z.string(), kernel: z.string(), /** ms since the epoch. */ at: z.number()});
const ended = z.object({
	session: z.string(), id: z.int(), state: z.string(),
	/** ms since the epoch. */
	startedAt: z.number().nullable(), endedAt: z.number().nullable(),
	/** The executed cell as the service sent it. */
	result: z.unknown(), failure: z.unknown(),
});

/** Code that was handed in with Enter. */
export type AskedCell = Omit<z.infer<typeof asked>, 'session'>;
/** What came of it. */
export type EndedCell = Omit<z.infer<typeof ended>, 'session'>;

/** What is known of the cells of a server; `cells` are those of the last session that ran any, oldest first. */
export type KeptCells = {
	/** Sources, oldest first, each at its last place. */
	readonly history: readonly string[];
	readonly cells: readonly {readonly asked: AskedCell; /** Null: the program ended before it was known. */ readonly ended: EndedCell | null}[];
	/** Lines that could not be read. */
	readonly unreadable: number;
};

/** Cells of one service on disk: lines are only ever added, so that what was written stays whole however the program ends. */
export type CellJournal = {
	asked(server: string, cell: AskedCell): Promise<void>;
	ended(server: string, cell: EndedCell): Promise<void>;
	read(server: string): Promise<KeptCells>;
};

/** Bytes of a file from which on it is put aside and a new one is begun; the one put aside before goes. */
const ROTATE = {asked: 4 << 20, ended: 16 << 20} as const;
const KEPT_HISTORY = 2000;
const KEPT_CELLS = 200;
type Kind = keyof typeof ROTATE;

const contentOf = async (file: string): Promise<string> => {
	try {
		const handle = await open(file);
		try {
			return await handle.readFile('utf8');
		} finally {
			await handle.close();
		}
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
		throw error;
	}
};

const nextTurn = async (): Promise<void> => new Promise(resolve => {
	setImmediate(resolve);
});

/** `service` is its base URL, or `local` for the local one. @throws {Error} when the folder cannot be made. */
export const openCellJournal = (folder: string, service: string): CellJournal => {
	mkdirSync(folder, {recursive: true, mode: 0o700});
	const session = randomUUID();
	const writing = new Map<string, Promise<void>>();
	// A name of a server may hold anything, and an address a password.
	const fileOf = (server: string, kind: Kind): string => join(folder, `${createHash('sha256').update(JSON.stringify([service, server])).digest('hex').slice(0, 32)}.${kind}.jsonl`);

	const append = async (file: string, kind: Kind, line: string): Promise<void> => {
		const size = await stat(file).then(found => found.size, () => 0);
		if (size > ROTATE[kind]) await rename(file, `${file}.before`);
		// The newline in front ends a line that another program was killed in.
		await appendFile(file, `\n${line}\n`, {mode: 0o600});
	};
	/** One after the other, and as a single write each: two programs may use one file. */
	const write = async (server: string, kind: Kind, value: object): Promise<void> => {
		const file = fileOf(server, kind);
		const mine = (writing.get(file) ?? Promise.resolve()).catch(() => {}).then(async () => append(file, kind, JSON.stringify({session, ...value})));
		writing.set(file, mine);
		return mine;
	};

	/** Calls back with each line that can be read, newest first, until it answers false. */
	const eachBack = async <T>(file: string, shape: z.ZodType<T>, visit: (value: T) => boolean): Promise<number> => {
		let unreadable = 0;
		for (const name of [file, `${file}.before`]) {
			const lines = (await contentOf(name)).split('\n');
			for (let at = lines.length - 1; at >= 0; at--) {
				const line = lines[at] ?? '';
				if (line === '') continue;
				// A line may hold megabytes of output: keys are answered between two of them.
				if (line.length > 100_000) await nextTurn();
				try {
					if (!visit(shape.parse(JSON.parse(line)))) return unreadable;
				} catch {
					unreadable++;
				}
			}
		}
		return unreadable;
	};

	return {
		asked: async (server, cell) => write(server, 'asked', cell),
		ended: async (server, cell) => write(server, 'ended', cell),
		async read(server) {
			const history = new Set<string>();
			const last: z.infer<typeof asked>[] = [];
			const lost = await eachBack(fileOf(server, 'asked'), asked, entry => {
				if (entry.session !== session) {
					history.add(entry.source);
					if ((last[0]?.session ?? entry.session) === entry.session && last.length < KEPT_CELLS) last.push(entry);
				}
				return history.size < KEPT_HISTORY;
			});
			const known = new Map<number, EndedCell>();
			const wanted = last[0]?.session;
			const oldest = last.at(-1)?.at ?? 0;
			const lostToo = wanted === undefined ? 0 : await eachBack(fileOf(server, 'ended'), ended, entry => {
				if (entry.session === wanted) known.set(entry.id, entry);
				return (entry.endedAt ?? Infinity) >= oldest;
			});
			return {
				history: [...history].reverse(),
				cells: last.reverse().map(entry => ({asked: entry, ended: known.get(entry.id) ?? null})),
				unreadable: lost + lostToo,
			};
		},
	};
};
