import {cellNamed, noSuchCell, rowShowing, type NamedCell} from '../cells/places.ts';
import type {App} from '../core/app.ts';
import {selectedIn} from './cell-position.ts';
import {replSession} from './session.ts';
import {replOf} from './transcript.ts';

/**
 * Selects the cell that a frame of the selected cell's traceback names, and scrolls to the line.
 * Execution counts repeat in each run of the program, so the cell is looked up only in the selected
 * cell's run, up to the selected cell.
 */
export const showNamedCell = ({get}: App, server: string, place: NamedCell): string | void => {
	const {cells, unfolded} = replOf(get(), server);
	const at = selectedIn({cells, selected: replOf(get(), server).selected});
	const session = cells[at]?.earlier?.session;
	const found = cellNamed(
		cells
			.slice(0, at + 1)
			.filter(({earlier}) => earlier?.session === session)
			.map(({id, source, result}) => ({id, source, count: result?.execution_count ?? null})),
		place,
	);
	if (found === undefined) return noSuchCell(place);
	replSession(get).changeRepl(server, {
		selected: found.id,
		unfolded: new Set(unfolded).add(found.id),
		top: {cell: found.id, row: rowShowing(place)},
	});
};
