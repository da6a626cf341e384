import type {Notebook} from '../../../text/notebook/notebook.ts';
import type {Slice} from '../../core/program.ts';
import type {Deps} from '../../core/store/deps.ts';
import {keyOf, type ServerFile} from '../content.ts';
import {asTyped, withStep, type OpenNotebook} from './open-notebook.ts';
import {createNotebookRunner} from './runner.ts';

export type NotebooksSlice = {
	/** Those that are worked in, by server and path. */
	readonly notebooks: ReadonlyMap<string, OpenNotebook>;
	putNotebook(open: OpenNotebook): void;
	dropNotebook(file: ServerFile): void;
	/** Changes one; what is unsaved then is kept. */
	changeNotebook(file: ServerFile, how: (open: OpenNotebook) => Partial<OpenNotebook>): void;
	/** Changes the cells, as one step that can be taken back. */
	workNotebook(
		file: ServerFile,
		how: (
			notebook: Notebook,
			open: OpenNotebook,
		) => {readonly notebook: Notebook; readonly at?: number} | null,
	): void;
	runNotebook(file: ServerFile, keys: readonly number[]): void;
	/** False: nothing of it runs. */
	stopNotebook(file: ServerFile): boolean;
	answerNotebook(file: ServerFile): void;
};

export const createNotebooksSlice =
	({client, now}: Deps): Slice<NotebooksSlice> =>
	(set, get) => {
		const change: NotebooksSlice['changeNotebook'] = (file, how) => {
			const open = get().notebooks.get(keyOf(file));
			if (open === undefined) return;
			const next = {...open, ...how(open)};
			get().putNotebook(next);
			const isAnother =
				next.notebook !== open.notebook ||
				next.kernel !== open.kernel ||
				next.editing?.text !== open.editing?.text;
			if (isAnother) void get().keepNotebook(file);
		};
		const runner = createNotebookRunner({client, now, get, change});
		return {
			notebooks: new Map(),
			putNotebook: open => set({notebooks: new Map(get().notebooks).set(keyOf(open), open)}),
			dropNotebook(file) {
				const notebooks = new Map(get().notebooks);
				notebooks.delete(keyOf(file));
				set({notebooks});
			},
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
				// Typing that was not committed yet is a step of its own.
				const past =
					typed === open.notebook ? open.past : withStep(open.past, {notebook: open.notebook, at: open.at});
				change(file, () => ({
					at,
					editing: null,
					...(isSame
						? {notebook: typed, past}
						: {notebook: done.notebook, past: withStep(past, {notebook: typed, at: open.at})}),
				}));
			},
			runNotebook: (file, keys) => void runner.run(file, keys),
			stopNotebook: runner.stop,
			answerNotebook: runner.answer,
		};
	};
