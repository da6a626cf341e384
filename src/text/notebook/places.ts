import {idOfCell} from './edit.ts';
import type {Notebook} from './notebook.ts';

/** Position of a cell when it was run. `cell`: its nbformat id, or null if it has none. */
export type CellPlace = {readonly cell: string | null; readonly index: number};

/** Cell that was run in a notebook or in the REPL. */
type RunCell = {
	readonly number: number;
	readonly source: string;
	readonly place: CellPlace | {readonly session: string};
};

/**
 * Keys of a notebook's cells that were run, by the numbers of the runs. Finds a cell by its
 * nbformat id, or else by its source and the nearest position. Leaves out runs from the REPL and
 * cells that are not found.
 */
export const placesOf = (
	left: readonly RunCell[],
	{cells}: Pick<Notebook, 'cells'>,
): ReadonlyMap<number, number> => {
	const free = new Set(cells.keys());
	const ids = new Map(cells.map((cell, index) => [idOfCell(cell), index]));
	const found = new Map<number, number>();
	const put = (number: number, index: number | undefined): void => {
		const key = index === undefined || !free.has(index) ? undefined : cells[index]?.key;
		if (key === undefined || index === undefined) return;
		free.delete(index);
		found.set(number, key);
	};
	const placed = left.flatMap(cell => ('index' in cell.place ? [{...cell, place: cell.place}] : []));
	for (const {number, place} of placed) if (place.cell !== null) put(number, ids.get(place.cell));
	for (const {number, place, source} of placed) {
		if (found.has(number)) continue;
		const alike = [...free].filter(index => cells[index]?.kind === 'code' && cells[index].source === source);
		const distance = (index: number): number => Math.abs(index - place.index);
		put(number, alike.toSorted((one, other) => distance(one) - distance(other))[0]);
	}
	return found;
};
