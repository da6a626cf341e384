// All atomic writes: into a file beside the target, then a rename. Readers find the old or the new
// content, even after a full disk or a kill. The package write-file-atomic 8.0.0 is not used: it
// ignores short writes, so a full disk silently replaces the file by a truncated one. It also
// flushes no folder, and the names of its temporary files do not contain the process id.
import {randomBytes} from 'node:crypto';
import fs, {type Stats} from 'node:fs';
import {open, rename, rm, type FileHandle} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {codeOf} from '../text/errors.ts';

/** File system calls, for tests to replace. */
export type FileSystem = Pick<
	typeof fs,
	'openSync' | 'writeFileSync' | 'fsyncSync' | 'fstatSync' | 'closeSync' | 'renameSync' | 'rmSync'
>;

/** Mark of a file. It changes when another program replaces the file. */
export const markOf = ({mtimeMs, size, ino}: Stats): string => `${mtimeMs} ${size} ${ino}`;

/** Errors of network disks on which a folder cannot be flushed. */
const CANNOT_FLUSH: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP']);
/** Windows cannot open a folder, and needs no flush of its entries. */
const hasFolders = process.platform !== 'win32';

/** Makes created, renamed and removed entries of a folder survive a power cut. */
export const syncFolder = (folder: string, system: FileSystem = fs): void => {
	if (!hasFolders) return;
	const descriptor = system.openSync(folder, 'r');
	try {
		system.fsyncSync(descriptor);
	} catch (error) {
		if (!CANNOT_FLUSH.has(codeOf(error))) throw error;
	} finally {
		system.closeSync(descriptor);
	}
};

/** {@link syncFolder} in the background. */
export const flushFolder = async (folder: string): Promise<void> => {
	if (!hasFolders) return;
	await using handle = await open(folder, 'r');
	await handle.sync().catch((error: unknown) => {
		if (!CANNOT_FLUSH.has(codeOf(error))) throw error;
	});
};

const replace = (
	file: string,
	content: string | Uint8Array,
	isFlushed: boolean,
	system: FileSystem,
): string => {
	const draft = `${file}.${process.pid}.tmp`;
	let mark: string;
	try {
		// A killed process with the same id may have left this file.
		system.rmSync(draft, {force: true});
		const descriptor = system.openSync(draft, 'wx', 0o600);
		try {
			system.writeFileSync(descriptor, content);
			// Before the rename, because a power cut might otherwise leave an empty file under the
			// new name.
			if (isFlushed) system.fsyncSync(descriptor);
			mark = markOf(system.fstatSync(descriptor));
		} finally {
			system.closeSync(descriptor);
		}
		system.renameSync(draft, file);
	} catch (error) {
		system.rmSync(draft, {force: true});
		throw error;
	}
	if (isFlushed) syncFolder(dirname(file), system);
	return mark;
};

/**
 * Writes a file (mode 0600) synchronously, so that it works during exit. Does not flush, which
 * would take twice as long, so a power cut may lose the file. One writer per file and process.
 * @returns The mark of the file, see {@link markOf}.
 */
export const writeAtOnce = (file: string, content: string, system: FileSystem = fs): string =>
	replace(file, content, false, system);

/** Like {@link writeAtOnce}, but survives a power cut. Used for keys and settings. */
export const writeDurably = (file: string, content: string | Uint8Array, system: FileSystem = fs): void =>
	void replace(file, content, true, system);

/**
 * Writes a file of any size in the background. Survives a power cut. `mode`: mode of the old file,
 * set regardless of the umask. `newMode`: mode for a new file, subject to the umask. `prepare`:
 * called before the rename.
 */
export const writeAtomically = async (
	file: string,
	content: Uint8Array,
	{
		mode,
		newMode,
		draft = `${file}.${randomBytes(6).toString('hex')}.part`,
		prepare,
	}: {
		readonly mode?: number | undefined;
		readonly newMode?: number;
		readonly draft?: string;
		readonly prepare?: (handle: FileHandle) => Promise<void>;
	} = {},
): Promise<void> => {
	try {
		await using handle = await open(draft, 'wx', mode ?? newMode);
		await handle.writeFile(content);
		if (mode !== undefined) await handle.chmod(mode);
		await prepare?.(handle);
		await handle.sync();
		await handle.close();
		await rename(draft, file);
	} catch (error) {
		await rm(draft, {force: true}).catch(() => {});
		throw error;
	}
	await flushFolder(dirname(file));
};

/** Bytes per write. Key presses are handled between writes. */
const AT_A_TIME = 256 * 1024;

/**
 * Like {@link writeAtOnce}, but in the background. Once `isWanted` returns false, the write stops
 * and changes nothing. @returns True if the file was replaced.
 */
export const writeInPieces = async (
	file: string,
	pieces: Iterable<string>,
	{draft, isWanted}: {readonly draft: string; readonly isWanted: () => boolean},
): Promise<boolean> => {
	try {
		await using handle = await open(draft, 'w', 0o600);
		// Reused, because a buffer as long as the text would cause a long garbage collection.
		const bytes = new Uint8Array(AT_A_TIME);
		const encoder = new TextEncoder();
		let filled = 0;
		for (const piece of pieces)
			for (let rest = piece; rest !== '';) {
				const {read, written} = encoder.encodeInto(rest, bytes.subarray(filled));
				rest = rest.slice(read);
				filled += written;
				if (rest === '') continue;
				await handle.writeFile(bytes.subarray(0, filled));
				filled = 0;
				if (!isWanted()) return false;
			}
		await handle.writeFile(bytes.subarray(0, filled));
		await handle.close();
		// Synchronous, so that no newer write can replace the file between this check and the
		// rename.
		if (!isWanted()) return false;
		fs.renameSync(draft, file);
		return true;
	} catch (error) {
		if (isWanted()) throw error;
		return false;
	} finally {
		await rm(draft, {force: true}).catch(() => {});
	}
};

/** True if a process with this number runs, of any user. */
export const isAlive = (pid: number): boolean => {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return codeOf(error) === 'EPERM';
	}
};

/**
 * Removes files of processes that were killed while writing. `isDeep`: true to include subfolders.
 */
export const sweepHalfWritten = (folder: string, {isDeep}: {readonly isDeep: boolean}): void => {
	let names: readonly string[];
	try {
		names = fs.readdirSync(folder, {recursive: isDeep, encoding: 'utf8'});
	} catch {
		// The folder does not exist yet.
		return;
	}
	for (const name of names) {
		const pid = /\.(\d+)\.tmp$/.exec(name)?.[1];
		if (pid === undefined || Number(pid) === process.pid || isAlive(Number(pid))) continue;
		try {
			fs.unlinkSync(join(folder, name));
		} catch {
			// The next start tries again.
		}
	}
};
