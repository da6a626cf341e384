import {randomBytes} from 'node:crypto';
import {lstat, readdir, rm, type FileHandle} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {BigIntStats} from 'node:fs';
import {isTemp} from './folder-path.ts';
import {writeAtomically as replaceWhole} from '../machine/atomic-write.ts';

const NEW_FILE = 0o600;

/**
 * Advances a modification time that has not changed by 1 µs. The clock for file times ticks only
 * every few ms, so two saves may get the same time.
 */
const growTime = async (handle: FileHandle, before: bigint): Promise<void> => {
	const {mtimeNs} = await handle.stat({bigint: true});
	if (mtimeNs / 1000n > before / 1000n) return;
	// Adds half a microsecond, because `utimes` takes seconds as a double and truncates them to
	// nanoseconds.
	const seconds = (Number(before / 1000n + 1n) + 0.5) / 1e6;
	await handle.utimes(seconds, seconds);
};

/**
 * Writes a file atomically: readers see either the old or the new bytes, even after a full disk, a
 * kill or a power failure. Keeps the mode, advances `last_modified` by at least 1 µs, and leaves no
 * temporary file behind on an error.
 */
export const writeAtomically = async (
	target: string,
	bytes: Uint8Array,
	old: BigIntStats | null,
): Promise<BigIntStats> => {
	await replaceWhole(target, bytes, {
		mode: old === null ? undefined : Number(old.mode & 0o777n),
		newMode: NEW_FILE,
		draft: join(dirname(target), `.svc-${randomBytes(8).toString('hex')}.tmp`),
		prepare: async handle => (old === null ? undefined : growTime(handle, old.mtimeNs)),
	});
	return lstat(target, {bigint: true});
};

/**
 * Removes temporary files that a killed service left behind. Call only while no file is being
 * written.
 * @returns the number of removed files.
 */
export const sweepTemps = async (root: string): Promise<number> => {
	let removed = 0;
	const waiting = [root];
	for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
		// Entries that cannot be read or removed now are handled at the next start.
		for (const entry of await readdir(folder, {withFileTypes: true}).catch(() => [])) {
			const path = join(folder, entry.name);
			if (entry.isDirectory()) waiting.push(path);
			else if (entry.isFile() && isTemp(entry.name))
				await rm(path).then(
					() => removed++,
					() => undefined,
				);
		}
	}
	return removed;
};
