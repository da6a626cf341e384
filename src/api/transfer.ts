// Copies files between this machine and a server. Callers provide the access to local files.
import {foldedName, isDotfile, nameOf, namesOf, parentOf} from '../contract/paths.ts';
import type {Client} from './client-types.ts';
import type {Reply} from './failure.ts';
import {bytesOf, sendBytes} from './file-bytes.ts';
import {filesBelow, childrenOf} from './file-tree.ts';
import {messageOf} from '../text/errors.ts';

/** A file to copy. `path`: its destination, as shown to the user. */
export type TransferItem = {
	readonly path: string;
	/** Size in bytes. Null if unknown. */
	readonly bytes: number | null;
	isThere(): Promise<boolean>;
	/** True if moving this replaces a hidden local file, which needs the user's consent. */
	readonly needsAsking?: boolean;
	/** Copies the file. Resolves to the number of bytes, or to the reason why that failed. */
	move(): Promise<{readonly bytes: number} | {readonly why: string}>;
};

export type TransferProgress = {
	readonly total: number;
	readonly done: number;
	readonly bytes: number;
	readonly current: string | null;
};

export type TransferReport = {
	readonly moved: {readonly path: string; readonly bytes: number}[];
	readonly skipped: string[];
	readonly failed: {readonly path: string; readonly why: string}[];
	/** True if stopped before the last file. */
	readonly stopped: boolean;
};

/**
 * Decision on a file that exists. `why`: reason to count the file as failed, because the user could
 * not be asked.
 */
export type Choice = 'overwrite' | 'skip' | 'stop' | {readonly why: string};

type Options = {
	readonly decide: (item: TransferItem) => Choice | Promise<Choice>;
	readonly onProgress: (progress: TransferProgress) => void;
	readonly signal: AbortSignal;
};

export const moveAll = async (
	items: readonly TransferItem[],
	{decide, onProgress, signal}: Options,
): Promise<TransferReport> => {
	const report: TransferReport = {moved: [], skipped: [], failed: [], stopped: false};
	let bytes = 0;
	for (const [done, item] of items.entries()) {
		if (signal.aborted) break;
		onProgress({total: items.length, done, bytes, current: item.path});
		const choice = (await item.isThere()) ? await decide(item) : 'overwrite';
		if (choice === 'stop' || signal.aborted) return {...report, stopped: true};
		if (choice === 'skip') {
			report.skipped.push(item.path);
			continue;
		}
		const moved = typeof choice === 'object' ? choice : await item.move();
		if (signal.aborted && 'why' in moved) return {...report, stopped: true};
		if ('why' in moved) report.failed.push({path: item.path, why: moved.why});
		else {
			bytes += moved.bytes;
			report.moved.push({path: item.path, bytes: moved.bytes});
		}
	}
	onProgress({total: items.length, done: items.length, bytes, current: null});
	return {...report, stopped: signal.aborted};
};

type On = {readonly client: Client; readonly server: string; readonly signal: AbortSignal};
type Local = {readonly file: string; readonly path: string; readonly bytes: number};

/** Local files to move below a folder of the server (`''`: the root). Lists each folder once. */
export const uploadItems = (
	{client, server, signal}: On,
	files: readonly Local[],
	folder: string,
	read: (file: string) => Promise<Buffer>,
): readonly TransferItem[] => {
	const folders = new Map<string, Promise<ReadonlySet<string> | null>>();
	const listed = (path: string): Promise<ReadonlySet<string> | null> => {
		const asked =
			folders.get(path) ??
			client.getFile(server, path, {signal}).then(async reply => {
				// A service that cannot list folders may respond with the same failure for an
				// existing folder.
				if (!reply.ok)
					return reply.failure.kind === 'not-found' && path !== '' && (await listed('')) !== null
						? new Set<string>()
						: null;
				return reply.value.type === 'directory'
					? new Set(childrenOf(reply.value, path).map(leaf => leaf.name))
					: null;
			});
		folders.set(path, asked);
		return asked;
	};
	return files.map(({file, path: below, bytes}): TransferItem => {
		const path = folder === '' ? below : `${folder}/${below}`;
		return {
			path,
			bytes,
			async isThere() {
				const names = await listed(parentOf(path));
				return names ? names.has(nameOf(path)) : (await client.getFile(server, path, {signal})).ok;
			},
			async move() {
				try {
					const content = await read(file);
					const reply = await sendBytes(client, server, path, content, {signal});
					return reply.ok ? {bytes: content.length} : {why: reply.failure.message};
				} catch (error) {
					return {why: messageOf(error)};
				}
			},
		};
	});
};

/** Local destination folder. Paths are relative to it. */
type DownloadTarget = {
	/** Reason why a file or folder must not be written, as a sentence. */
	readonly refusal: (path: string) => string | undefined;
	readonly isThere: (path: string) => Promise<boolean>;
	readonly holds: (path: string, bytes: Uint8Array) => Promise<boolean>;
	/** Writes a file. @throws {Error} with a sentence if that fails. */
	readonly write: (path: string, bytes: Uint8Array) => Promise<void>;
};

