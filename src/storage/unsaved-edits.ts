import {isUtf8} from 'node:buffer';
import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod';
import {writeAtOnce} from '../machine/atomic-write.ts';
import {HALF_WRITTEN} from '../machine/background-file.ts';
import {identityOf, isOwned} from '../machine/process-identity.ts';
import type {ServiceStorage} from './service-storage.ts';
import {makeFolder} from '../machine/make-folder.ts';

/** Origin of a text. `path`: a file on the server. */
export type EditTarget =
	| {readonly what: 'file'; readonly server: string; readonly path: string}
	| {readonly what: 'question' | 'code' | 'output'; readonly server: string};

/** A text in a local file, for an external editor or for recovery. */
export type EditCopy = {
	readonly path: string;
	/** @throws {Error} with a sentence if the file no longer exists, or is not UTF-8. */
	read(): string;
	discard(): void;
	/**
	 * Keeps the copy in the list of unsaved edits, as the user requested. The program no longer
	 * mentions it at its start.
	 */
	leave(): void;
};

/** Recovery copy left by an earlier program or by the user. */
export type UnsavedEdit = EditCopy & {
	readonly about: EditTarget;
	/** Original text. Null if the file did not exist. */
	readonly before: string | null;
	/** Time of the last write, in ms since the epoch. */
	readonly at: number;
	readonly isLeft: boolean;
	/** True if the program has mentioned the copy at a start. */
	readonly isMentioned: boolean;
	/** Other files that an editor left beside the copy. They may contain typed text. */
	readonly beside: readonly string[];
	/** Records the new path of the edited file. */
	moved(path: string): void;
	/** Takes ownership of the copy. */
	take(): void;
	/** Records that the user was notified. */
	mention(): void;
};

const saved = z.object({
	service: z.string(),
	/** Missing in copies by older versions, which did not separate users. */
	user: z.string().optional(),
	isNew: z.boolean(),
	owner: z.string(),
	isLeft: z.boolean(),
	/** Missing in copies of earlier versions. */
	isMentioned: z.boolean().optional(),
	name: z.string(),
	about: z.union([
		z.object({what: z.literal('file'), server: z.string(), path: z.string()}),
		z.object({what: z.enum(['question', 'code', 'output']), server: z.string()}),
	]),
});
type Saved = z.infer<typeof saved>;

const ABOUT = '.about.json';
/** File with the original text. */
export const ORIGINAL_FILE = '.before';
const RETENTION_DAYS = 30;

/**
 * File name that is safe in paths and terminals. Its extension lets editors detect the language.
 */
const fileName = (name: string): string => {
	const plain = (name.split(/[/\\]/).at(-1) ?? '')
		.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')
		.replace(/^[.\s-]+/, '')
		.slice(-80);
	return plain === '' ? 'text' : plain;
};

const copyIn = (
	folder: string,
	about: Saved,
): EditCopy & {
	readonly folder: string;
	release(): void;
	moved(path: string): void;
	write(next: Partial<Saved>): void;
	mark(next: Partial<Saved>): void;
} => {
	const path = join(folder, about.name);
	let now = about;
	const write = (next: Partial<Saved>): void => {
		now = {...now, ...next};
		writeAtOnce(join(folder, ABOUT), JSON.stringify(now));
	};
	/** Ignores failures, such as a discarded copy or a full disk. */
	const mark = (next: Partial<Saved>): void => {
		try {
			write(next);
		} catch {
			// The copy may be mentioned again, or deleted early.
		}
	};
	return {
		path,
		folder,
		write,
		mark,
		read() {
			const bytes = readFileSync(path);
			if (!isUtf8(bytes)) throw new Error('The editor wrote something that is not UTF-8 text');
			return bytes.toString('utf8');
		},
		discard: () => rmSync(folder, {recursive: true, force: true}),
		leave: () => mark({isLeft: true}),
		release: () => mark({owner: ''}),
		moved: path => void (now.about.what === 'file' && mark({about: {...now.about, path}})),
	};
};

