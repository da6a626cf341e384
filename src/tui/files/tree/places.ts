import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {chooser, type Choice} from '../../core/dialogs/chooser.tsx';
import {namedPlaces} from './named-places.ts';

/**
 * Positions in files that a cell or answers name. Enter opens the file there, and a key returns to
 * the previous screen.
 */
export const places = chooser({kind: 'places'}, ({get}, {server, places: all}) => {
	const choices = all.map(({path, line}): Choice => ({
		text: line === null ? path : `${path}:${line}`,
		choose: () => void namedPlaces(get).openPlace(server, {path, line}),
	}));
	return {
		title: 'Open a file at',
		width: 110,
		enterLabel: 'open',
		empty: 'No file matches.',
		choicesFor: typed => fuzzyFilter(typed, choices, ({text}) => text),
	};
});
