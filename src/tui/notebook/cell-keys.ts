// Keys that add, cut, copy, paste, delete, move, merge, convert and clear cells, and undo.
import type {CellKind, Notebook} from '../../text/notebook/notebook.ts';
import {
	attachmentsOf,
	copyOfCell,
	indexOfKey,
	insertCells,
	undoEdits,
	withKind,
	withMerged,
	withMoved,
	withNewCell,
	withoutCell,
	withoutOutputs,
} from '../../text/notebook/edit.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {notices} from '../core/store/notices.ts';
import type {NotebookAccess} from './access.ts';
import {actedCells, type OpenNotebook} from './open-notebook.ts';
import {notebookList} from './notebooks.ts';

/** Adds an empty cell above or below the selected cell, and opens the new cell for editing. */
export const addCell = ({work, edit, show}: NotebookAccess, below: 0 | 1): string | void => {
	const said = work((notebook, {at: key}) => {
		const made = withNewCell(notebook, Math.max(0, indexOfKey(notebook, key) + below));
		return {notebook: made.notebook, at: made.key};
	});
	edit();
	show();
	return said;
};

export const cellEffects = (access: NotebookAccess) => {
	const {get, withOpen, work, unlessRuns, show, change} = access;
	const each = (how: (notebook: Notebook, key: number) => Notebook) =>
		work((notebook, open) => ({
			notebook: actedCells(open).reduce((made, {key}) => how(made, key), notebook),
		}));
	const toKind = (kind: CellKind) =>
		unlessRuns(() => each((notebook, key) => withKind(notebook, key, kind)), 'marked');
	const remove = () =>
		work((notebook, open) => {
			const keys = actedCells(open).map(({key}) => key);
			const [first] = keys;
			if (first === undefined) return null;
			const index = indexOfKey(notebook, first);
			const next = notebook.cells[index + keys.length] ?? notebook.cells[index - 1];
			return {notebook: keys.reduce(withoutCell, notebook), at: next?.key ?? -1};
		}, 'There is no cell to delete');
	/** Puts the selected or marked cells into the clipboard of cells; false if there are none. */
	const copied = (open: OpenNotebook, done: 'cut' | 'copied'): boolean => {
		const cells = actedCells(open);
		if (cells.length === 0) return false;
		notebookList(get).setCopiedCells(cells.map(copyOfCell));
		const [was, it] = cells.length === 1 ? ['A cell was', 'it'] : [`${cells.length} cells were`, 'them'];
		const paste = keyFor('notebook.paste');
		notices(get).notify(
			'info',
			`${was} ${done}: ${paste} pastes ${it} below the selected one, here or in another notebook`,
		);
		return true;
	};
	const move = (by: 1 | -1) => () =>
		work((notebook, {at: key}) => ({notebook: withMoved(notebook, key, by)}));
	return {
		addAbove: () => addCell(access, 0),
		addBelow: () => addCell(access, 1),
		remove: unlessRuns(remove, 'marked'),
		cut: unlessRuns(
			withOpen(open => (copied(open, 'cut') ? remove() : 'There is no cell to cut')),
			'marked',
		),
		copyCell: withOpen(open => {
			if (!copied(open, 'copied')) return 'There is no cell to copy';
			change({marks: null});
		}),
		paste: () => {
			const {copiedCells} = get();
			if (copiedCells.length === 0)
				return `No cell was copied: ${keyFor('notebook.copyCell')} copies one, ${keyFor('notebook.cut')} cuts it`;
			return work((notebook, open) => {
				const below = actedCells(open).at(-1)?.key ?? open.at;
				const made = insertCells(notebook, indexOfKey(notebook, below) + 1, copiedCells);
				return {notebook: made.notebook, at: made.key};
			});
		},
		undo: withOpen(open => {
			const before = open.past.at(-1);
			if (before === undefined) return 'Nothing to undo';
			notebookList(get).changeNotebook(open, ({notebook, past}) => ({
				notebook: undoEdits(notebook, before.notebook),
				at: before.at,
				past: past.slice(0, -1),
			}));
			show();
		}),
		moveUp: move(-1),
		moveDown: move(1),
		merge: withOpen(open => {
			const cells = actedCells(open);
			const key = cells[0]?.key ?? open.at;
			// Each merge appends the cell below.
			const count = Math.max(1, cells.length - 1);
			const below = indexOfKey(open.notebook, key) + 1;
			return unlessRuns(
				() => {
					if (open.notebook.cells.slice(below, below + count).some(cell => attachmentsOf(cell)))
						return `${count > 1 ? 'A' : 'The'} cell below has attached pictures, which merging would lose`;
					return work(notebook => {
						let made: Notebook | null = notebook;
						for (let done = 0; done < count && made !== null; done++) made = withMerged(made, key);
						return made && {notebook: made, at: key};
					}, 'There is no cell below to merge with');
				},
				cells.length > 1 ? 'marked' : 1,
			)();
		}),
		code: toKind('code'),
		markdown: toKind('markdown'),
		raw: toKind('raw'),
		clear: () => each(withoutOutputs),
		clearAll: () => work(notebook => ({notebook: withoutOutputs(notebook)})),
	};
};
