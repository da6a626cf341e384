import {cellNamed, noSuchCell, rowShowing, type NamedCell} from '../cells/places.ts';
import type {App} from '../core/app.ts';
import {notebookList} from './notebooks.ts';
import {notebookOn} from './open-notebook.ts';

/** Selects the cell that a frame of a traceback names, and scrolls to the line. */
export const showNamedCell = ({get}: App, server: string, place: NamedCell): string | void => {
	const open = notebookOn(get(), server);
	const found = cellNamed(open?.notebook.cells.filter(({kind}) => kind === 'code') ?? [], place);
	if (open === undefined || found === undefined) return noSuchCell(place);
	notebookList(get).changeNotebook(open, ({unfolded}) => ({
		at: found.key,
		unfolded: new Set(unfolded).add(found.key),
		top: {key: found.key, row: rowShowing(place)},
	}));
};
