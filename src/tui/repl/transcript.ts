import {DEFAULT_KERNEL} from '../../contract/names.ts';
import {createEditor, type Editor} from '../../text/editor/editor.ts';
import type {Asks, ShownCells} from '../cells/cell.ts';
import type {ByServer} from '../core/store/by-server.ts';
import {linkFor, type LinkState} from '../live/link-state.ts';

export type Repl = ShownCells & {
	readonly draft: Editor;
	/** Sources that were run, oldest first. */
	readonly history: readonly string[];
	/** Which entry of the history the draft shows; its length means none. */
	readonly historyAt: number;
	/** The draft before the history was entered. */
	readonly stash: string;
	/** First row of the transcript on screen, as a row of a cell: what changes above it does not move it. Null follows the end. */
	readonly top: {readonly cell: number; readonly row: number} | null;
	/** Cell under the cursor of the transcript; null is the last. */
	readonly selected: number | null;
	readonly kernel: string;
	/** A cell waits for a line, and what is typed for it: kept nowhere else, since it may be secret. */
	readonly asks: Asks | null;
	/** What is looked for in the cells, and where it was found last: a row of a cell that is not folded, the `number`th of `count`. */
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

/** What is known of the code of a server. */
export const replOf = ({repls}: {readonly repls: ByServer<Repl>}, server: string): Repl =>
	repls.get(server) ?? EMPTY_REPL;

/** Route of the cells of a server's REPL. */
export const replLink = (
	state: {readonly links: ByServer<LinkState>; readonly repls: ByServer<Repl>},
	server: string,
): LinkState | undefined => linkFor(state.links.get(server), replOf(state, server));

const indexes = new WeakMap<Repl['cells'], ReadonlyMap<number, number>>();

/** Place of a cell among all; -1 when there is none. */
export const indexOfCell = ({cells}: Pick<Repl, 'cells'>, id: number): number => {
	const known = indexes.get(cells) ?? new Map(cells.map((cell, index) => [cell.id, index]));
	indexes.set(cells, known);
	return known.get(id) ?? -1;
};
