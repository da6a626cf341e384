import {access, constants, lstat, readdir} from 'node:fs/promises';
import {extname, sep} from 'node:path';
import type {BigIntStats} from 'node:fs';
import type {FileEntry} from '../contract/files.ts';
import {isReserved, type FolderRoot} from './folder-path.ts';
import type {ResolvedPath} from './folder-resolve.ts';

const mediaTypes: Readonly<Record<string, string>> = {
	'.txt': 'text/plain',
	'.log': 'text/plain',
	'.md': 'text/markdown',
	'.csv': 'text/csv',
	'.tsv': 'text/tab-separated-values',
	'.py': 'text/x-python',
	'.sh': 'text/x-sh',
	'.html': 'text/html',
	'.css': 'text/css',
	'.js': 'text/javascript',
	'.mjs': 'text/javascript',
	'.xml': 'text/xml',
	'.yaml': 'application/yaml',
	'.yml': 'application/yaml',
	'.toml': 'application/toml',
	'.json': 'application/json',
	'.ipynb': 'application/x-ipynb+json',
	'.pdf': 'application/pdf',
	'.zip': 'application/zip',
	'.gz': 'application/gzip',
	'.tar': 'application/x-tar',
	'.png': 'image/png',
	'.jpg': 'image/jpeg',
	'.jpeg': 'image/jpeg',
	'.gif': 'image/gif',
	'.webp': 'image/webp',
	'.svg': 'image/svg+xml',
	'.wav': 'audio/wav',
	'.mp3': 'audio/mpeg',
	'.mp4': 'video/mp4',
	'.parquet': 'application/vnd.apache.parquet',
};

const mediaType = (name: string): string | null => mediaTypes[extname(name).toLowerCase()] ?? null;

/**
 * Maximum time of a Date, in ms. File times may exceed it, and such a Date cannot be converted to
 * text.
 */
const LAST_MS = 8_640_000_000_000_000n;

/** Time in ISO 8601 (UTC) with microseconds, rounded down, as in Jupyter's API. */
export const isoMicros = (nanoseconds: bigint): string => {
	const micros = nanoseconds / 1000n - (nanoseconds % 1000n < 0n ? 1n : 0n);
	const below = ((micros % 1000n) + 1000n) % 1000n;
	const ms = (micros - below) / 1000n;
	const within = ms > LAST_MS ? LAST_MS : ms < -LAST_MS ? -LAST_MS : ms;
	return new Date(Number(within)).toISOString().replace('Z', `${below.toString().padStart(3, '0')}Z`);
};

/** Asks the operating system, which also considers the user, groups and read-only mounts. */
export const canWrite = (path: string | Buffer): Promise<boolean> =>
	access(path, constants.W_OK).then(
		() => true,
		() => false,
	);

// Names of the shared MIME database for entries that are not regular files.
const special = (stats: BigIntStats): string =>
	stats.isSymbolicLink()
		? 'inode/symlink'
		: stats.isFIFO()
			? 'inode/fifo'
			: stats.isSocket()
				? 'inode/socket'
				: stats.isBlockDevice()
					? 'inode/blockdevice'
					: 'inode/chardevice';

/**
 * Entry without content. `created` is effectively the time of the last save, because saving
 * replaces the file.
 */
export const entryOf = (names: readonly string[], stats: BigIntStats, writable: boolean): FileEntry => {
	const folder = stats.isDirectory();
	const regular = stats.isFile();
	const path = names.join('/');
	const name = names.at(-1) ?? '';
	return {
		name,
		path,
		serverPath: path,
		type: folder ? 'directory' : 'file',
		format: null,
		content: null,
		mimetype: folder ? null : regular ? mediaType(name) : special(stats),
		size: regular ? Number(stats.size) : null,
		// Some file systems report 0 as the creation time.
		created: isoMicros(stats.birthtimeNs > 0n ? stats.birthtimeNs : stats.ctimeNs),
		last_modified: isoMicros(stats.mtimeNs),
		writable: writable && (folder || regular),
	};
};

const collator = new Intl.Collator('en', {numeric: true});

/** Sort order of a listing: folders first, then by name. */
export const byName = (a: FileEntry, b: FileEntry): number =>
	Number(b.type === 'directory') - Number(a.type === 'directory') ||
	collator.compare(a.name, b.name) ||
	(a.name < b.name ? -1 : 1);

// Number of entries processed at once: enough to keep libuv's threads busy, and few enough for a
// folder of 100,000 files.
const BATCH = 64;

/**
 * Entries of a folder, folders first. Includes dotfiles, but not files that the service reserves
 * for itself.
 */
export const listFolder = async (
	root: FolderRoot,
	{target, names}: ResolvedPath,
): Promise<readonly FileEntry[]> => {
	const folderWritable = await canWrite(target);
	// Reads names as bytes, because a name that is not valid UTF-8 must still match the name on
	// disk.
	const found = (await readdir(target, {encoding: 'buffer'}))
		.map(bytes => ({bytes, name: bytes.toString()}))
		.filter(({name}) => !isReserved(name, names.length === 0, root));
	const entries: FileEntry[] = [];
	for (let at = 0; at < found.length; at += BATCH) {
		const batch = found.slice(at, at + BATCH).map(async ({bytes, name}) => {
			const path = Buffer.concat([Buffer.from(target + sep), bytes]);
			// A file may disappear between the two calls.
			const stats = await lstat(path, {bigint: true}).catch(() => null);
			if (stats === null) return [];
			const addressable = Buffer.from(name).equals(bytes);
			const writable =
				addressable &&
				!stats.isSymbolicLink() &&
				(stats.isDirectory() || folderWritable) &&
				(await canWrite(path));
			return [entryOf([...names, name], stats, writable)];
		});
		entries.push(...(await Promise.all(batch)).flat());
	}
	return entries.sort(byName);
};
