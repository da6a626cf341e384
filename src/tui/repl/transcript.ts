import {DEFAULT_KERNEL} from '../../contract/names.ts';
import {sessionOf} from '../../run/open-kernel.ts';
import {createEditor, type Editor} from '../../text/editor/editor.ts';
import type {Asks, ShownCells} from '../cells/cell.ts';
import type {ByServer} from '../core/store/by-server.ts';
import {linkFor, type LinkState} from '../live/link-state.ts';

export type Repl = ShownCells & {
	readonly draft: Editor;
	/** Code that was run, oldest first. */
	readonly history: readonly string[];
	/** Index of the history entry in the draft; the history's length means none. */
	readonly historyAt: number;
	/** Text typed before the user entered the history. */
	readonly stash: string;
	/**
	 * First visible row, as a row of a cell, so that changes above leave the view in place. Null
	 * follows the end.
	 */
	readonly top: {readonly cell: number; readonly row: number} | null;
	/** Selected cell of the transcript; null for the last one. */
	readonly selected: number | null;
	readonly kernel: string;
	/**
	 * Question of a cell that waits for input, with the typed answer. Never stored on disk, because
	 * the answer may be secret.
	 */
	readonly asks: Asks | null;
	/** Search in the cells. `at`: the current hit, as a row of an unfolded cell. */
	readonly find: {
		readonly field: Editor;
		readonly at: {
			readonly cell: number;
			readonly row: number;
			readonly number: number;
			readonly count: number;
		} | null;
	};
};

export const EMPTY_REPL: Repl = {
	cells: [],
	older: [],
	rest: null,
	draft: createEditor(),
	history: [],
	historyAt: 0,
	stash: '',
	top: null,
	selected: null,
	unfolded: new Set(),
	sideways: new Map(),
	kernel: DEFAULT_KERNEL,
	asks: null,
	find: {field: createEditor(), at: null},
};

/** State of a server's REPL. */
export const replOf = ({repls}: {readonly repls: ByServer<Repl>}, server: string): Repl =>
	repls.get(server) ?? EMPTY_REPL;

/** Link that the cells of a server's REPL use. */
export const replLink = (
	state: {readonly links: ByServer<LinkState>; readonly repls: ByServer<Repl>},
	server: string,
): LinkState | undefined =>
	linkFor(state.links.get(server), sessionOf({kind: 'repl', kernel: replOf(state, server).kernel}));

const indexes = new WeakMap<Repl['cells'], ReadonlyMap<number, number>>();

/** Index of the cell with this id; -1 if there is none. */
export const indexOfCell = ({cells}: Pick<Repl, 'cells'>, id: number): number => {
	const known = indexes.get(cells) ?? new Map(cells.map((cell, index) => [cell.id, index]));
	indexes.set(cells, known);
	return known.get(id) ?? -1;
};
