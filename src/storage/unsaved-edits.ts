import {isUtf8} from 'node:buffer';
import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod';
import {writeAtOnce} from '../machine/atomic-write.ts';
import {HALF_WRITTEN} from '../machine/background-file.ts';
import {identityOf, isOwned} from '../machine/process-identity.ts';
import type {ServiceStorage} from './service-storage.ts';
import {makeFolder} from '../machine/make-folder.ts';

/** What a text belongs to. `path` is that of a file on its server. */
export type EditTarget =
	| {readonly what: 'file'; readonly server: string; readonly path: string}
	| {readonly what: 'question' | 'code' | 'output'; readonly server: string};

/** A text as a file of the user's own, for an editor. */
export type EditCopy = {
	readonly path: string;
	/** @throws {Error} with a sentence when it is gone or is not UTF-8. */
	read(): string;
	discard(): void;
	/** The user has left it as it is: it stays, and is offered, but no start mentions it. */
	leave(): void;
};

/** A copy that an earlier program has left, or the user. */
export type UnsavedEdit = EditCopy & {
	readonly about: EditTarget;
	/** What was edited; null: there was no such file. */
	readonly before: string | null;
	/** When it was written last, in ms since the epoch. */
	readonly at: number;
	readonly isLeft: boolean;
	/** A start has mentioned it. */
	readonly isMentioned: boolean;
	/** Files beside it that an editor has left there: what was typed may be in them. */
	readonly beside: readonly string[];
	/** The file that it belongs to has another path now. */
	moved(path: string): void;
	/** From now on it is this program's. */
	take(): void;
	/** The user was told of it. */
	mention(): void;
};

const saved = z.object({
	service: z.string(),
	/** An earlier version told no users apart. */
	user: z.string().optional(),
	isNew: z.boolean(),
	owner: z.string(),
	isLeft: z.boolean(),
	/** An earlier version does not say. */
	isMentioned: z.boolean().optional(),
	name: z.string(),
	about: z.union([
		z.object({what: z.literal('file'), server: z.string(), path: z.string()}),
		z.object({what: z.enum(['question', 'code', 'output']), server: z.string()}),
	]),
});
type Saved = z.infer<typeof saved>;

const ABOUT = '.about.json';
/** What was edited. */
export const ORIGINAL_FILE = '.before';
const KEPT_DAYS = 30;

/** A file name that keeps its ending, by which editors know the language, and nothing that a path or a terminal could take amiss. */
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
	/** A copy that was discarded meanwhile, or a full disk, is no reason to stop work. */
	const mark = (next: Partial<Saved>): void => {
		try {
			write(next);
		} catch {
			// It is mentioned once more, or swept a little early.
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

/** `isNew`: of a file that is not there yet. */
export type EditRequestOptions = {
	readonly name: string;
	readonly text: string;
	readonly isNew: boolean;
	readonly about: EditTarget;
};

/** A folder that nobody else may enter, for a copy. */
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

/** Writes a text into a folder of its own. It outlives the program unless it is discarded. */
export const makeEditCopy = (keeper: ServiceStorage, wanted: EditRequestOptions): EditCopy => {
	const copy = newFolder(keeper, wanted);
	writeFileSync(join(copy.folder, ORIGINAL_FILE), wanted.text, {mode: 0o600});
	copy.write({});
	writeFileSync(copy.path, wanted.text, {mode: 0o600, flag: 'wx'});
	return copy;
};

const keptOf = (
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
	// An editor with a window of its own may have it open yet.
	if ((isNothing && days > 1) || (about.isLeft && days > KEPT_DAYS)) copy.discard();
	else if (!isNothing) return keptOf(copy, about, {before, at, beside});
	return null;
};
/**
 * The copies of texts of one user that are nobody's now, the newest first. Swept: after a day those that nothing was written to, after a month those that the user has left.
 */
export const keptEdits = (keeper: ServiceStorage, now: number): readonly UnsavedEdit[] => {
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
				// Of another version, or just being made: it stays.
				return [];
			}
		})
		.sort((a, b) => b.at - a.at);
};
