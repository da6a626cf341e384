import {join} from 'node:path';
import {openBackgroundFile, type BackgroundFile} from '../machine/background-file.ts';
import {ORIGINAL_FILE, newFolder, type EditCopy, type EditRequestOptions} from './unsaved-edits.ts';
import type {ServiceStorage} from './service-storage.ts';

/**
 * Creates a recovery copy of a text that is edited in this program. The copy is offered to the user
 * only after the first write.
 */
export const makeRecoveryCopy = (
	keeper: ServiceStorage,
	wanted: EditRequestOptions,
): Omit<EditCopy, 'read'> & {
	/** Writes synchronously. @throws Node's error if that fails. */
	write(text: string): void;
	/**
	 * Writes in the background; the newest text wins. True once this text or a newer one is on
	 * disk, false if the copy was discarded. Rejects with Node's error.
	 */
	writeBehind: BackgroundFile['write'];
	/** Releases ownership, so that another process may take over the copy. */
	release(): void;
	/** Records the new path of the edited file. */
	moved(path: string): void;
} => {
	const {path, folder, discard, leave, release, moved, write: tellOf} = newFolder(keeper, wanted);
	tellOf({});
	const [before, now] = [openBackgroundFile(join(folder, ORIGINAL_FILE)), openBackgroundFile(path)];
	/** Original text. Null once it is written. */
	let base: string | null = wanted.text;
	let begun: Promise<void> | null = null;
	const begin = async (text: string): Promise<void> => {
		try {
			await before.write([text]);
			base = null;
		} finally {
			begun = null;
		}
	};
	let newest = 0;
	/** Outcome of the newest write. */
	let latest = Promise.resolve(false);
	return {
		...{path, leave, release, moved},
		write(text) {
			newest++;
			latest = Promise.resolve(false);
			if (base !== null) before.writeNow(base);
			base = null;
			now.writeNow(text);
			latest = Promise.resolve(true);
		},
		writeBehind(pieces) {
			const mine = ++newest;
			const ready = base === null ? Promise.resolve() : (begun ??= begin(base));
			latest = ready.then(() => (mine === newest ? now.write(pieces) : latest));
			return latest;
		},
		discard() {
			newest++;
			latest = Promise.resolve(false);
			const areOver = Promise.all([before.drop(), now.drop()]);
			try {
				discard();
			} catch {
				// A file that is being created may remain. The next start ignores it.
			}
			void areOver.then(discard).catch(() => {});
		},
	};
};
