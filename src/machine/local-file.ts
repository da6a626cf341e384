import {
	access,
	constants,
	glob,
	lstat,
	open,
	readdir,
	readFile,
	realpath,
	stat,
	writeFile,
} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {writeAtomically} from './atomic-write.ts';
import {homeFolder} from './home.ts';
import {makeFolder} from './make-folder.ts';
import {maybeUndecodable, NOT_UTF8, undecodableNames} from './undecodable-names.ts';
import {codeOf} from '../text/errors.ts';

const REASONS: Readonly<Record<string, string>> = {
	ENOENT: 'there is no such file or folder',
	EACCES: 'you do not have permission',
	EPERM: 'that is not permitted',
	EISDIR: 'it is a folder',
	ENOTDIR: 'a part of the path is not a folder',
	ENOSPC: 'the disk is full',
	EDQUOT: 'your disk quota is used up',
	EROFS: 'the disk is read-only',
	ENAMETOOLONG: 'its name is too long',
	ELOOP: 'its links form a loop',
	ERR_FS_FILE_TOO_LARGE: 'it is too large',
};

/** Error for a local file. Its message is a sentence. */
export class LocalFileError extends Error {}

/** Wraps a system error. @throws the error itself if it is not a system error. */
export const localErrorText = (what: string, file: string, error: unknown): LocalFileError => {
	const code = codeOf(error);
	if (code === '') throw error;
	const reason =
		code === 'ENOENT' && maybeUndecodable(file)
			? 'there is no such file or folder, or its name is not UTF-8'
			: (REASONS[code] ?? code);
	return new LocalFileError(`${file} cannot be ${what}: ${reason}.`);
};

/** @throws {LocalFileError} if the file cannot be read. */
export const readLocal = async (file: string): Promise<Buffer> => {
	try {
		return await readFile(file);
	} catch (error) {
		throw localErrorText('read', file, error);
	}
};

/** Non-blocking, since a pipe would wait for a writer. Windows has neither flag. */
const READ_NO_LINK = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** Maximum number of attempts to read a file, which editors may replace while saving. */
const READ_ATTEMPTS = 3;

/** Content of a file. Null if the path leads to another file by now. */
const readPlain = async (file: string): Promise<Buffer | null> => {
	await using handle = await open(file, READ_NO_LINK);
	const opened = await handle.stat();
	if (!opened.isFile() || (await realpath(file)) !== file) return null;
	const there = await lstat(file);
	return there.ino === opened.ino && there.dev === opened.dev ? await handle.readFile() : null;
};

/**
 * Reads a file that was listed before, but not through a link that has replaced it since. @throws
 * {LocalFileError} if that fails.
 */
export const readListed = async (file: string): Promise<Buffer> => {
	try {
		for (let left = READ_ATTEMPTS; left > 0; left--) {
			const content = await readPlain(file);
			if (content !== null) return content;
		}
	} catch (error) {
		if (codeOf(error) !== 'ELOOP') throw localErrorText('read', file, error);
	}
	throw new LocalFileError(`${file} cannot be read: a link or something else has taken its place.`);
};

/** Path without links, mode and kind of an existing file. Null if it does not exist. */
const present = async (
	file: string,
): Promise<{readonly path: string; readonly mode: number; readonly isFile: boolean} | null> => {
	try {
		const path = await realpath(file);
		const stats = await stat(path);
		return {path, mode: stats.mode & 0o777, isFile: stats.isFile()};
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return null;
		throw error;
	}
};

/** Writes atomically, or into a device or pipe. @throws {LocalFileError} if that fails. */
export const writeLocal = async (file: string, content: Uint8Array): Promise<void> => {
	try {
		const old = await present(file);
		// A rename would replace the device with a file.
		if (old && !old.isFile) await writeFile(old.path, content);
		else await writeAtomically(old?.path ?? file, content, {mode: old?.mode});
	} catch (error) {
		throw localErrorText('written', file, error);
	}
};

/** Checks in advance that a file can be written. @throws {LocalFileError} if not. */
export const checkWritable = async (file: string): Promise<void> => {
	try {
		const old = await present(file);
		if (await isLocalFolder(file)) throw Object.assign(new Error(), {code: 'EISDIR'});
		await access(old && !old.isFile ? old.path : dirname(old?.path ?? resolve(file)), constants.W_OK);
	} catch (error) {
		throw localErrorText('written', file, error);
	}
};

