// What the screens and commands keep on disk of a service: where each thing lies, and how it is read and written. A shape that grows gives what is
// new a default and is read with what it does not know; a shape that becomes another one gets another folder, so that older programs still read theirs.
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
/** Letters that every file system takes. */
const plainName = (service: string): string => encodeURIComponent(service).slice(0, 150);

/** Each kind's folder and the files in it. A name of a server may hold anything, and an address a password: both are hashed where they are more than a host. */
const PLACES = {
	/** What was typed and not sent. */
	drafts: (service: string, server: string, field: string) => `${digest(service, server, field)}.json`,
	conversations: (service: string, server: string, id: string) => `${digest(service, server)}/${id}.json`,
	/** What servers cost. */
	rates: (service: string, server: string) => `${digest(service)}/${digest(server)}.json`,
	/** Code that was run, and what came of it. */
	cells: (service: string, server: string, part: string) => `${digest(service, server)}.${part}.jsonl`,
	/** Where the user was. */
	places: (service: string) => `${plainName(service)}.json`,
	/** The servers there were. */
	lists: (service: string) => `${plainName(service)}.json`,
	/** What the files of a folder held when they were last sent or compared. */
	synced: (service: string, server: string, path: string) => `${digest(service, server, path)}.json`,
	/** What lists of servers showed. */
	looks: (service: string, profile: string, file: string) => `${digest(service, profile)}/${file}`,
	/** What an assistant was given to do, and each step of it. */
	tasks: (service: string, server: string, id: string) => `${digest(service, server)}/${id}.jsonl`,
	/** Texts that are open in an editor, a folder each. */
	edits: () => '',
} satisfies Record<string, (...names: string[]) => string>;
export type StoredKind = keyof typeof PLACES;

type Rest<Names extends readonly unknown[]> = Names extends readonly [unknown, ...infer Others] ? Others : [];

/** Where a broken file was put, of an error of `read`; null for any other. No class: the bundle holds this file twice, and so would have two of it. */
export const quarantinedPath = (error: unknown): string | null =>
	error instanceof Error && 'putAside' in error ? String(error.putAside) : null;

/** What a kept thing must be: the value, or null. Of zod; where the first frame reads it, by hand, since zod is slow to load. */
export type Schema<Value> = (json: unknown) => Value | null;

const parsed = <Value>(content: string, schema: Schema<Value>): Value | null => {
	try {
		return schema(JSON.parse(content));
	} catch {
		return null;
	}
};

/** The text of a file and its mark; null when there is none. */
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

/** What a file holds, for who only looks; null: there is none, or it cannot be understood. */
export const readIfValid = <Value>(file: string, schema: Schema<Value>): Value | null => {
	try {
		return schema(JSON.parse(readFileSync(file, 'utf8')));
	} catch {
		return null;
	}
};

/** What is kept of one service. Everything is synchronous, so that it also works while the program ends. */
export type ServiceStorage = {
	/** The base URL, or `local` for the local one, whose port is another each time. */
	readonly service: string;
	/** The service, and who is meant of its users. */
	readonly user: string;
	/** What was kept before users were told apart is this one's. */
	readonly isHeir: boolean;
	folderOf(kind: StoredKind): string;
	fileOf<K extends StoredKind>(kind: K, ...names: Rest<Parameters<(typeof PLACES)[K]>>): string;
	/** Null when there is none. A broken one is put aside. @throws {Error} then, see {@link quarantinedPath}; else Node's. */
	read<Value>(file: string, schema: Schema<Value>): Value | null;
	/** Readers see the old or the new file. Not flushed: it guards against a kill, not against a power cut. @throws Node's error */
	write(file: string, value: object): void;
	remove(file: string): void;
	/** Another program has written it since this one has read or written it. */
	isOthers(file: string): boolean;
	/** What calls `save` soon after a change, and is flushed with all others. */
	saver(save: () => void, pace?: AutosaveDelays): Autosave;
	/** Saves all now. */
	flush(): void;
	/** Saves all now, and nothing from then on. */
	close(): void;
	/** Removes what programs left that were killed while they wrote. */
	sweep(): void;
};

/** By what all files of a thing begin, where they are several. */
const HASHED = /^[\da-f]{32}(?=[./])/;

/**
 * Gives to one user what lies where it was kept before users were told apart, thing by thing as it is asked for. What cannot be moved stays as it is,
 * and what the user has had since is not replaced.
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
			// As if nothing had been kept.
		}
	};
};

export type StorageOpener = {
	/** Tells users of the service apart, who may have servers of the same names; empty where there is one. */
	readonly account?: string;
	readonly isHeir?: boolean;
};

/** `root`: the folder of all that is kept. */
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
			// Looks have always been those of a profile.
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
				throw Object.assign(new Error(`${file} cannot be understood.`), {putAside: aside});
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
			// An editor's own files are in the folder of edits.
			for (const kind of Object.keys(PLACES) as StoredKind[])
				if (kind !== 'edits') sweepHalfWritten(folderOf(kind), {isDeep: true});
		},
	};
};

/** The files of a folder that hold a kept thing each. */
export const filesIn = (folder: string): readonly string[] => {
	try {
		return readdirSync(folder)
			.filter(name => name.endsWith('.json'))
			.map(name => join(folder, name));
	} catch {
		return [];
	}
};
