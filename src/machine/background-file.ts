import {rmSync} from 'node:fs';
import {writeAtOnce, writeInPieces} from './atomic-write.ts';

/** A frequently written file. Writes are atomic, and never replace a newer text by an older one. */
export type BackgroundFile = {
	/** Synchronous, for exits and writes that must come first. @throws Node's error on failure. */
	writeNow(text: string): void;
	/** Writes in the background. Settles once written or outdated. Rejects with Node's error. */
	write(pieces: Iterable<string>): Promise<void>;
	/** Stops all later writes. Settles when no write is running. */
	drop(): Promise<void>;
};

/** Suffix of files that a killed program may leave. */
export const HALF_WRITTEN = /\.\d+\.(?:part|tmp)$/;

export const openBackgroundFile = (file: string): BackgroundFile => {
	const part = `${file}.${process.pid}.part`;
	let newest = 0;
	let running = Promise.resolve();
	return {
		writeNow(text) {
			newest++;
			writeAtOnce(file, text);
			rmSync(part, {force: true});
		},
		async write(pieces) {
			const mine = ++newest;
			const isNewest = (): boolean => mine === newest;
			const before = running;
			const own = (async () => {
				await before;
				if (isNewest()) await writeInPieces(file, pieces, {draft: part, isWanted: isNewest});
			})();
			running = own.catch(() => {});
			await own;
		},
		async drop() {
			newest++;
			await running;
		},
	};
};