/** A local file. `path`: its path in the copy, starting with the name of the chosen folder. */
export type LocalFile = {readonly file: string; readonly path: string; readonly bytes: number};

const MOST_FILES = 10_000;

export const isLocalFolder = async (path: string): Promise<boolean> =>
	(await stat(path).catch(() => null))?.isDirectory() ?? false;
export const localExists = async (path: string): Promise<boolean> =>
	(await stat(path).catch(() => null)) !== null;

/** Expands `~` to the user's home. */
export const localPath = (path: string): string =>
	path === '~' || path.startsWith('~/') ? join(homeFolder(), path.slice(1)) : path;

export type LocalEntry = {readonly name: string; readonly isFolder: boolean};

const MOST_ENTRIES = 2000;

/** Entries of a local folder by name; `''` is the current one. Empty if it cannot be listed. */
export const localEntries = async (folder: string): Promise<readonly LocalEntry[]> => {
	const path = resolve(localPath(folder));
	const entries = await readdir(path, {withFileTypes: true}).catch(() => []);
	const found = entries
		.sort((a, b) => (a.name < b.name ? -1 : 1))
		.slice(0, MOST_ENTRIES)
		.map(async entry => ({
			name: entry.name,
			isFolder: entry.isSymbolicLink() ? await isLocalFolder(join(path, entry.name)) : entry.isDirectory(),
		}));
	return Promise.all(found);
};

const filesOf = async (path: string, base: string, found: LocalFile[]): Promise<void> => {
	if (found.length >= MOST_FILES)
		throw new LocalFileError(
			`There are more than ${MOST_FILES.toLocaleString('en')} files; choose a subfolder.`,
		);
	const stats = await stat(path);
	if (stats.isFile()) found.push({file: path, path: base, bytes: stats.size});
	if (!stats.isDirectory()) return;
	// Skips links to folders, because they may form a loop.
	const entries = await readdir(path, {withFileTypes: true});
	if (entries.some(({name}) => maybeUndecodable(name))) {
		const [name] = undecodableNames(path).values();
		if (name !== undefined) throw new LocalFileError(`${join(path, name)} cannot be read: ${NOT_UTF8}`);
	}
	for (const {name} of entries
		.filter(entry => entry.isFile() || entry.isDirectory())
		.sort((a, b) => (a.name < b.name ? -1 : 1)))
		await filesOf(join(path, name), `${base}/${name}`, found);
};

/**
 * Files of a path: one file, all in a folder, or the matches of a pattern (`data/*.csv`). Relative
 * to `folder`.
 * @throws {LocalFileError} if there are none, or too many.
 */
export const localFiles = async (given: string, folder = ''): Promise<readonly LocalFile[]> => {
	const below = (path: string): string => (folder === '' ? path : resolve(folder, path));
	const path = below(localPath(given));
	const found: LocalFile[] = [];
	try {
		if (await localExists(path)) {
			const real = await realpath(path);
			await filesOf(real, basename(real), found);
			return found;
		}
		if (!/[*?[{]/.test(path)) throw Object.assign(new Error(), {code: 'ENOENT'});
		// Set as `cwd`, since the folder's own name may contain pattern characters.
		for await (const match of glob(localPath(given), folder === '' ? {} : {cwd: folder}))
			await filesOf(await realpath(below(match)), basename(match), found);
	} catch (error) {
		if (error instanceof LocalFileError) throw error;
		throw localErrorText('read', given, error);
	}
	if (found.length === 0) throw new LocalFileError(`No file matches ${given}.`);
	return found;
};

/** Creates a file and returns its absolute path. @throws {LocalFileError} if that fails. */
export const writeNewFile = async (path: string, content: string | Uint8Array): Promise<string> => {
	const whole = resolve(localPath(path));
	try {
		makeFolder(dirname(whole), 0o777);
		await writeFile(whole, content, {flag: 'wx'});
		return whole;
	} catch (error) {
		if (codeOf(error) === 'EEXIST') throw new LocalFileError(`${whole} already exists. Choose another name.`);
		throw localErrorText('written', whole, error);
	}
};
