import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import type {NamedPlace} from '../../cells/places.ts';
import {chooser, type Choice} from '../../core/dialogs/chooser.tsx';
import type {DialogOf} from '../../core/program.ts';
import {showNotebookCell, showReplCell} from '../ports.ts';
import {namedPlaces} from './named-places.ts';

type Places = DialogOf<'places'>;

const choiceOf = (
	get: Parameters<typeof namedPlaces>[0],
	{server, cellsOf}: Places,
	place: NamedPlace,
): Choice => {
	if (!('path' in place)) {
		const show = cellsOf === 'notebook' ? showNotebookCell : showReplCell;
		return {
			text: `${place.cell === null ? 'a cell' : `cell ${place.cell}`}, line ${place.line}`,
			note: place.code,
			choose: () => show(get, server, place),
		};
	}
	const {path, line, code, isLibrary} = place;
	return {
		text: line === null ? path : `${path}:${line}`,
		...(code !== undefined && {note: code}),
		...(isLibrary && {isQuiet: true}),
		choose: () => void namedPlaces(get).openPlace(server, {path, line}),
	};
};

/**
 * Lists the positions that a cell or an answer mentions. Enter opens the file there or selects the
 * cell. A key then returns to the previous screen.
 */
export const places = chooser({kind: 'places'}, ({get}, shown) => {
	const choices = shown.places.map(place => choiceOf(get, shown, place));
	return {
		title: shown.cellsOf === undefined ? 'Open a file at' : 'Open',
		width: 110,
		alignsNotes: true,
		enterLabel: 'open',
		empty: 'No file matches.',
		choicesFor: typed => fuzzyFilter(typed, choices, ({text}) => text),
	};
});