/** `isNew`: the file does not exist yet. */
export type EditRequestOptions = {
	readonly name: string;
	readonly text: string;
	readonly isNew: boolean;
	readonly about: EditTarget;
};

/** Private folder for a copy. */
export const newFolder = (
	keeper: ServiceStorage,
	{name, isNew, about}: EditRequestOptions,
): ReturnType<typeof copyIn> => {
	const folder = keeper.folderOf('edits');
	makeFolder(folder);
	return copyIn(mkdtempSync(join(folder, 'edit-')), {
		service: keeper.service,
		user: keeper.user,
		isNew,
		owner: identityOf(process.pid),
		isLeft: false,
		name: fileName(name),
		about,
	});
};

/** Writes a text into its own folder. The copy outlives the program, unless it is discarded. */
export const makeEditCopy = (keeper: ServiceStorage, wanted: EditRequestOptions): EditCopy => {
	const copy = newFolder(keeper, wanted);
	writeFileSync(join(copy.folder, ORIGINAL_FILE), wanted.text, {mode: 0o600});
	copy.write({});
	writeFileSync(copy.path, wanted.text, {mode: 0o600, flag: 'wx'});
	return copy;
};

const unsavedEditFrom = (
	copy: ReturnType<typeof copyIn>,
	{about, isNew, isLeft, isMentioned = false}: Saved,
	{before, at, beside}: {readonly before: Buffer; readonly at: number; readonly beside: readonly string[]},
): UnsavedEdit => ({
	...copy,
	about,
	before: isNew ? null : before.toString('utf8'),
	at,
	isLeft,
	isMentioned,
	beside: beside.map(name => join(copy.folder, name)),
	take: () => copy.mark({owner: identityOf(process.pid), isLeft: false}),
	mention: () => copy.mark({isMentioned: true}),
});

const isOf = ({service, user}: Saved, keeper: ServiceStorage): boolean =>
	user === undefined ? service === keeper.service && keeper.isHeir : user === keeper.user;

const read = (folder: string, keeper: ServiceStorage, now: number): UnsavedEdit | null => {
	const about = saved.parse(JSON.parse(readFileSync(join(folder, ABOUT), 'utf8')));
	if (!isOf(about, keeper) || (!about.isLeft && isOwned(about.owner))) return null;
	const copy = copyIn(folder, about);
	const beside = readdirSync(folder).filter(
		name =>
			name !== about.name &&
			!name.startsWith(ORIGINAL_FILE) &&
			!name.startsWith(ABOUT) &&
			!(name.startsWith(`${about.name}.`) && HALF_WRITTEN.test(name)),
	);
	const before = readFileSync(join(folder, ORIGINAL_FILE));
	const at = statSync(copy.path).mtimeMs;
	const isSame = beside.length === 0 && readFileSync(copy.path).equals(before);
	const days = (now - at) / 86_400_000;
	const isNothing = isSame || about.about.what === 'output';
	// An unchanged copy remains for a day, because an editor in another window may still have it
	// open.
	if ((isNothing && days > 1) || (about.isLeft && days > RETENTION_DAYS)) copy.discard();
	else if (!isNothing) return unsavedEditFrom(copy, about, {before, at, beside});
	return null;
};
/**
 * Copies of one user that no running program owns, newest first. Deletes unchanged copies after a
 * day. Deletes copies that the user chose to keep after a month.
 */
export const listUnsavedEdits = (keeper: ServiceStorage, now: number): readonly UnsavedEdit[] => {
	const folder = keeper.folderOf('edits');
	let names: readonly string[];
	try {
		names = readdirSync(folder).filter(name => name.startsWith('edit-'));
	} catch {
		return [];
	}
	return names
		.flatMap(name => {
			try {
				return read(join(folder, name), keeper, now) ?? [];
			} catch {
				// The copy is of another version, or is just being created, and remains.
				return [];
			}
		})
		.sort((a, b) => b.at - a.at);
};