/**
 * Folders that these files would turn into a bare git repository. The configuration of such a
 * repository can name commands, which git runs. git does not recognise a repository without `HEAD`.
 */
const bareRepositories = (paths: readonly string[]): ReadonlySet<string> => {
	const beside = new Map<string, Set<string>>();
	for (const path of paths)
		for (const [at, name] of namesOf(path).entries()) {
			const folder = namesOf(path).slice(0, at).join('/');
			beside.set(folder, (beside.get(folder) ?? new Set()).add(foldedName(name)));
		}
	const isRepository = (names: ReadonlySet<string>): boolean =>
		names.has('head') && (names.has('commondir') || (names.has('objects') && names.has('refs')));
	return new Set([...beside].filter(([, names]) => isRepository(names)).map(([folder]) => folder));
};

/** A file of the server, or all files below a folder. Paths start with the folder's name. */
export const downloadItems = async (
	{client, server, signal}: On,
	path: string,
	{refusal, isThere, holds, write}: DownloadTarget,
): Promise<Reply<readonly TransferItem[]>> => {
	const first = await client.getFile(server, path, {signal});
	if (!first.ok) return first;
	const name = nameOf(path);
	const refused = (below: string, why: string): TransferItem => ({
		path: below,
		bytes: null,
		isThere: async () => false,
		move: async () => ({why}),
	});
	const item = (from: string, below: string, bytes: number | null, known?: typeof first): TransferItem => {
		let fetched: ReturnType<typeof fetchOnce> | undefined;
		const fetchOnce = async (): Promise<Buffer | {readonly why: string}> => {
			const reply = known ?? (await client.getFile(server, from, {signal}));
			if (!reply.ok) return {why: reply.failure.message};
			const content = bytesOf(reply.value);
			return typeof content === 'string' ? {why: `its content cannot be read: ${content}`} : content;
		};
		const needsAsking = isDotfile(below);
		return {
			path: below,
			bytes,
			needsAsking,
			async isThere() {
				if (!(await isThere(below))) return false;
				if (!needsAsking) return true;
				// If the file would not change, the user need not be asked.
				const content = await (fetched ??= fetchOnce());
				return Buffer.isBuffer(content) && !(await holds(below, content));
			},
			async move() {
				try {
					const fetching = fetched ?? fetchOnce();
					// Released, because the items of a large folder exist longer than their
					// transfer, but their content must not.
					fetched = undefined;
					const content = await fetching;
					if (!Buffer.isBuffer(content)) return content;
					await write(below, content);
					return {bytes: content.length};
				} catch (error) {
					return {why: messageOf(error)};
				}
			},
		};
	};
	const why = name === '' ? undefined : refusal(name);
	if (why !== undefined) return {ok: true, value: [refused(name, why)]};
	if (first.value.type !== 'directory') return {ok: true, value: [item(path, name, null, first)]};
	const from = (below: string): string => (name === '' ? below : `${name}/${below}`);
	const {files, missed} = await filesBelow(
		client,
		server,
		{path, entry: first.value},
		{signal, refusal: below => refusal(from(below))},
	);
	const bare = bareRepositories(files.map(leaf => from(leaf.below)));
	const fileItem = (leaf: (typeof files)[number]): TransferItem => {
		const below = from(leaf.below);
		return foldedName(nameOf(below)) === 'head' && bare.has(parentOf(below))
			? refused(
					below,
					'it was not written: with the files beside it, git would take the folder for a repository, whose config can run commands.',
				)
			: item(leaf.path, below, leaf.size);
	};
	return {
		ok: true,
		value: [...files.map(fileItem), ...missed.map(({below, why: reason}) => refused(from(below), reason))],
	};
};

/** Summary of a transfer, as in `3 files uploaded, 2 skipped, 1 failed: a.bin (…)`. */
export const transferText = (
	{moved, skipped, failed, stopped}: TransferReport,
	done: 'uploaded' | 'downloaded',
): string => {
	const files = (count: number): string => `${count} file${count === 1 ? '' : 's'}`;
	const bytes = moved.reduce((sum, each) => sum + each.bytes, 0);
	const [first] = failed;
	return [
		`${files(moved.length)} ${done}, ${bytes.toLocaleString('en')} bytes`,
		...(skipped.length > 0
			? [`${skipped.length} left as ${skipped.length === 1 ? 'it is' : 'they are'}`]
			: []),
		...(first
			? [
					`${failed.length} failed: ${first.path}: ${first.why}${failed.length > 1 ? ` (and ${failed.length - 1} more)` : ''}`,
				]
			: []),
		...(stopped ? ['stopped before the end'] : []),
	].join('; ');
};
