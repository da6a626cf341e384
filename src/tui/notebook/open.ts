import type {FileEntry} from '../../contract/files.ts';
import {readNotebook, type Notebook} from '../../text/notebook/notebook.ts';
import {indexOfKey, cellsMissingFrom, insertCells, type NewCell} from '../../text/notebook/edit.ts';
import {label} from '../../text/safe.ts';
import type {EditedText} from '../core/store/deps.ts';
import {
	contentOf,
	isNotebook,
	encodingOf,
	isText,
	keyOf,
	textFile,
	type ServerFile,
} from '../files/content.ts';
import {hasUnsavedWork, kernelAfter, notebookOn, openedNotebook, type OpenNotebook} from './open-notebook.ts';
import {part, type App} from '../core/app.ts';
import {fileViewer} from '../files/viewer/open-file.ts';
import {unsavedEdits} from '../files/saving/unsaved-edits.ts';
import {notebookList} from './notebooks.ts';
import {notices} from '../core/store/notices.ts';
import {route} from '../core/store/route.ts';
import {fileListing} from '../files/tree/listing.ts';
import {notebookRecovery} from './recovery.ts';

export type NotebookOpening = {
	/** Starts editing the notebook in a server's viewer. If it fails, resolves to the reason. */
	workInNotebook(server: string): Promise<string | void>;
	/** Opens a file of a server for editing. */
	openNotebook(server: string, path: string): Promise<void>;
	/**
	 * Inserts cells into the notebook in a server's viewer, as one step: below the selected cell,
	 * or at the end. `make` creates a notebook if none is open. `isOnce`: omits cells that the
	 * notebook already contains.
	 */
	putInNotebook(
		server: string,
		cells: readonly NewCell[],
		how?: {readonly atEnd?: boolean; readonly isOnce?: boolean; make?(): Promise<unknown>},
	): Promise<void>;
	/** Resumes a notebook's unsaved text from an earlier run. False if it is unreadable. */
	resumeNotebook(
		left: ServerFile & {readonly before: string; readonly mine: string; readonly copy: EditedText},
	): Promise<boolean>;
	/** Replaces the notebook with the file's content. */
	takeNotebookFile(file: ServerFile, base: FileEntry): void;
};

