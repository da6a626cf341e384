import {idOfCell} from './edit.ts';
import type {Notebook} from './notebook.ts';

/** Place of a cell when it was run. `cell`: its nbformat id, null if it has none. */
export type CellPlace = {readonly cell: string | null; readonly index: number};

/** A cell that was run, of a notebook or of the REPL. */
type RunCell = {
	readonly number: number;
	readonly source: string;
	readonly place: CellPlace | {readonly session: string};
};

/**
 * Keys of the cells in a notebook, by their numbers in the log: by nbformat id, else by source and
 * the nearest position. A cell without a place is left out.
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
