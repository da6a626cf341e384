// Keys that move by cells, by pages, and to the columns of a wide table.
import {indexOfKey} from '../../text/notebook/edit.ts';
import {clamp} from '../core/components/scroll.ts';
import {blockAtRow, startOf} from '../core/components/transcript.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {movedSideways} from '../cells/rows/sideways.ts';
import type {NotebookAccess} from './access.ts';
import {rowsOf} from './cell-rows.ts';
import {cellAt, markedCells, type OpenNotebook} from './open-notebook.ts';
import {layoutNotebook, topAt} from './rows.ts';

/** Sentence for keys that need a cell, in an empty notebook. */
export const noCells = (): string => `This notebook has no cells: ${keyFor('notebook.addBelow')} adds one`;

export const moveEffects = ({withOpen, choose, change, room}: NotebookAccess) => {
	const step = (by: number) =>
		withOpen(open => {
			const last = open.notebook.cells.length - 1;
			if (last < 0) return noCells();
			choose(clamp(indexOfKey(open.notebook, open.at) + by, 0, last));
		});
	/** Marks one more cell above or below, as Shift with an arrow key marks text in an editor. */
	const mark = (by: 1 | -1) =>
		withOpen(open => {
			const {notebook, at, marks} = open;
			if (cellAt(open) === undefined) return noCells();
			const from = marks === null || markedCells(open).length === 0 ? at : marks.from;
			const to = clamp(indexOfKey(notebook, at) + by, 0, notebook.cells.length - 1);
			choose(to);
			change({marks: {from, to: notebook.cells[to]?.key ?? from}});
		});
	/** Scrolls by one screen and selects the first cell that starts there. */
	const page = (by: 1 | -1) =>
		withOpen(open => {
			const laid = layoutNotebook(open, room());
			const {height} = room();
			const total = startOf(laid.blocks, laid.blocks.length);
			const top = clamp(laid.top + by * Math.max(1, height - 1), 0, Math.max(0, total - height));
			const isAtEnd = top === laid.top;
			const owner = blockAtRow(laid.blocks, top)?.block ?? 0;
			const next = startOf(laid.blocks, owner) < top && startOf(laid.blocks, owner + 1) < top + height;
			const index = isAtEnd ? (by > 0 ? laid.blocks.length - 1 : 0) : next ? owner + 1 : owner;
			change({
				top: topAt(open, laid.blocks, top),
				...(open.editing === null && {at: open.notebook.cells[index]?.key ?? open.at, marks: null}),
			});
		});
	const sideways = (by: 1 | -1) =>
		withOpen(open => {
			const cell = cellAt(open);
			if (cell === undefined) return 'There is no cell';
			const placed = (left: number): OpenNotebook['sideways'] => new Map(open.sideways).set(cell.key, left);
			const left = open.sideways.get(cell.key) ?? 0;
			const to = movedSideways(each => rowsOf(cell, {...open, sideways: placed(each)}, room()), left, by);
			if (typeof to === 'string') return to;
			change({sideways: placed(to)});
		});
	return {
		up: step(-1),
		down: step(1),
		markUp: mark(-1),
		markDown: mark(1),
		pageUp: page(-1),
		pageDown: page(1),
		first: step(-Infinity),
		last: step(Infinity),
		left: sideways(-1),
		right: sideways(1),
	};
};