export const notebookOpening = part('notebookOpening', ({get, subscribe}: App): NotebookOpening => {
	const openOf = (file: ServerFile): OpenNotebook | undefined => get().notebooks.get(keyOf(file));
	const readAll = (file: ServerFile, {cells}: Notebook): void => {
		for (const {outputs} of cells) notebookList(get).readNotebookPictures(file, outputs);
	};
	// Shows a file that someone else has changed, unless that would lose the user's work.
	subscribe((state, old) => {
		if (state.viewers === old.viewers || state.notebooks.size === 0) return;
		for (const [server, {path, file}] of state.viewers) {
			const {value} = file;
			const open = state.notebooks.get(keyOf({server, path}));
			if (value === undefined || open === undefined || value === old.viewers.get(server)?.file.value)
				continue;
			if (value.path !== path || !isText(value) || contentOf(value) === contentOf(open.base)) continue;
			if (hasUnsavedWork(open) || state.saving.includes(path)) continue;
			notebookOpening(get).takeNotebookFile(open, value);
		}
	});

	return {
		async workInNotebook(server) {
			const base = await fileViewer(get).wholeFile(server);
			const viewer = get().viewers.get(server);
			if (viewer === undefined || base === undefined) return 'There is no notebook here yet';
			const file = {server, path: viewer.path};
			if (openOf(file) !== undefined) return fileViewer(get).changeViewer(server, {raw: false});
			const encoding = encodingOf(base);
			const noText = encoding === null ? 'it is not text' : `it is ${encoding}, and only UTF-8 is saved`;
			const read = isText(base) ? readNotebook(contentOf(base)) : noText;
			if (typeof read === 'string') return `This notebook is only shown: ${read}`;
			const kept = await unsavedEdits(get).keptEditOf(server, viewer.path);
			if (kept !== undefined) return unsavedEdits(get).showEdit(kept);
			// The user may have pressed the key twice.
			if (openOf(file) !== undefined) return;
			notebookList(get).putNotebook(openedNotebook(file, base, {saved: read, notebook: read}));
			fileViewer(get).changeViewer(server, {raw: false});
			readAll(file, read);
			if (read.upgradedFrom !== null)
				notices(get).notify(
					'info',
					`${label(file.path, 200)} uses nbformat ${read.upgradedFrom}: it is saved as nbformat 4`,
				);
		},
		async openNotebook(server, path) {
			route(get).focusPart('files', 'viewer');
			route(get).go('files');
			await fileListing(get).goToPath(server, path);
			if (get().viewers.get(server)?.path !== path) return;
			const why = await notebookOpening(get).workInNotebook(server);
			if (typeof why === 'string') notices(get).notify('info', why);
		},
		async putInNotebook(server, all, {atEnd = false, isOnce = false, make} = {}) {
			if (isNotebook(get().viewers.get(server)?.path ?? '') && notebookOn(get(), server) === undefined) {
				const why = await notebookOpening(get).workInNotebook(server);
				if (typeof why === 'string') return notices(get).notify('info', why);
				// A dialog about unsaved edits of the notebook is open instead.
				if (notebookOn(get(), server) === undefined) return;
			}
			if (notebookOn(get(), server) === undefined) await make?.();
			const file = notebookOn(get(), server);
			if (file === undefined) {
				if (make === undefined)
					notices(get).notify(
						'info',
						`No notebook is open on ${label(server, 60)}: :notebook creates one from these cells, :file opens one`,
					);
				return;
			}
			const cells = isOnce ? cellsMissingFrom(file.notebook, all) : all;
			if (isOnce && cells.length === 0) {
				const these = all.length === 1 ? 'This cell is' : `These ${all.length} cells are`;
				notices(get).notify('info', `${these} in ${label(file.path, 200)} already`);
				return;
			}
			notebookList(get).workNotebook(file, (notebook, {at: chosen}) => {
				const index = atEnd ? notebook.cells.length : indexOfKey(notebook, chosen) + 1;
				const made = insertCells(notebook, index, cells);
				return {notebook: made.notebook, at: made.key};
			});
			for (const {outputs = []} of cells) notebookList(get).readNotebookPictures(file, outputs);
			const {notebook, at} = openOf(file) ?? file;
			const last = indexOfKey(notebook, at) + 1;
			const which = cells.length === 1 ? `cell ${last}` : `cells ${last - cells.length + 1}-${last}`;
			notices(get).notify(
				'good',
				`Added as ${which}/${notebook.cells.length} of ${label(file.path, 200)}, not saved yet`,
			);
		},
		async resumeNotebook({server, path, before, mine, copy}) {
			const saved = readNotebook(before);
			const notebook = readNotebook(mine);
			if (typeof saved === 'string' || typeof notebook === 'string') return false;
			const file = {server, path};
			route(get).chooseServer(server, 'files');
			route(get).focusPart('files', 'viewer');
			await fileViewer(get).openFile(server, path);
			const had = openOf(file);
			if (had !== undefined && hasUnsavedWork(had)) {
				notices(get).notify(
					'info',
					`Save ${label(path, 200)} first: it is open here with unsaved work. The earlier edits are kept`,
				);
				return true;
			}
			notebookList(get).putNotebook(openedNotebook(file, textFile(path, before), {saved, notebook}));
			readAll(file, notebook);
			await notebookRecovery(get).replaceCopy(file, copy);
			return true;
		},
		takeNotebookFile(file, base) {
			const open = openOf(file);
			const read = readNotebook(contentOf(base));
			if (open === undefined) return;
			if (typeof read === 'string') {
				open.copy?.leave();
				return notebookList(get).dropNotebook(file);
			}
			const index = Math.min(indexOfKey(open.notebook, open.at), read.cells.length - 1);
			const at = read.cells[Math.max(0, index)]?.key ?? -1;
			notebookList(get).putNotebook({
				...openedNotebook(file, base, {saved: read, notebook: read}),
				kernel: kernelAfter(open, read),
				at,
				top: {key: at, row: 0},
				copy: open.copy,
			});
			readAll(file, read);
			void notebookRecovery(get).keepNotebook(file, true);
		},
	};
});
