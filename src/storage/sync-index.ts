import type {ServiceStorage} from './service-storage.ts';
import {isRecord} from '../text/record.ts';

/** What a file of a server held when it was last compared or sent. */
export type SyncedFile = {
	/** SHA-256 in hex. */
	readonly hash: string;
	/** As the service said them then: as long as it says the same, the file is the same. */
	readonly size: number | null;
	readonly modified: string;
};

/** By path from the folder that is kept in step. */
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

/** Of one folder of a server. It only saves time: without it each file is read there again. */
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
				// A full disk costs only the time of reading them there again.
			}
		},
	};
};
