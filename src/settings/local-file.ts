import {randomBytes} from 'node:crypto';
import {glob, mkdir, open, readdir, readFile, realpath, rename, rm, stat, writeFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {basename, dirname, join, relative, resolve, sep} from 'node:path';

const REASONS: Readonly<Record<string, string>> = {
	ENOENT: 'there is no such file or folder', EACCES: 'you have no right to', EPERM: 'that is not permitted', EISDIR: 'it is a folder', ENOTDIR: 'a part of the path is not a folder',
	ENOSPC: 'the disk is full', EDQUOT: 'your share of the disk is full', EROFS: 'the disk is read-only', ENAMETOOLONG: 'its name is too long', ELOOP: 'its links go in a circle',
	ERR_FS_FILE_TOO_LARGE: 'it is too large',
};

/** A file of this machine cannot be read or written; the message is a sentence. */
export class LocalFileError extends Error {}

const trouble = (what: string, file: string, error: unknown): LocalFileError => {
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	if (code === '') throw error;
	return new LocalFileError(`${file} cannot be ${what}: ${REASONS[code] ?? code}.`);
};

/** @throws {LocalFileError} */
export const readLocal = async (file: string): Promise<Buffer> => {
	try {
		return await readFile(file);
	} catch (error) {
		throw trouble('read', file, error);
	}
};

/** The file that a path leads to, and its mode; null when there is none yet. */
const present = async (file: string): Promise<{readonly path: string; readonly mode: number; readonly isFile: boolean} | null> => {
	try {
		const path = await realpath(file);
		const stats = await stat(path);
		return {path, mode: stats.mode & 0o777, isFile: stats.isFile()};
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
		throw error;
	}
};

const replaceFile = async (path: string, content: Uint8Array, mode: number | undefined): Promise<void> => {
	const draft = `${path}.${randomBytes(6).toString('hex')}.part`;
	try {
		const handle = await open(draft, 'wx', mode);
		try {
			// The mode of `open` is narrowed by the umask.
			if (mode !== undefined) await handle.chmod(mode);
			await handle.writeFile(content);
			await handle.sync();
		} finally {
			await handle.close();
		}
		await rename(draft, path);
	} catch (error) {
		await rm(draft, {force: true});
		throw error;
	}
};

/** Writes the old or the new content, never a part. A device or pipe is written to as it is. @throws {LocalFileError} */
export const writeLocal = async (file: string, content: Uint8Array): Promise<void> => {
	try {
		const old = await present(file);
		// Renaming over a device would put a file in its place.
		if (old && !old.isFile) await writeFile(old.path, content);
		else await replaceFile(old?.path ?? file, content, old?.mode);
	} catch (error) {
		throw trouble('written', file, error);
	}
};

/** A local file and the path that it gets below the target: for a folder with the folder's own name in front. */
export type LocalFile = {readonly file: string; readonly path: string; readonly bytes: number};

const MOST_FILES = 10_000;

export const isLocalFolder = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isDirectory() ?? false;
export const isLocalThere = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null;

/** `~` is the user's home. */
export const localPath = (path: string): string => (path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path);

const filesOf = async (path: string, base: string, found: LocalFile[]): Promise<void> => {
	if (found.length >= MOST_FILES) throw new LocalFileError(`There are more than ${MOST_FILES.toLocaleString('en')} files: name a part of them.`);
	const stats = await stat(path);
	if (stats.isFile()) found.push({file: path, path: base, bytes: stats.size});
	if (!stats.isDirectory()) return;
	// A link to a folder may lead in a circle.
	const entries = await readdir(path, {withFileTypes: true});
	for (const {name} of entries.filter(entry => entry.isFile() || entry.isDirectory()).sort((a, b) => (a.name < b.name ? -1 : 1))) await filesOf(join(path, name), `${base}/${name}`, found);
};

/**
 * The files that a path means: one file, all of a folder, or those that a pattern (`data/*.csv`) fits. A relative one is below `folder`.
 * @throws {LocalFileError}
 */
export const localFiles = async (given: string, folder = ''): Promise<readonly LocalFile[]> => {
	const below = (path: string): string => (folder === '' ? path : resolve(folder, path));
	const path = below(localPath(given));
	const found: LocalFile[] = [];
	try {
		if (await isLocalThere(path)) {
			await filesOf(path, basename(await realpath(path)), found);
			return found;
		}
		if (!/[*?[{]/.test(path)) throw Object.assign(new Error(), {code: 'ENOENT'});
		// The folder's own name may hold what means something in a pattern.
		for await (const match of glob(localPath(given), folder === '' ? {} : {cwd: folder})) await filesOf(below(match), basename(match), found);
	} catch (error) {
		if (error instanceof LocalFileError) throw error;
		throw trouble('read', given, error);
	}
	if (found.length === 0) throw new LocalFileError(`No file fits ${given}.`);
	return found;
};

/** Where a file of a server goes below a local folder. The service may name it as it likes: it never leads out of that folder. @throws {LocalFileError} */
export const placeBelow = (folder: string, path: string): string => {
	const names = path.split('/');
	const isSafe = names.every(name => name !== '' && name !== '.' && name !== '..' && !name.includes('\0') && (sep === '/' || !/[\\:]/.test(name)));
	const place = join(folder, ...names);
	if (!isSafe || relative(folder, place).startsWith('..')) throw new LocalFileError(`${JSON.stringify(path)} cannot be a path on this machine.`);
	return place;
};

/** As `writeLocal`, and makes the folders on the way. @throws {LocalFileError} */
export const writeBelow = async (file: string, content: Uint8Array): Promise<void> => {
	try {
		await mkdir(dirname(file), {recursive: true});
	} catch (error) {
		throw trouble('written', file, error);
	}
	await writeLocal(file, content);
};
