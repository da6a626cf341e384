import {existsSync, mkdirSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {joinNames} from '../../../text/join-names.ts';
import {megabytes} from '../../../text/size.ts';
import {StartError} from '../../engine.ts';
import type {DownloadOptions} from './download.ts';
import {readLock, type Lock, type LockedFile} from './lock.ts';

/** Maximum number of concurrent downloads. */
const AT_ONCE = 4;

export type PackageStoreOptions = {
	/** Folder for the files, shared by all servers. Created before the first download. */
	readonly folder: string;
	/** Lock file, which contains the hashes of the files. */
	readonly lockFile: string;
	/** URL of the folder that contains the files. */
	readonly source: URL;
	readonly proxyEnv: Readonly<Record<string, string | undefined>>;
};

/** Running download of a file, with its progress in bytes. `total` is null while it is unknown. */
type Transfer = {readonly done: Promise<void>; received: number; total: number | null};

export type PackageStore = {
	readonly folder: string;
	readonly source: URL;
	readonly lock: () => Lock;
	/** Creates the folder. @throws {StartError} if that fails. */
	prepare(): void;
	missing(files: readonly LockedFile[]): readonly LockedFile[];
	/** Path of a file, even if it has not been downloaded. */
	pathOf(file: LockedFile): string;
	/** Total size of the files that have been downloaded, in bytes. */
	sizeHere(files: readonly LockedFile[]): number;
	/**
	 * Total size of the files on the server, in bytes. Null if the server does not state the size
	 * of each.
	 */
	sizeThere(files: readonly LockedFile[]): Promise<number | null>;
	/**
	 * Downloads missing files. Concurrent callers share a download.
	 * @throws {StartError} with the reason as a sentence. Files that are already complete are not
	 * removed.
	 */
	ensure(files: readonly LockedFile[], onProgress?: (text: string) => void): Promise<void>;
	/** Aborted when `close` is called. */
	readonly signal: AbortSignal;
	/** Ends all downloads. */
	close(): void;
};

/** Local store of the packages in Pyodide's distribution. */
export const createPackageStore = (options: PackageStoreOptions): PackageStore => {
	const {folder, lockFile, source, proxyEnv} = options;
	const life = new AbortController();
	const transfers = new Map<string, Transfer>();
	let read: Lock | undefined;
	// Files of an index are stored by their hash, because two indexes may have different files with
	// the same name.
	const pathOf = ({file, sha256, url}: LockedFile): string =>
		url === undefined ? join(folder, file) : join(folder, sha256.slice(0, 16), file);
	const urlOf = ({file, url}: LockedFile): URL => url ?? new URL(encodeURIComponent(file), source);
	const missing: PackageStore['missing'] = files => files.filter(file => !existsSync(pathOf(file)));

	// Imported on first use, because it loads the HTTP client.
	const download = async (options: DownloadOptions): Promise<void> =>
		(await import('./download.ts')).downloadFile(options);
	const transfer = (file: LockedFile, onBytes: () => void): Transfer => {
		const target = pathOf(file);
		const known = transfers.get(target);
		if (known) return known;
		const started: {-readonly [Key in keyof Transfer]: Transfer[Key]} = {
			done: Promise.resolve(),
			received: 0,
			total: null,
		};
		mkdirSync(dirname(target), {recursive: true, mode: 0o700});
		started.done = download({
			url: urlOf(file),
			target,
			isIndexed: file.url !== undefined,
			sha256: file.sha256,
			proxyEnv,
			signal: life.signal,
			onBytes(received, total) {
				started.received = received;
				started.total = total;
				onBytes();
			},
		}).finally(() => transfers.delete(target));
		transfers.set(target, started);
		return started;
	};

	const prepare = (): void => {
		try {
			mkdirSync(folder, {recursive: true, mode: 0o700});
		} catch (error) {
			throw new StartError(`The folder ${folder} for packages cannot be created.`, {cause: error});
		}
	};

	return {
		folder,
		prepare,
		source,
		lock: () => (read ??= readLock(lockFile)),
		missing,
		pathOf,
		sizeHere: files =>
			files.reduce((sum, file) => sum + (statSync(pathOf(file), {throwIfNoEntry: false})?.size ?? 0), 0),
		async sizeThere(files) {
			const {sizeOf} = await import('./download.ts');
			const sizes = await Promise.all(
				files.map(file => sizeOf(urlOf(file), {proxyEnv, signal: life.signal})),
			);
			return sizes.every(size => size !== null) ? sizes.reduce((sum, size) => sum + size, 0) : null;
		},
		async ensure(files, onProgress) {
			const wanted = [...missing(files)];
			if (wanted.length === 0) return;
			prepare();
			const {length} = wanted;
			const wantedFrom = joinNames([...new Set(wanted.map(file => urlOf(file).host))]);
			const running = new Map<string, Transfer>();
			let finished = 0;
			let bytes = 0;
			const report = (): void => {
				const now = [...running.values()].reduce((sum, {received}) => sum + received, bytes);
				onProgress?.(
					`Downloading packages from ${wantedFrom}: ${finished} of ${length} files, ${megabytes(now)}`,
				);
			};
			report();
			const next = async (): Promise<void> => {
				for (let file = wanted.shift(); file !== undefined; file = wanted.shift()) {
					const active = transfer(file, report);
					running.set(pathOf(file), active);
					await active.done;
					running.delete(pathOf(file));
					bytes += active.received;
					finished++;
					report();
				}
			};
			await Promise.all(Array.from({length: Math.min(AT_ONCE, length)}, next));
		},
		signal: life.signal,
		close: () => life.abort(),
	};
};
