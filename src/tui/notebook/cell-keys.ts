// Keys that add, delete, move, merge, convert and clear cells, and undo.
import type {CellKind} from '../../text/notebook/notebook.ts';
import {
	attachmentsOf,
	indexOfKey,
	undoEdits,
	withKind,
	withMerged,
	withMoved,
	withNewCell,
	withoutCell,
	withoutOutputs,
} from '../../text/notebook/edit.ts';
import type {NotebookAccess} from './access.ts';
import {actedCells} from './open-notebook.ts';
import {notebookList} from './notebooks.ts';

/** Adds an empty cell above or below the selected one, and edits it. */
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
	const {get, withOpen, work, unlessRuns, show} = access;
	const toKind = (kind: CellKind) =>
		unlessRuns(() => work((notebook, {at: key}) => ({notebook: withKind(notebook, key, kind)})));
	const move = (by: 1 | -1) => () =>
		work((notebook, {at: key}) => ({notebook: withMoved(notebook, key, by)}));
	return {
		addAbove: () => addCell(access, 0),
		addBelow: () => addCell(access, 1),
		remove: unlessRuns(
			() =>
				work((notebook, open) => {
					const keys = actedCells(open).map(({key}) => key);
					const [first] = keys;
					if (first === undefined) return null;
					const index = indexOfKey(notebook, first);
					const next = notebook.cells[index + keys.length] ?? notebook.cells[index - 1];
					return {notebook: keys.reduce(withoutCell, notebook), at: next?.key ?? -1};
				}, 'There is no cell to delete'),
			'marked',
		),
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
		merge: unlessRuns(
			withOpen(({notebook: {cells}, at: chosen}) => {
				const below = cells[indexOfKey({cells}, chosen) + 1];
				if (below && attachmentsOf(below))
					return 'The cell below holds pictures of its own, which merging would lose';
				return work((notebook, {at: key}) => {
					const merged = withMerged(notebook, key);
					return merged && {notebook: merged};
				}, 'There is no cell below to merge with');
			}),
			1,
		),
		code: toKind('code'),
		markdown: toKind('markdown'),
		raw: toKind('raw'),
		clear: () => work((notebook, {at: key}) => ({notebook: withoutOutputs(notebook, key)})),
		clearAll: () => work(notebook => ({notebook: withoutOutputs(notebook)})),
	};
};
