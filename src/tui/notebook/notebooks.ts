import type {NewCell} from '../../text/notebook/edit.ts';
import type {Notebook} from '../../text/notebook/notebook.ts';
import {keyOf, type ServerFile} from '../files/content.ts';
import {asTyped, withStep, type OpenNotebook} from './open-notebook.ts';
import {createNotebookRunner, type NotebookRunner} from './runner.ts';
import {createRunRecords, type RunRecords} from './run-records.ts';
import {documentLogs} from '../cells/document-logs.ts';
import {part, type App} from '../core/app.ts';
import {keepNotebook} from './ports.ts';
import type {CellOutput} from '../../contract/cells.ts';
import {createPictureReader} from './output-pictures.ts';

export type NotebooksState = {
	/** Edited notebooks, by server and path. */
	readonly notebooks: ReadonlyMap<string, OpenNotebook>;
	/** Cells that were cut or copied last, in any notebook. */
	readonly copiedCells: readonly NewCell[];
};

export type NotebookList = {
	putNotebook(open: OpenNotebook): void;
	dropNotebook(file: ServerFile): void;
	setCopiedCells(cells: readonly NewCell[]): void;
	/** Changes a notebook, and stores its unsaved changes in a recovery copy. */
	changeNotebook(file: ServerFile, how: (open: OpenNotebook) => Partial<OpenNotebook>): void;
	/** Changes the cells as one undo step. `how` returns null to change nothing. */
	workNotebook(
		file: ServerFile,
		how: (
			notebook: Notebook,
			open: OpenNotebook,
		) => {readonly notebook: Notebook; readonly at?: number} | null,
	): void;
	runNotebook(file: ServerFile, keys: readonly number[]): void;
	/** Stops the notebook's cells. False if no cell is running. */
	stopNotebook(file: ServerFile): boolean;
	answerNotebook(file: ServerFile): void;
	readonly runner: NotebookRunner;
	readonly records: RunRecords;
	/** Decodes the pictures among outputs, each once. */
	readNotebookPictures(file: ServerFile, outputs: readonly CellOutput[]): void;
};

const firstNotebooks = (): NotebooksState => ({notebooks: new Map(), copiedCells: []});

export const notebookList = part(
	'notebookList',
	({get, set, deps: {client, now}}: App): NotebookList => {
		const change: NotebookList['changeNotebook'] = (file, how) => {
			const open = get().notebooks.get(keyOf(file));
			if (open === undefined) return;
			const next = {...open, ...how(open)};
			notebookList(get).putNotebook(next);
			const isAnother =
				next.notebook !== open.notebook ||
				next.kernel !== open.kernel ||
				next.editing?.text !== open.editing?.text;
			if (isAnother) void keepNotebook(get, file);
		};
		const readPictures = createPictureReader(change);
		const records = createRunRecords(async ({server, path}) =>
			documentLogs(get).logOf(server, {kind: 'notebook', path}),
		);
		const runner = createNotebookRunner({client, now, get, change, readPictures, records});
		return {
			putNotebook: open => set({notebooks: new Map(get().notebooks).set(keyOf(open), open)}),
			dropNotebook(file) {
				const notebooks = new Map(get().notebooks);
				notebooks.delete(keyOf(file));
				set({notebooks});
			},
			setCopiedCells: copiedCells => set({copiedCells}),
			changeNotebook: change,
			workNotebook(file, how) {
				const open = get().notebooks.get(keyOf(file));
				if (open === undefined) return;
				const typed = asTyped(open);
				const done = how(typed, open);
				if (done === null) return;
				const at = done.at ?? open.at;
				const isSame =
					done.notebook.cells.length === typed.cells.length &&
					done.notebook.cells.every((cell, index) => cell === typed.cells[index]);
				// The text of the editor becomes an undo step of its own if it is not in the cell
				// yet.
				const past =
					typed === open.notebook ? open.past : withStep(open.past, {notebook: open.notebook, at: open.at});
				change(file, () => ({
					at,
					marks: null,
					editing: null,
					...(isSame
						? {notebook: typed, past}
						: {notebook: done.notebook, past: withStep(past, {notebook: typed, at: open.at})}),
				}));
			},
			runner,
			records,
			runNotebook: (file, keys) => void runner.run(file, keys),
			stopNotebook: runner.stop,
			answerNotebook: runner.answer,
			readNotebookPictures: readPictures,
		};
	},
	firstNotebooks,
);
