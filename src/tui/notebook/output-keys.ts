// Keys for a cell's outputs: fold, hide, open picture or table, copy text.
import {indexOfKey} from '../../text/notebook/edit.ts';
import {headingsOf} from '../../text/notebook/headings.ts';
import type {SentPicture} from '../pictures/sent.ts';
import {placesIn} from '../cells/places.ts';
import {cellsRunBefore} from './ran-cells.ts';
import {attach} from '../files/ports.ts';
import {explainCell} from '../files/explain-cell.ts';
import {shownCell} from './cell-rows.ts';
import {tableIn} from '../cells/cell-table.ts';
import {kernelData} from '../cells/data/kernel-data.ts';
import {kernelVariables} from '../cells/data/variables.ts';
import {figureViewer, hasFigure} from '../cells/figures.ts';
import {lastPictureIn, NO_PICTURE} from '../cells/pictures.ts';
import type {NotebookAccess} from './access.ts';
import {cellAt, documentOf, type OpenNotebook} from './open-notebook.ts';
import {tableViewer} from '../tables/tables.ts';
import {pictureViewer} from '../pictures/pictures.ts';
import {route} from '../core/store/route.ts';
import {clipboard} from '../core/store/clipboard.ts';
import {notebookSaving} from './save.ts';
import {fileViewer} from '../files/viewer/open-file.ts';

const toggled = (keys: ReadonlySet<number>, key: number): ReadonlySet<number> => {
	const next = new Set(keys);
	if (!next.delete(key)) next.add(key);
	return next;
};

export const outputEffects = ({get, server, withOpen, change}: NotebookAccess) => {
	const nameOf = (open: OpenNotebook): string => `Cell ${indexOfKey(open.notebook, open.at) + 1}`;
	const withPicture = (act: (picture: SentPicture) => void) =>
		withOpen(open => {
			const bytes = lastPictureIn(cellAt(open)?.outputs ?? []);
			if (bytes === null) return NO_PICTURE;
			act({name: nameOf(open), bytes});
		});
	return {
		fold: withOpen(open => change({unfolded: toggled(open.unfolded, open.at)})),
		hide: withOpen(open =>
			(cellAt(open)?.outputs.length ?? 0) === 0
				? 'This cell has no outputs'
				: change({hidden: toggled(open.hidden, open.at)}),
		),
		table: withOpen(open => {
			const cell = cellAt(open);
			const shown = cell?.kind === 'code' ? shownCell(cell, open.runs.get(cell.key)) : null;
			const document = documentOf(open);
			const printed = tableIn(cell?.outputs ?? []);
			if (shown === null) {
				if (typeof printed === 'string') return printed;
				return tableViewer(get).openTable(nameOf(open), printed);
			}
			const {source, result} = shown;
			return kernelData(get).openResult(server, document, {name: nameOf(open), source, result, printed});
		}),
		variables: withOpen(open => kernelVariables(get).showVariables(server, documentOf(open))),
		attach: withOpen(open =>
			cellAt(open) === undefined ? 'There is no cell to attach' : attach(get, {kind: 'selected'}),
		),
		explain: withOpen(open => {
			const cell = cellAt(open);
			if (cell?.kind !== 'code') return 'Only a code cell has an error to explain';
			return explainCell(
				get,
				server,
				shownCell(cell, open.runs.get(cell.key)),
				cellsRunBefore(open.notebook, cell),
			);
		}),
		place: withOpen(open => {
			const cell = cellAt(open);
			const outputs = cell?.outputs ?? [];
			if (hasFigure(outputs)) return void figureViewer(get).openFigure(outputs);
			const places = cell === undefined ? [] : placesIn(shownCell(cell, open.runs.get(cell.key)));
			if (places.length === 0) return 'This cell names no file, line or cell, and has no figure';
			route(get).openDialog({kind: 'places', server, places, cellsOf: 'notebook'});
		}),
		picture: withPicture(picture => pictureViewer(get).openPicture(picture)),
		savePicture: withPicture(picture => route(get).openDialog({kind: 'save-picture', picture})),
		copy: withOpen(open => {
			const cell = cellAt(open);
			return cell === undefined ? 'There is no cell to copy' : clipboard(get).copy(cell.source, 'The cell');
		}),
		compare: withOpen(open => void notebookSaving(get).reviewNotebook(open)),
		headings: withOpen(({server: owner, path, notebook}) => {
			if (headingsOf(notebook).length === 0) return 'This notebook has no headings';
			route(get).openDialog({kind: 'notebook-headings', file: {server: owner, path}});
		}),
		text: () => fileViewer(get).changeViewer(server, {raw: true}),
		tree: withOpen(open => {
			if (open.marks !== null) return change({marks: null});
			if (open.find !== null) return change({find: null});
			route(get).focusPart('files', 'tree');
		}),
	};
};
