import {indexOfCell, replOf, type Repl} from './transcript.ts';
import {type Cell} from '../cells/cell.ts';
import {startOf, blockAtRow, windowOf} from '../core/components/transcript.ts';
import {scrolling} from '../core/components/scroll.ts';
import type {State} from '../core/program.ts';
import {replSession} from './session.ts';

/**
 * Current layout of the cells. Computed at each key press, because a burst of keys may arrive
 * between two frames.
 */
export type CellPosition = {
	readonly get: () => State;
	readonly server: string;
	readonly room: number;
	readonly width: number;
	/** Maximum number of rows of a folded picture. */
	readonly pictureRows: number;
	readonly linesOf: (cell: Cell, open?: boolean, left?: number) => readonly string[];
	readonly blocksOf: (repl: Repl) => readonly (readonly string[])[];
};

/** Index of the selected cell, or of the last cell if none is selected; -1 without cells. */
export const selectedIn = ({cells, selected}: Pick<Repl, 'cells' | 'selected'>): number => {
	const found = selected === null ? -1 : indexOfCell({cells}, selected);
	return found === -1 ? cells.length - 1 : found;
};

/** Index of the first visible row among all rows; null follows the end. */
export const topOf = (
	{cells, top}: Pick<Repl, 'cells' | 'top'>,
	blocks: readonly (readonly string[])[],
): number | null => {
	if (top === null) return null;
	const index = indexOfCell({cells}, top.cell);
	return index === -1 ? null : startOf(blocks, index) + Math.min(top.row, (blocks[index]?.length ?? 1) - 1);
};

/** Converts the index of the first visible row to the form that the state stores. */
export const topAt = (
	{cells}: Pick<Repl, 'cells'>,
	blocks: readonly (readonly string[])[],
	line: number | null,
): Repl['top'] => {
	const place = line === null ? null : blockAtRow(blocks, line);
	const cell = place === null ? undefined : cells[place.block];
	return place === null || cell === undefined ? null : {cell: cell.id, row: place.row};
};

/** Index of the current search hit's row among all rows; null without a hit in an unfolded cell. */
export const foundRow = (
	repl: Repl,
	{blocksOf, linesOf}: Pick<CellPosition, 'blocksOf' | 'linesOf'>,
): number | null => {
	const {
		cells,
		unfolded,
		find: {at},
	} = repl;
	const index = at === null ? -1 : indexOfCell({cells}, at.cell);
	const cell = cells[index];
	if (at === null || cell === undefined || !unfolded.has(cell.id)) return null;
	const blocks = blocksOf(repl);
	// A block may start with lines above the cell, such as a notice of a new kernel.
	return startOf(blocks, index) + at.row + (blocks[index]?.length ?? 0) - linesOf(cell, true).length;
};

/** Scrolls by rows, in the current layout. */
export const scrollCells = (
	{get, server, room, blocksOf}: Pick<CellPosition, 'get' | 'server' | 'room' | 'blocksOf'>,
	moved: () => void = () => {},
) => {
	const repl = (): Repl => replOf(get(), server);
	const scroll = () => {
		const now = repl();
		const blocks = blocksOf(now);
		return scrolling(
			() => topOf(now, blocks),
			windowOf(blocks, null, room).last,
			room - 1,
			line => {
				replSession(get).changeRepl(server, {top: topAt(now, blocks, line)});
				moved();
			},
		);
	};
	/** Adds older cells when the user scrolls up to the first cell that is shown. */
	const upwards = (move: 'up' | 'pageUp') => (): void => {
		const blocks = blocksOf(repl());
		if (windowOf(blocks, topOf(repl(), blocks), room).from < (move === 'up' ? 1 : room - 1))
			replSession(get).showOlder(server, 'some');
		scroll()[move]();
	};
	return {
		...scroll(),
		up: upwards('up'),
		pageUp: upwards('pageUp'),
		first() {
			replSession(get).showOlder(server, 'all');
			scroll().first();
		},
	};
};
