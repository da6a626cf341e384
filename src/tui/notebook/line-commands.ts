import {withKind, withoutOutputs} from '../../text/notebook/edit.ts';
import type {LineCommand} from '../core/feature.ts';
import {route} from '../core/store/route.ts';
import {notebookList} from './notebooks.ts';
import {actedCells, notebookOn} from './open-notebook.ts';

export const notebookCommands: readonly LineCommand[] = [
	{
		name: 'cell',
		argument: 'number',
		does: 'Go to a cell of the notebook',
		run({get}, typed) {
			const open = notebookOn(get(), get().current ?? '');
			if (open === undefined) return 'Open a notebook first';
			const {cells} = open.notebook;
			const cell = cells[Number(typed) - 1];
			if (cell === undefined) return `Write the number of a cell, from 1 to ${cells.length}`;
			notebookList(get).changeNotebook(open, () => ({
				at: cell.key,
				marks: null,
				top: {key: cell.key, row: 0},
			}));
			route(get).focusPart('files', 'viewer');
			route(get).focus('files');
		},
	},
	{
		name: 'raw',
		does: 'Change the selected cells to raw text',
		run({get}) {
			const open = notebookOn(get(), get().current ?? '');
			if (open === undefined) return 'Open a notebook first';
			const cells = actedCells(open);
			notebookList(get).workNotebook(open, notebook => ({
				notebook: cells.reduce((changed, {key}) => withKind(changed, key, 'raw'), notebook),
			}));
		},
	},
	{
		name: 'clear',
		argument: '[all]',
		does: 'Clear the outputs of the selected cells; all: of every cell of the notebook',
		key: 'notebook.clear',
		suggest: () => ['all'],
		run({get}, which) {
			const open = notebookOn(get(), get().current ?? '');
			if (open === undefined) return 'Open a notebook first';
			if (which !== '' && which !== 'all') return 'Write :clear or :clear all';
			const keys = which === 'all' ? [undefined] : actedCells(open).map(({key}) => key);
			notebookList(get).workNotebook(open, notebook => ({notebook: keys.reduce(withoutOutputs, notebook)}));
		},
	},
];
