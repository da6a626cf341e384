// The one place where a file is written beside itself and renamed: whoever reads it finds the old content or the new one, whole, also after a
// full disk or a kill. Ours and not write-file-atomic 8.0.0, which writes once and ignores how much was written: on a disk that fills up it puts a cut file in
// the old one's place and says nothing. It also flushes no folder, and its names do not say which process left a file behind.
import {randomBytes} from 'node:crypto';
import fs, {type Stats} from 'node:fs';
import {open, rename, rm, type FileHandle} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {codeOf} from '../text/errors.ts';

/** What is asked of the file system, in Node's words. */
export type FileSystem = Pick<
	typeof fs,
	'openSync' | 'writeFileSync' | 'fsyncSync' | 'fstatSync' | 'closeSync' | 'renameSync' | 'rmSync'
>;

/** Distinguishes a file from what another program puts in its place. */
export const markOf = ({mtimeMs, size, ino}: Stats): string => `${mtimeMs} ${size} ${ino}`;

/** Some network disks cannot flush a folder. */
const CANNOT_FLUSH: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP']);
/** Windows cannot open a folder, and keeps its entries by itself. */
const hasFolders = process.platform !== 'win32';

/** Makes what was made, renamed or removed in a folder outlast a power cut. */
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

/** As {@link syncFolder}, while other work goes on. */
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
		// What a killed process of our number may have left.
		system.rmSync(draft, {force: true});
		const descriptor = system.openSync(draft, 'wx', 0o600);
		try {
			system.writeFileSync(descriptor, content);
			// Before the new name: else a power cut may leave that name on an empty file.
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
 * Writes a file that only its owner may read, at once, so that it also works while the program ends. A power cut may lose it: flushing takes twice as
 * long. One process at a time may write the same file under one process id.
 * @returns What {@link markOf} says of the file.
 */
export const writeAtOnce = (file: string, content: string, system: FileSystem = fs): string =>
	replace(file, content, false, system);

/** As {@link writeAtOnce}, and it outlasts a power cut: for keys, and what the user has set. */
export const writeDurably = (file: string, content: string | Uint8Array, system: FileSystem = fs): void =>
	void replace(file, content, true, system);

/**
 * Writes a file of any size while other work goes on; it outlasts a power cut.
 * `mode`: the old file's, whatever the umask says; `newMode`: of a new one, as far as the umask lets it. `prepare`: what is due before it has its name.
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

/** Bytes that are written at a time: between two of them keys are answered. */
const AT_A_TIME = 256 * 1024;

/** As {@link writeAtOnce}, while other work goes on. Once it is not wanted any more it neither takes the file's place nor fails. */
export const writeInPieces = async (
	file: string,
	pieces: Iterable<string>,
	{draft, isWanted}: {readonly draft: string; readonly isWanted: () => boolean},
): Promise<void> => {
	try {
		await using handle = await open(draft, 'w', 0o600);
		// The same bytes again and again: as much garbage as the text is long would stop the program to be cleared away.
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
				if (!isWanted()) return;
			}
		await handle.writeFile(bytes.subarray(0, filled));
		await handle.close();
		// Without a pause between the two: in one a newer text could get the name.
		if (isWanted()) fs.renameSync(draft, file);
	} catch (error) {
		if (isWanted()) throw error;
	} finally {
		await rm(draft, {force: true}).catch(() => {});
	}
};

/** Whether a process of this number runs, whoever's it is. */
export const isAlive = (pid: number): boolean => {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return codeOf(error) === 'EPERM';
	}
};

/** Removes what processes left in a folder that were killed in {@link writeAtOnce} or {@link writeDurably}. `isDeep`: and in the folders below it. */
export const sweepHalfWritten = (folder: string, {isDeep}: {readonly isDeep: boolean}): void => {
	let names: readonly string[];
	try {
		names = fs.readdirSync(folder, {recursive: isDeep, encoding: 'utf8'});
	} catch {
		// It is not there yet.
		return;
	}
	for (const name of names) {
		const pid = /\.(\d+)\.tmp$/.exec(name)?.[1];
		if (pid === undefined || Number(pid) === process.pid || isAlive(Number(pid))) continue;
		try {
			fs.unlinkSync(join(folder, name));
		} catch {
			// What cannot be removed now can be at the next start.
		}
	}
};
