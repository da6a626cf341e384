import type {ServiceStorage} from './service-storage.ts';
import {isRecord} from '../text/record.ts';

/** State of a file on the server when it was last compared or sent. */
export type SyncedFile = {
	/** SHA-256 in hex. */
	readonly hash: string;
	/** Values from the service. While they are equal, the file counts as unchanged. */
	readonly size: number | null;
	readonly modified: string;
};

/** State of each file, by path relative to the synced folder. */
export type SyncedFiles = Map<string, SyncedFile>;

const syncedIn = (value: unknown): SyncedFiles | null => {
	if (!isRecord(value) || !isRecord(value['files'])) return null;
	return new Map(
		Object.entries(value['files']).flatMap(([path, each]) => {
			const {hash, size, modified} = isRecord(each) ? each : {};
			return typeof hash === 'string' &&
				(size === null || typeof size === 'number') &&
				typeof modified === 'string'
				? [[path, {hash, size, modified}] as const]
				: [];
		}),
	);
};

/** Index of one folder of a server. Only a cache: without it, each file is read again. */
export const openSyncIndex = (
	keeper: ServiceStorage,
	server: string,
	path: string,
): {readonly files: SyncedFiles; save(of: readonly string[]): void} => {
	const file = keeper.fileOf('synced', server, path);
	const read = (): SyncedFiles | null => {
		try {
			return keeper.read(file, syncedIn);
		} catch {
			return null;
		}
	};
	const files = read() ?? new Map<string, SyncedFile>();
	return {
		files,
		save(of) {
			const known = of.flatMap(path => {
				const each = files.get(path);
				return each ? [[path, each] as const] : [];
			});
			try {
				keeper.write(file, {files: Object.fromEntries(known)});
			} catch {
				// Ignored: without the index, the next run only reads the files again.
			}
		},
	};
};
