// Files that screens and commands store for a service. A schema may gain fields with defaults, and
// ignores unknown ones. An incompatible schema needs a new folder, so that older programs can
// still read theirs.
import {createHash} from 'node:crypto';
import {
	closeSync,
	existsSync,
	fstatSync,
	openSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {markOf, sweepHalfWritten, writeAtOnce} from '../machine/atomic-write.ts';
import {makeFolder} from '../machine/make-folder.ts';
import {createAutosave, type AutosaveDelays, type Autosave} from './autosave.ts';
import {codeOf} from '../text/errors.ts';

const digest = (...names: readonly string[]): string =>
	createHash('sha256')
		.update(names.length === 1 ? (names[0] ?? '') : JSON.stringify(names))
		.digest('hex')
		.slice(0, 32);
/** Name of characters that are valid on every file system. */
const plainName = (service: string): string => encodeURIComponent(service).slice(0, 150);

/** File per kind and key. Names that may contain anything, such as server names, are hashed. */
const PLACES = {
	/** Text that was typed and not sent. */
	drafts: (service: string, server: string, field: string) => `${digest(service, server, field)}.json`,
	conversations: (service: string, server: string, id: string) => `${digest(service, server)}/${id}.json`,
	/** Hourly rates of servers. */
	rates: (service: string, server: string) => `${digest(service)}/${digest(server)}.json`,
	/** Code that was run, and its outcome. */
	cells: (service: string, server: string, part: string) => `${digest(service, server)}.${part}.jsonl`,
	/** Queues of documents that run, one file per document and program. */
	runs: (service: string, name: string) => `${digest(service)}/${name}.jsonl`,
	/** Location of the user. */
	places: (service: string) => `${plainName(service)}.json`,
	/** Last known servers. */
	lists: (service: string) => `${plainName(service)}.json`,
	/** State of a folder's files when they were last sent or compared. */
	synced: (service: string, server: string, path: string) => `${digest(service, server, path)}.json`,
	/** Observations of server lists. */
	looks: (service: string, profile: string, file: string) => `${digest(service, profile)}/${file}`,
	/** Tasks of the assistant, with their steps. */
	tasks: (service: string, server: string, id: string) => `${digest(service, server)}/${id}.jsonl`,
	/** Texts open in an editor, one folder each. */
	edits: () => '',
} satisfies Record<string, (...names: string[]) => string>;
export type StoredKind = keyof typeof PLACES;

type Rest<Names extends readonly unknown[]> = Names extends readonly [unknown, ...infer Others] ? Others : [];

/**
 * Path to which `read` moved a broken file, from its error. Null for other errors. Not an error
 * class, because the bundle contains this file twice and would have two classes.
 */
export const quarantinedPath = (error: unknown): string | null =>
	error instanceof Error && 'putAside' in error ? String(error.putAside) : null;

/**
 * Validates a stored value. Null if invalid. Schemas for the first frame are hand-written, because
 * zod loads slowly; the others use zod.
 */
export type Schema<Value> = (json: unknown) => Value | null;

const parsed = <Value>(content: string, schema: Schema<Value>): Value | null => {
	try {
		return schema(JSON.parse(content));
	} catch {
		return null;
	}
};

/** Content and mark (see {@link markOf}) of a file. Null if it does not exist. */
const opened = (file: string): {readonly content: string; readonly mark: string} | null => {
	let descriptor: number;
	try {
		descriptor = openSync(file, 'r');
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return null;
		throw error;
	}
	try {
		return {mark: markOf(fstatSync(descriptor)), content: readFileSync(descriptor, 'utf8')};
	} finally {
		closeSync(descriptor);
	}
};

/** Value in a file. Null if missing or invalid. */
export const readIfValid = <Value>(file: string, schema: Schema<Value>): Value | null => {
	try {
		return schema(JSON.parse(readFileSync(file, 'utf8')));
	} catch {
		return null;
	}
};

/** Stored data of one service. Synchronous, so that it works during exit. */
export type ServiceStorage = {
	/** Base URL, or `local` for the local service, whose port changes. */
	readonly service: string;
	/** Key of the service and the user. */
	readonly user: string;
	/** True if this user inherits files of older versions, which did not separate users. */
	readonly isHeir: boolean;
	folderOf(kind: StoredKind): string;
	fileOf<K extends StoredKind>(kind: K, ...names: Rest<Parameters<(typeof PLACES)[K]>>): string;
	/**
	 * Null if the file is missing. Renames a file that is broken.
	 * @throws {Error} if the file was broken, see {@link quarantinedPath}. Else Node's error.
	 */
	read<Value>(file: string, schema: Schema<Value>): Value | null;
	/** Writes atomically, safe against kills only (no flush). @throws Node's error on failure. */
	write(file: string, value: object): void;
	remove(file: string): void;
	/** True if another program has written the file since this one has read or written it. */
	isOthers(file: string): boolean;
	/** Creates an autosave, which `flush` and `close` include. */
	saver(save: () => void, pace?: AutosaveDelays): Autosave;
	/** Runs all autosaves now. */
	flush(): void;
	/** Runs all autosaves now, and stops them. */
	close(): void;
	/** Removes half-written files of killed programs. */
	sweep(): void;
};

/** Prefix that all files of one key share. */
const HASHED = /^[\da-f]{32}(?=[./])/;

/**
 * Gives files of older versions, which did not separate users, to one user, on first access. Files
 * that cannot be moved remain, and newer files of the user are not replaced.
 */
const adopting = (
	folderOf: (kind: StoredKind) => string,
): ((kind: StoredKind, before: string, now: string) => void) => {
	const before = new Map<StoredKind, readonly string[]>();
	const done = new Set<string>();
	return (kind, place, now) => {
		const [from] = HASHED.exec(place) ?? [place];
		const to = from === place ? now : now.slice(0, from.length);
		const folder = folderOf(kind);
		if (done.has(join(folder, from))) return;
		done.add(join(folder, from));
		try {
			const names = before.get(kind) ?? readdirSync(folder);
			before.set(kind, names);
			for (const name of names) {
				const target = join(folder, to + name.slice(from.length));
				if ((name === from || name.startsWith(`${from}.`)) && !existsSync(target))
					renameSync(join(folder, name), target);
			}
		} catch {
			// Ignored, so that the program starts without those files.
		}
	};
};

export type StorageOpener = {
	/**
	 * Distinguishes users of the service, because they may have servers of the same name. Empty if
	 * there is only one user.
	 */
	readonly account?: string;
	readonly isHeir?: boolean;
};

/** `root`: the state folder. */
export const openServiceStorage = (
	root: string,
	service: string,
	{account = '', isHeir = account === ''}: StorageOpener = {},
): ServiceStorage => {
	const user = account === '' ? service : digest(service, account);
	const savers: Autosave[] = [];
	const seen = new Map<string, string>();
	const flush = (): void => savers.forEach(saver => saver.flush());
	const folderOf = (kind: StoredKind): string => join(root, kind);
	const adopt = adopting(folderOf);
	return {
		service,
		user,
		isHeir,
		folderOf,
		fileOf(kind, ...names) {
			const placeOf = PLACES[kind] as (...all: readonly string[]) => string;
			const place = placeOf(user, ...names);
			// Older versions already stored observations by profile, so each user inherits their
			// own.
			const isOwn = isHeir || (kind === 'looks' && names[0] === account);
			if (isOwn && user !== service) adopt(kind, placeOf(service, ...names), place);
			return join(folderOf(kind), place);
		},
		read(file, schema) {
			const found = opened(file);
			if (found === null) return null;
			const value = parsed(found.content, schema);
			if (value === null) {
				const aside = `${file}.broken`;
				renameSync(file, aside);
				throw Object.assign(new Error(`${file} is not in a known format.`), {putAside: aside});
			}
			seen.set(file, found.mark);
			return value;
		},
		write(file, value) {
			makeFolder(dirname(file));
			seen.set(file, writeAtOnce(file, JSON.stringify(value)));
		},
		remove(file) {
			rmSync(file, {force: true});
			seen.delete(file);
		},
		isOthers(file) {
			const stats = statSync(file, {throwIfNoEntry: false});
			return stats !== undefined && markOf(stats) !== seen.get(file);
		},
		saver(save, pace) {
			const saver = createAutosave(save, pace);
			savers.push(saver);
			return saver;
		},
		flush,
		close() {
			flush();
			savers.forEach(saver => saver.stop());
		},
		sweep() {
			// The folder of edits also contains files that editors write.
			for (const kind of Object.keys(PLACES) as StoredKind[])
				if (kind !== 'edits') sweepHalfWritten(folderOf(kind), {isDeep: true});
		},
	};
};

/** Files of a folder with one stored value each. */
export const filesIn = (folder: string): readonly string[] => {
	try {
		return readdirSync(folder)
			.filter(name => name.endsWith('.json'))
			.map(name => join(folder, name));
	} catch {
		return [];
	}
};
