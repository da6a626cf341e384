import {randomBytes} from 'node:crypto';
import {open, readFile, realpath, rename, rm, stat, writeFile} from 'node:fs/promises';
import {CommandError} from './command-error.ts';

const REASONS: Readonly<Record<string, string>> = {
	ENOENT: 'there is no such file or folder', EACCES: 'you have no right to', EPERM: 'that is not permitted', EISDIR: 'it is a folder', ENOTDIR: 'a part of the path is not a folder',
	ENOSPC: 'the disk is full', EDQUOT: 'your share of the disk is full', EROFS: 'the disk is read-only', ENAMETOOLONG: 'its name is too long', ELOOP: 'its links go in a circle',
	ERR_FS_FILE_TOO_LARGE: 'it is too large',
};

const trouble = (what: string, file: string, error: unknown): CommandError => {
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	if (code === '') throw error;
	return new CommandError('local-file', `${file} cannot be ${what}: ${REASONS[code] ?? code}.`, 'Correct the path and try again.');
};

/** @throws {CommandError} `local-file` */
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

/** Writes the old or the new content, never a part. A device or pipe is written to as it is. @throws {CommandError} `local-file` */
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
