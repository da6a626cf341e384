import {stat} from 'node:fs/promises';
import {writeLocal} from '../../machine/local-file.ts';

/**
 * Pause between two writes: at least this many ms, and `SHARE` times the duration of the last
 * write.
 */
const PAUSE_MS = 1000;
const SHARE = 20;

/**
 * Writes a notebook to a file while its cells run, so that a killed command leaves the results so
 * far. `text`: returns the notebook in its current state.
 */
export const createNotebookFile = async (file: string, text: () => string) => {
	// Only a regular file is written repeatedly. A pipe or device is written once, at the end.
	const isKept = (await stat(file).catch(() => null))?.isFile() ?? true;
	let timer: NodeJS.Timeout | undefined;
	let writing = Promise.resolve();
	let restUntil = 0;
	const write = async (): Promise<void> => writeLocal(file, Buffer.from(text()));
	const writeSoFar = async (): Promise<void> => {
		const from = Date.now();
		// Ignored, because an error that persists is reported by the write at the end.
		await write().catch(() => {});
		restUntil = Date.now() + Math.max(PAUSE_MS, SHARE * (Date.now() - from));
	};
	return {
		/** Called when a cell has ended. */
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
		/** Writes the finished notebook. @throws {LocalFileError} if that fails. */
		async end(): Promise<void> {
			clearTimeout(timer);
			await writing;
			await write();
		},
	};
};
