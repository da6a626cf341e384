import type {LiveQuestion} from '../../api/client-types.ts';
import type {Failure} from '../../api/failure.ts';
import type {CellOutput, ExecutedCell} from '../../contract/cells.ts';
import {DEFAULT_KERNEL} from '../../contract/names.ts';
import {joined} from '../../text/output/multiline.ts';
import {fieldsOf} from '../../text/record.ts';
import {createEditor, type Editor} from '../../text/editor/editor.ts';
import type {ByServer} from '../core/store/by-server.ts';
import type {Picture} from '../pictures/read-picture.ts';

/**
 * `detached`: the user stopped waiting; the request is open and a late answer still lands here.
 * `interrupted`: the request was closed and the local service stopped the code; `gave-up`: closed, and the server may still run it.
 * `unanswered`: as `unknown`, while it waited for an answer.
 * `skipped`: not sent, since a cell before it in the same order failed, or taken out of the queue.
 * `unknown`: the program ended before the answer was there.
 */
export type CellState =
	| 'queued'
	| 'running'
	| 'detached'
	| 'done'
	| 'failed'
	| 'interrupted'
	| 'gave-up'
	| 'skipped'
	| 'unknown'
	| 'unanswered';

export type Cell = {
	readonly id: number;
	readonly source: string;
	readonly state: CellState;
	/** ms since the epoch: when it was sent, or when the cell before it was over that the service had still to run. */
	readonly startedAt: number | null;
	readonly endedAt: number | null;
	readonly result: ExecutedCell | null;
	readonly failure: Failure | null;
	/** Pictures among the outputs by the index of their output, as they are read. */
	readonly pictures: ReadonlyMap<number, Picture>;
	/** In which earlier program it was handed in, when, and its number there; null for cells of this one. */
	readonly earlier: {readonly session: string; readonly at: number; readonly id?: number} | null;
	/** `KERNEL/PROCESS` of who ran it, where that is known. */
	readonly life?: string | undefined;
	/** Cells of others that its kernel was heard to run since the cell before it. */
	readonly others?: number | undefined;
	/** Its kernel ended afterwards, or while it ran. */
	readonly isLastOfKernel?: true | undefined;
};

export type Asks = {readonly cell: number; readonly question: LiveQuestion; readonly field: Editor};

export type Repl = {
	/** Those in the transcript. */
	readonly cells: readonly Cell[];
	/** Those of earlier programs that come before them once one reads that far up: laying them out takes a while. */
	readonly older: readonly Cell[];
	/** Files with cells that are older still. */
	readonly rest: string | null;
	readonly draft: Editor;
	/** Sources that were run, oldest first. */
	readonly history: readonly string[];
	/** Which entry of the history the draft shows; its length means none. */
	readonly historyAt: number;
	/** What was being typed before the history was entered. */
	readonly stash: string;
	/** First row of the transcript on screen, as a row of a cell: what changes above it does not move it. Null follows the end. */
	readonly top: {readonly cell: number; readonly row: number} | null;
	/** Cell under the cursor of the transcript; null is the last. */
	readonly selected: number | null;
	/** Cells whose outputs are shown whole. */
	readonly unfolded: ReadonlySet<number>;
	/** Columns of a cell's wide tables that are beyond the left edge. */
	readonly sideways: ReadonlyMap<number, number>;
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

export const isPending = (cell: Cell): boolean =>
	cell.state === 'queued' || cell.state === 'running' || cell.state === 'detached';

type Activity = {readonly running: Cell | undefined; readonly queued: number};
const activities = new WeakMap<Repl['cells'], Activity>();
const indexes = new WeakMap<Repl['cells'], ReadonlyMap<number, number>>();

/** What the cells are doing, looked up at every key: gone through once for an array of them, which nobody changes. */
const activityOf = (cells: Repl['cells']): Activity => {
	const known = activities.get(cells);
	if (known !== undefined) return known;
	const found = {
		running: cells.find(cell => cell.state === 'running' || cell.state === 'detached'),
		queued: cells.filter(cell => cell.state === 'queued').length,
	};
	activities.set(cells, found);
	return found;
};

export const runningCell = ({cells}: Pick<Repl, 'cells'>): Cell | undefined => activityOf(cells).running;
export const queuedCells = ({cells}: Pick<Repl, 'cells'>): number => activityOf(cells).queued;
/** Place of a cell among all; -1 when there is none. */
export const indexOfCell = ({cells}: Pick<Repl, 'cells'>, id: number): number => {
	const known = indexes.get(cells) ?? new Map(cells.map((cell, index) => [cell.id, index]));
	indexes.set(cells, known);
	return known.get(id) ?? -1;
};
/** Whether a run ended with an error of its code. */
export const hasRaised = ({result}: {readonly result?: ExecutedCell | null}): boolean =>
	result?.outputs.some(each => each.output_type === 'error') ?? false;

export const hasFailed = (cell: Cell): boolean =>
	cell.state === 'failed' || cell.state === 'interrupted' || cell.state === 'gave-up' || hasRaised(cell);

const SVG = 'image/svg+xml';

/** Media types of pictures that are drawn, the best first. */
const PICTURES = ['image/png', 'image/jpeg', SVG] as const;

/** The media type of the picture in an output; null where it has none. */
export const pictureType = ({data}: CellOutput): (typeof PICTURES)[number] | null =>
	PICTURES.find(type => joined(fieldsOf(data)[type]) !== '') ?? null;

/** The picture in an output as it was sent. */
export const pictureIn = (output: CellOutput): Uint8Array | null => {
	const type = pictureType(output);
	if (type === null) return null;
	const text = joined(fieldsOf(output['data'])[type]);
	return Buffer.from(text, type === SVG ? 'utf8' : 'base64');
};

/** The last of the pictures among outputs, as it was sent. */
export const lastPictureIn = (outputs: readonly CellOutput[]): Uint8Array | null =>
	outputs.map(pictureIn).findLast(each => each !== null) ?? null;

export const NO_PICTURE = 'This cell has no picture';
