import {join} from 'node:path';
import {openBackgroundFile, type BackgroundFile} from '../machine/background-file.ts';
import {ORIGINAL_FILE, newFolder, type EditCopy, type EditRequestOptions} from './unsaved-edits.ts';
import type {ServiceStorage} from './service-storage.ts';

/** Recovery copy of a text that this program edits itself. Offered once it was written. */
export const makeRecoveryCopy = (
	keeper: ServiceStorage,
	wanted: EditRequestOptions,
): Omit<EditCopy, 'read'> & {
	/** Writes at once. @throws Node's error if that fails. */
	write(text: string): void;
	/** Writes in the background; the newest text wins. Rejects with Node's error. */
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
	return {
		...{path, leave, release, moved},
		write(text) {
			newest++;
			if (base !== null) before.writeNow(base);
			base = null;
			now.writeNow(text);
		},
		async writeBehind(pieces) {
			const mine = ++newest;
			if (base !== null) await (begun ??= begin(base));
			if (mine === newest) await now.write(pieces);
		},
		discard() {
			newest++;
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
