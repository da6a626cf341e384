// Keys that run cells (one, all, those above or below), stop them, and choose the kernel.
import {indexOfKey} from '../../text/notebook/edit.ts';
import type {NotebookAccess} from './access.ts';
import {addCell} from './cell-keys.ts';
import {kernelRestart} from '../cells/kernels/restart.ts';
import {actedCells, documentOf, type OpenNotebook} from './open-notebook.ts';
import {notebookList} from './notebooks.ts';
import {notebookKernels} from './kernel.ts';

/**
 * Runs the marked cells, else the selected cell, and selects the next one. A text cell only moves
 * the selection.
 */
export const oneRunEffects = (access: NotebookAccess) => {
	const {get, now, change, choose, commit} = access;
	const runOne = (then: 'stay' | 'next' | 'insert') => (): string | void => {
		commit();
		const open = now();
		const cells = open === undefined ? [] : actedCells(open);
		const last = cells.at(-1);
		if (open === undefined || last === undefined) return 'There is no cell to run';
		const codes = cells.filter(({kind}) => kind === 'code');
		if (codes.length > 0)
			notebookList(get).runNotebook(
				open,
				codes.map(({key}) => key),
			);
		if (then === 'stay') {
			change({marks: null});
			return codes.length > 0 ? undefined : 'Only code cells run';
		}
		change({at: last.key, marks: null});
		const index = indexOfKey(open.notebook, last.key);
		if (then === 'insert' || index === open.notebook.cells.length - 1) return addCell(access, 1);
		choose(index + 1);
	};
	return {runNext: runOne('next'), run: runOne('stay'), runInsert: runOne('insert')};
};

export const runEffects = (access: NotebookAccess) => {
	const {get, withOpen} = access;
	const runFrom = (open: OpenNotebook, from: number, to?: number): string | void => {
		const cells = open.notebook.cells.slice(from, to);
		if (!cells.some(({kind, source}) => kind === 'code' && source.trim() !== ''))
			return 'There is no code to run';
		notebookList(get).runNotebook(
			open,
			cells.map(({key}) => key),
		);
	};
	const chosen = ({notebook, at}: OpenNotebook): number => indexOfKey(notebook, at);
	return {
		...oneRunEffects(access),
		runAll: withOpen(open => runFrom(open, 0)),
		runAbove: withOpen(open => runFrom(open, 0, chosen(open))),
		runBelow: withOpen(open => runFrom(open, chosen(open))),
		stop: withOpen(open =>
			notebookList(get).stopNotebook(open) ? undefined : 'No cell of this notebook is running',
		),
		restart: withOpen(open => kernelRestart(get).askRestart(open.server, {document: documentOf(open)})),
		restartRunAll: withOpen(open =>
			kernelRestart(get).askRestart(open.server, {document: documentOf(open), runsAll: true}),
		),
		kernel: withOpen(({server, path}) => void notebookKernels(get).chooseNotebookKernel({server, path})),
	};
};
