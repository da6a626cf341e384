// Moves files between this machine and a server, one after the other. What touches this machine is given to it.
import {nameOf, parentOf} from '../contract/paths.ts';
import type {Client} from './client-types.ts';
import type {Reply} from './failure.ts';
import {bytesOf, sendBytes} from './file-bytes.ts';
import {filesBelow, leavesOf} from './file-tree.ts';
import {messageOf} from '../text/errors.ts';

/** A file to be moved. `path` is where it goes, for people. */
export type TransferItem = {
	readonly path: string;
	/** Size as far as it is known before. */
	readonly bytes: number | null;
	/** Something is where it goes. */
	isThere(): Promise<boolean>;
	/** Answers how many bytes were moved, or why it was not. */
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
	/** Ended before all were looked at. */
	readonly stopped: boolean;
};

type Options = {
	/** What to do where something is there already. */
	readonly decide: (path: string) => 'overwrite' | 'skip' | 'stop' | Promise<'overwrite' | 'skip' | 'stop'>;
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
		const choice = (await item.isThere()) ? await decide(item.path) : 'overwrite';
		if (choice === 'stop' || signal.aborted) return {...report, stopped: true};
		if (choice === 'skip') {
			report.skipped.push(item.path);
			continue;
		}
		const moved = await item.move();
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

/** Files of this machine that go below a folder of the server, `''` being its root. What is there already is asked for once a folder. */
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
				// A service that lists no folders may answer the same to one that holds what would be overwritten.
				if (!reply.ok)
					return reply.failure.kind === 'not-found' && path !== '' && (await listed('')) !== null
						? new Set<string>()
						: null;
				return reply.value.type === 'directory'
					? new Set(leavesOf(reply.value).map(leaf => leaf.name))
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

type DownloadTarget = {
	/** Where a path below what is fetched goes. @throws {Error} with a sentence. */
	readonly placeOf: (below: string) => string;
	readonly isThere: (file: string) => Promise<boolean>;
	readonly write: (file: string, bytes: Uint8Array) => Promise<void>;
};

/** A file of the server, or all files below a folder, the folder's own name in front. */
export const downloadItems = async (
	{client, server, signal}: On,
	path: string,
	{placeOf, isThere, write}: DownloadTarget,
): Promise<Reply<readonly TransferItem[]>> => {
	const first = await client.getFile(server, path, {signal});
	if (!first.ok) return first;
	const name = nameOf(path);
	const item = (from: string, below: string, bytes: number | null, known?: typeof first): TransferItem => {
		const place = (): string => placeOf(below);
		return {
			path: below,
			bytes,
			async isThere() {
				try {
					return await isThere(place());
				} catch {
					// Reported when it is moved.
					return false;
				}
			},
			async move() {
				try {
					const reply = known ?? (await client.getFile(server, from, {signal}));
					if (!reply.ok) return {why: reply.failure.message};
					const content = bytesOf(reply.value);
					if (typeof content === 'string') return {why: `its content cannot be read: ${content}`};
					await write(place(), content);
					return {bytes: content.length};
				} catch (error) {
					return {why: messageOf(error)};
				}
			},
		};
	};
	if (first.value.type !== 'directory') return {ok: true, value: [item(path, name, null, first)]};
	const {files, missed} = await filesBelow(client, server, first.value, {signal});
	const from = (below: string): string => (name === '' ? below : `${name}/${below}`);
	return {
		ok: true,
		value: [
			...files.map(leaf => item(leaf.path, from(leaf.below), leaf.size)),
			...missed.map(({below, why}): TransferItem => ({
				path: from(below),
				bytes: null,
				isThere: async () => false,
				move: async () => ({why}),
			})),
		],
	};
};

/** What came of it, as a sentence: `3 files uploaded, 2 skipped, 1 not: a.bin (…)`. */
export const transferWords = (
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
					`${failed.length} not: ${first.path}: ${first.why}${failed.length > 1 ? ` (and ${failed.length - 1} more)` : ''}`,
				]
			: []),
		...(stopped ? ['stopped before the end'] : []),
	].join('; ');
};
