import type {FileEntry} from '../../contract/files.ts';
import {notebookText} from '../../text/notebook/serialize.ts';
import {messageOf} from '../../text/errors.ts';
import {label} from '../../text/safe.ts';
import {contentOf, keyOf, type ServerFile} from '../files/content.ts';
import {asSaved, hasChanges, hasUnsavedWork, type OpenNotebook} from './open-notebook.ts';
import {part, type App} from '../core/app.ts';
import {notebookList} from './notebooks.ts';
import {fileSaving} from '../files/saving/saving.ts';
import {notices} from '../core/store/notices.ts';
import {notebookOpening} from './open.ts';
import {notebookRecovery} from './recovery.ts';

export type NotebookSaving = {
	saveNotebook(file: ServerFile): Promise<void>;
	/** Shows the changes that saving would make, and asks before saving. */
	reviewNotebook(file: ServerFile): Promise<void>;
	/** Called after a text was saved to the file. */
	notebookSaved(file: ServerFile, entry: FileEntry, text: string): void;
	/** Called when the user has chosen the file's content instead of the edited text. */
	notebookLeft(file: ServerFile): void;
};

export const notebookSaving = part('notebookSaving', ({get}: App): NotebookSaving => {
	const openOf = (file: ServerFile): OpenNotebook | undefined => get().notebooks.get(keyOf(file));
	/** Returns the text to save, and records it in the notebook's `sent`. */
	const sent = (open: OpenNotebook) => {
		const notebook = asSaved(open);
		const mine = notebookText(notebook);
		notebookList(get).changeNotebook(open, ({sent: before}) => ({sent: new Map(before).set(mine, notebook)}));
		return {server: open.server, path: open.path, base: open.base, mine};
	};
	return {
		async saveNotebook(file) {
			const open = openOf(file);
			if (open !== undefined) await fileSaving(get).saveText(sent(open));
		},
		async reviewNotebook(file) {
			const open = openOf(file);
			if (open === undefined) return;
			if (notebookText(asSaved(open)) === contentOf(open.base))
				return notices(get).notify('info', 'Saving would change nothing');
			await fileSaving(get).reviewText(sent(open));
		},
		notebookSaved(file, entry, text) {
			const open = openOf(file);
			if (open === undefined) return;
			const base: FileEntry = {...entry, path: file.path, format: 'text', content: text};
			const whole = asSaved(open);
			const isAll = notebookText(whole) === text;
			const saved = isAll ? whole : open.sent.get(text);
			if (saved === undefined) {
				// Another part of this program saved this text. Unsaved changes stay, and saving
				// them asks about the conflict.
				if (!hasUnsavedWork(open)) notebookOpening(get).takeNotebookFile(file, base);
				return;
			}
			const rest = new Map(isAll ? [] : open.sent);
			rest.delete(text);
			if (isAll) {
				notebookRecovery(get).discardCopies(file);
				notebookList(get).records.landing(open)();
			}
			const {head, tail, kernel: name, language} = saved;
			notebookList(get).changeNotebook(file, ({notebook, kernel, editing, copy}) => ({
				base,
				sent: rest,
				saved,
				copy: isAll ? null : copy,
				notebook: isAll && editing !== null ? whole : {...notebook, head, tail, kernel: name, language},
				...(kernel?.name === name && {kernel: {name: kernel.name, spec: null}}),
			}));
			if (!isAll) void notebookRecovery(get).keepNotebook(file, true);
		},
		notebookLeft(file) {
			const open = openOf(file);
			if (open === undefined) return;
			const {copy, path} = open;
			if (!hasChanges(open)) return notebookList(get).dropNotebook(file);
			try {
				if (copy === null) throw new Error('there is no copy of it');
				copy.write(notebookText(asSaved(open)));
				copy.leave();
			} catch (error) {
				const why = messageOf(error);
				return notices(get).notify(
					'bad',
					`${label(path, 200)} stays open: its recovery copy could not be written (${why})`,
				);
			}
			notices(get).notify('info', `Your changes to ${label(path, 200)} are under :edits, in ${copy.path}`);
			notebookList(get).dropNotebook(file);
		},
	};
});
