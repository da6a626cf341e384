import {createEditor} from '../../text/editor/editor.ts';
import {indexOfKey} from '../../text/notebook/edit.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import type {KeyContext} from '../core/feature.ts';
import {actedCells, cellAt, isPendingRun, notebookOn, type OpenNotebook} from './open-notebook.ts';
import {layoutNotebook, topAt, topShowing} from './rows.ts';
import {roomIn, type LayoutArea} from './layout-area.ts';
import {notebookList, type NotebookList} from './notebooks.ts';

/** Shared access of all notebook keys: the current notebook, and functions that change it. */
export const accessTo = ({get, rect}: KeyContext) => {
	const server = get().current ?? '';
	const now = (): OpenNotebook | undefined => notebookOn(get(), server);
	const room = (): LayoutArea => roomIn(get(), server, rect);
	const withOpen = (act: (open: OpenNotebook) => string | void) => (): string | void => {
		const open = now();
		return open === undefined ? 'There is no notebook here' : act(open);
	};
	const change = (next: Partial<OpenNotebook>): void => {
		const open = now();
		if (open !== undefined) notebookList(get).changeNotebook(open, () => next);
	};
	/** Scrolls the selected cell into view. */
	const show = (): void => {
		const open = now();
		if (open === undefined) return;
		const laid = layoutNotebook(open, room());
		change({top: topAt(open, laid.blocks, topShowing(laid, room()))});
	};
	const choose = (index: number): void => {
		const open = now();
		const cell = open?.notebook.cells[index];
		if (cell === undefined) return;
		change({at: cell.key, marks: null});
		show();
	};
	const work = (
		how: Parameters<NotebookList['workNotebook']>[1],
		reason = 'There is no cell',
	): string | void => {
		const open = now();
		if (open === undefined) return 'There is no notebook here';
		let hasChanged = false;
		notebookList(get).workNotebook(open, (notebook, whole) => {
			const done = how(notebook, whole);
			hasChanged = done !== null;
			return done;
		});
		if (!hasChanged) return reason;
		show();
	};
	/**
	 * Runs `act`, which changes the selected cell and the `below` next cells, or the marked cells.
	 * Refuses if one of these cells is running, because its outputs need an unchanged cell.
	 */
	const unlessRuns = (act: () => string | void, below: number | 'marked' = 0) =>
		withOpen(open => {
			const index = indexOfKey(open.notebook, open.at);
			const cells =
				below === 'marked' ? actedCells(open) : open.notebook.cells.slice(index, index + 1 + below);
			const pending = cells.map(({key}) => open.runs.get(key)).find(isPendingRun);
			if (pending?.state === 'kernel')
				return `The kernel has its code already: ${keyFor('notebook.stop')} stops the run`;
			return pending ? `This cell is running: wait, or ${keyFor('notebook.stop')} stops it` : act();
		});
	const edit = (): void => {
		const open = now();
		const cell = open && cellAt(open);
		if (cell !== undefined) change({editing: createEditor(cell.source), marks: null});
	};
	/** Stores the typed text in the cell. */
	const commit = (): void => {
		const open = now();
		if (open === undefined || open.editing === null) return;
		notebookList(get).workNotebook(open, notebook => ({notebook}));
	};
	return {get, server, now, room, withOpen, change, show, choose, work, unlessRuns, edit, commit};
};

export type NotebookAccess = ReturnType<typeof accessTo>;
