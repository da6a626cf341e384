import {rmSync} from 'node:fs';
import {writeAtOnce, writeInPieces} from './atomic-write.ts';

/**
 * A frequently written file. Writes are atomic, and never replace a newer text with an older one.
 */
export type BackgroundFile = {
	/** Synchronous, for exits and writes that must come first. @throws Node's error on failure. */
	writeNow(text: string): void;
	/**
	 * Writes in the background. True once this text or a newer one is on disk, false if the file
	 * was dropped. Rejects with Node's error.
	 */
	write(pieces: Iterable<string>): Promise<boolean>;
	/** Stops all later writes. Settles when no write is running. */
	drop(): Promise<void>;
};

/** Suffix of files that a killed program may leave. */
export const HALF_WRITTEN = /\.\d+\.(?:part|tmp)$/;

export const openBackgroundFile = (file: string): BackgroundFile => {
	const part = `${file}.${process.pid}.part`;
	let newest = 0;
	let running = Promise.resolve();
	/** Outcome of the newest write. */
	let latest = Promise.resolve(false);
	return {
		writeNow(text) {
			newest++;
			latest = Promise.resolve(false);
			writeAtOnce(file, text);
			latest = Promise.resolve(true);
			rmSync(part, {force: true});
		},
		write(pieces) {
			const mine = ++newest;
			const isNewest = (): boolean => mine === newest;
			const before = running;
			const own = (async () => {
				await before;
				return isNewest() && (await writeInPieces(file, pieces, {draft: part, isWanted: isNewest}));
			})();
			running = own.then(
				() => {},
				() => {},
			);
			latest = own.then(isWritten => isWritten || (!isNewest() && latest));
			return latest;
		},
		async drop() {
			newest++;
			latest = Promise.resolve(false);
			await running;
		},
	};
};
