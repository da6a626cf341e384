import {stat} from 'node:fs/promises';
import {writeLocal} from '../../machine/local-file.ts';

/** Milliseconds between two writes: a second, and so many times what one took. */
const PAUSE_MS = 1000;
const SHARE = 20;

/** The file that a notebook is written to while its cells run, so that a command that is killed leaves what came. `text`: the notebook as it is then. */
export const createNotebookFile = async (file: string, text: () => string) => {
	// A pipe or a device takes it once.
	const isKept = (await stat(file).catch(() => null))?.isFile() ?? true;
	let timer: NodeJS.Timeout | undefined;
	let writing = Promise.resolve();
	let restUntil = 0;
	const write = async (): Promise<void> => writeLocal(file, Buffer.from(text()));
	const writeSoFar = async (): Promise<void> => {
		const from = Date.now();
		// What cannot be written now is said at the end, if it cannot be then.
		await write().catch(() => {});
		restUntil = Date.now() + Math.max(PAUSE_MS, SHARE * (Date.now() - from));
	};
	return {
		/** A cell has ended. */
		changed(): void {
			if (!isKept) return;
			timer ??= setTimeout(
				() => {
					timer = undefined;
					writing = writing.then(writeSoFar);
				},
				Math.max(0, restUntil - Date.now()),
			).unref();
		},
		/** @throws {LocalFileError} */
		async end(): Promise<void> {
			clearTimeout(timer);
			await writing;
			await write();
		},
	};
};
