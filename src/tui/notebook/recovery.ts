import {notebookPieces, notebookText} from '../../text/notebook/serialize.ts';
import {label} from '../../text/safe.ts';
import {messageOf} from '../../text/errors.ts';
import type {RecoveryCopy} from '../core/store/deps.ts';
import {contentOf, keyOf, type ServerFile} from '../files/content.ts';
import {asSaved, hasChanges, type OpenNotebook} from './open-notebook.ts';
import {part, type App} from '../core/app.ts';
import {notices} from '../core/store/notices.ts';
import {notebookList} from './notebooks.ts';

export type NotebookRecovery = {
	/**
	 * Writes unsaved changes to a recovery copy, never to the file. `isAnew`: makes a new copy,
	 * because the file has changed since the old one was made.
	 */
	keepNotebook(file: ServerFile, isAnew?: boolean): Promise<void>;
	/**
	 * Writes a recovery copy that replaces one from an earlier run. The earlier copy stays if the
	 * new one cannot be written.
	 */
	replaceCopy(file: ServerFile, earlier: Pick<RecoveryCopy, 'discard'>): Promise<void>;
	/** Removes the recovery copies from disk, including a copy that is being written. */
	discardCopies(file: ServerFile): void;
};

export const notebookRecovery = part(
	'notebookRecovery',
	({get, deps: {keepCopy, saver}}: App): NotebookRecovery => {
		const openOf = (file: ServerFile): OpenNotebook | undefined => get().notebooks.get(keyOf(file));

		let hasFailed = false;
		const cannotKeep = (path: string, error: unknown): void => {
			if (!hasFailed)
				notices(get).notify(
					'bad',
					`No recovery copy of ${label(path, 200)} can be written: ${messageOf(error)}. Save often`,
				);
			hasFailed = true;
		};
		/** Records the result of writing a copy, unless the notebook has another copy by now. */
		const wrote = (open: OpenNotebook, copy: RecoveryCopy, isBehind: boolean): void => {
			const now = openOf(open);
			if (now?.copy === copy && now.isCopyBehind !== isBehind)
				notebookList(get).changeNotebook(open, () => ({isCopyBehind: isBehind}));
		};
		const changedOnes = (): readonly (readonly [OpenNotebook, RecoveryCopy])[] =>
			[...get().notebooks.values()].flatMap(open =>
				open.copy === null || !hasChanges(open) ? [] : [[open, open.copy] as const],
			);
		const drafts = saver?.(
			() => {
				for (const [open, copy] of changedOnes()) {
					let isBehind = false;
					const landed = notebookList(get).records.landing(open);
					try {
						copy.write(notebookText(asSaved(open)));
						landed();
					} catch (error) {
						isBehind = true;
						cannotKeep(open.path, error);
					}
					wrote(open, copy, isBehind);
				}
			},
			{
				async behind() {
					for (const [open, copy] of changedOnes()) {
						let isBehind = false;
						const landed = notebookList(get).records.landing(open);
						try {
							if (await copy.writeBehind(notebookPieces(asSaved(open)))) landed();
						} catch (error) {
							isBehind = true;
							cannotKeep(open.path, error);
						}
						wrote(open, copy, isBehind);
					}
				},
			},
		);
		const copying = new Map<string, Promise<unknown>>();
		/** Copies that are being written, by notebook. */
		const unfinished = new Map<string, RecoveryCopy>();
		/**
		 * Writes a new copy of the unsaved changes, which replaces the previous copy. True if newer
		 * changes need one more copy.
		 */
		const makeCopy = async (
			open: OpenNotebook,
			make: NonNullable<typeof keepCopy>,
		): Promise<boolean | void> => {
			const copy = await make({
				text: contentOf(open.base),
				name: open.path,
				isNew: false,
				about: {what: 'file', server: open.server, path: open.path},
			});
			unfinished.set(keyOf(open), copy);
			const first = openOf(open);
			if (first === undefined) return copy.discard();
			const isFirst = first.copy === null;
			// Registers the copy before its first write, so that the program writes it at once if
			// it ends now.
			if (isFirst) notebookList(get).changeNotebook(open, () => ({copy, isCopyBehind: true}));
			/** True if the notebook no longer uses this copy, because it was saved or discarded. */
			const isTaken = (): boolean => isFirst && openOf(open)?.copy !== copy;
			const discard = (): void => {
				copy.discard();
				if (isFirst) notebookList(get).changeNotebook(open, () => ({copy: null}));
			};
			const landed = notebookList(get).records.landing(open);
			let isWritten: boolean;
			try {
				isWritten = await copy.writeBehind(notebookPieces(asSaved(first)));
			} catch (error) {
				if (!isTaken()) discard();
				throw error;
			}
			const now = openOf(open);
			if (isTaken()) return now !== undefined && now.copy === null && hasChanges(now);
			if (now === undefined || !hasChanges(now)) return discard();
			if (now.base !== open.base) {
				// The file was saved during the write. The copy refers to the old file content, so
				// a later run would take the saved file for someone else's change.
				discard();
				return true;
			}
			if (isWritten) landed();
			notebookList(get).changeNotebook(open, () => ({copy, isCopyBehind: false}));
			if (now.copy !== copy) now.copy?.discard();
		};
		return {
			async keepNotebook(file, isAnew = false) {
				const open = openOf(file);
				if (open === undefined || keepCopy === undefined) return;
				if (!hasChanges(open)) {
					notebookList(get).records.landing(open)();
					notebookRecovery(get).discardCopies(file);
					if (open.copy !== null) notebookList(get).changeNotebook(file, () => ({copy: null}));
					return;
				}
				const id = keyOf(file);
				let isDue: boolean | void = false;
				if (copying.has(id)) await copying.get(id);
				else if (open.copy === null || isAnew) {
					const made = makeCopy(open, keepCopy)
						.catch((error: unknown) => cannotKeep(open.path, error))
						.finally(() => {
							copying.delete(id);
							unfinished.delete(id);
						});
					copying.set(id, made);
					isDue = await made;
				}
				drafts?.changed();
				if (isDue) await notebookRecovery(get).keepNotebook(file, true);
			},
			async replaceCopy(file, earlier) {
				await notebookRecovery(get).keepNotebook(file);
				const now = openOf(file);
				// A notebook without changes needs no copy, so the earlier copy can go too.
				if (now !== undefined && (now.copy !== null || !hasChanges(now))) earlier.discard();
			},
			discardCopies(file) {
				openOf(file)?.copy?.discard();
				unfinished.get(keyOf(file))?.discard();
			},
		};
	},
);
