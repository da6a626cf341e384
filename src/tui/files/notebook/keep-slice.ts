import {notebookText} from '../../../text/notebook/written.ts';
import {label} from '../../../text/safe.ts';
import {messageOf} from '../../../text/errors.ts';
import type {Slice} from '../../core/program.ts';
import type {Deps} from '../../core/store/deps.ts';
import {contentOf, keyOf, type ServerFile} from '../content.ts';
import {asSaved, hasChanges, type OpenNotebook} from './open-notebook.ts';

export type KeptNotebooksSlice = {
	/** What nobody has saved is kept beside the file, never in it. `isAnew`: the file holds another text than the copy says. */
	keepNotebook(file: ServerFile, isAnew?: boolean): Promise<void>;
};

export const createKeptNotebooksSlice =
	({keepCopy, saver}: Deps): Slice<KeptNotebooksSlice> =>
	(_, get) => {
		const openOf = (file: ServerFile): OpenNotebook | undefined => get().notebooks.get(keyOf(file));

		let hasFailed = false;
		const cannotKeep = (path: string, error: unknown): void => {
			if (!hasFailed)
				get().notify(
					'bad',
					`What you change in ${label(path, 200)} cannot be kept on disk until it is saved: ${messageOf(error)}`,
				);
			hasFailed = true;
		};
		const drafts = saver?.(() => {
			for (const open of get().notebooks.values()) {
				if (open.copy === null || !hasChanges(open)) continue;
				let isBehind = false;
				try {
					open.copy.write(notebookText(asSaved(open)));
				} catch (error) {
					isBehind = true;
					cannotKeep(open.path, error);
				}
				if (isBehind !== open.isCopyBehind) get().putNotebook({...open, isCopyBehind: isBehind});
			}
		});
		const copying = new Set<string>();
		/** A copy of what is unsaved, which takes the place of the one before it. */
		const makeCopy = async (open: OpenNotebook, make: NonNullable<typeof keepCopy>): Promise<void> => {
			const id = keyOf(open);
			const {server, path, base} = open;
			copying.add(id);
			try {
				const copy = await make({
					text: contentOf(base),
					name: path,
					isNew: false,
					about: {what: 'file', server, path},
				});
				const now = openOf(open);
				try {
					if (now !== undefined) copy.write(notebookText(asSaved(now)));
				} catch (error) {
					copy.discard();
					throw error;
				}
				if (now === undefined || !hasChanges(now)) return copy.discard();
				get().changeNotebook(open, () => ({copy, isCopyBehind: false}));
				now.copy?.discard();
			} catch (error) {
				cannotKeep(path, error);
			} finally {
				copying.delete(id);
			}
		};
		return {
			async keepNotebook(file, isAnew = false) {
				const open = openOf(file);
				if (open === undefined || keepCopy === undefined) return;
				if (!hasChanges(open)) {
					open.copy?.discard();
					if (open.copy !== null) get().changeNotebook(file, () => ({copy: null}));
					return;
				}
				if ((open.copy === null || isAnew) && !copying.has(keyOf(file))) await makeCopy(open, keepCopy);
				drafts?.changed();
			},
		};
	};
