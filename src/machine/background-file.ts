import {rmSync} from 'node:fs';
import {writeAtOnce, writeInPieces} from './atomic-write.ts';

/** A file of our own that is written again and again. Whoever reads it finds one whole text, as with `writeAtOnce`, and never an older one after a newer. */
export type BackgroundFile = {
	/** While the program ends, or where nothing may come before it. @throws Node's error */
	writeNow(text: string): void;
	/** While other work goes on, one at a time. Settles when it stands there, or need not any more. Rejects with Node's error. */
	write(pieces: Iterable<string>): Promise<void>;
	/** Nothing is written from now on. Settles when nothing is being written. */
	drop(): Promise<void>;
};

/** How a name ends that a killed program may leave beside such a file. */
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
