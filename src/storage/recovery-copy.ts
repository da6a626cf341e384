import {join} from 'node:path';
import {openBackgroundFile, type BackgroundFile} from '../machine/background-file.ts';
import {ORIGINAL_FILE, newFolder, type EditCopy, type EditRequestOptions} from './unsaved-edits.ts';
import type {ServiceStorage} from './service-storage.ts';

/** As `makeEditCopy`, of a text that this program changes itself: it is offered once it was written. */
export const makeRecoveryCopy = (
	keeper: ServiceStorage,
	wanted: EditRequestOptions,
): Omit<EditCopy, 'read'> & {
	/** At once. @throws Node's error */
	write(text: string): void;
	/** While other work goes on; the newest wins, and what is not wanted any more is no error. Rejects with Node's error. */
	writeBehind: BackgroundFile['write'];
	/** It is nobody's from now on, as if this program had ended. */
	release(): void;
	/** The file that it belongs to has another path now. */
	moved(path: string): void;
} => {
	const {path, folder, discard, leave, release, moved, write: tellOf} = newFolder(keeper, wanted);
	tellOf({});
	const [before, now] = [openBackgroundFile(join(folder, ORIGINAL_FILE)), openBackgroundFile(path)];
	/** What was edited, until it is written. */
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
				// A file that was just being made may stay, and nothing tells of it any more.
			}
			void areOver.then(discard).catch(() => {});
		},
	};
};
