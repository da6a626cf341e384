import type {InputRequest} from '../../api/client-types.ts';
import type {Failure} from '../../api/failure.ts';
import type {ExecutedCell} from '../../contract/cells.ts';
import type {Editor} from '../../text/editor/editor.ts';
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

export type Asks = {readonly cell: number; readonly question: InputRequest; readonly field: Editor};

export const isPending = (cell: Cell): boolean =>
	cell.state === 'queued' || cell.state === 'running' || cell.state === 'detached';

type Cells = {readonly cells: readonly Cell[]};
type Activity = {readonly running: Cell | undefined; readonly queued: number};
const activities = new WeakMap<readonly Cell[], Activity>();

/** What the cells are doing, looked up at every key: gone through once for an array of them, which nobody changes. */
const activityOf = (cells: readonly Cell[]): Activity => {
	const known = activities.get(cells);
	if (known !== undefined) return known;
	const found = {
		running: cells.find(cell => cell.state === 'running' || cell.state === 'detached'),
		queued: cells.filter(cell => cell.state === 'queued').length,
	};
	activities.set(cells, found);
	return found;
};

export const runningCell = ({cells}: Cells): Cell | undefined => activityOf(cells).running;
export const queuedCells = ({cells}: Cells): number => activityOf(cells).queued;
/** Whether a run ended with an error of its code. */
export const hasRaised = ({result}: {readonly result?: ExecutedCell | null}): boolean =>
	result?.outputs.some(each => each.output_type === 'error') ?? false;

export const hasFailed = (cell: Cell): boolean =>
	cell.state === 'failed' || cell.state === 'interrupted' || cell.state === 'gave-up' || hasRaised(cell);

/** Cells of a view, as their rows need them. */
export type ShownCells = {
	/** Those in the transcript. */
	readonly cells: readonly Cell[];
	/** Those of earlier programs that come before them once one reads that far up: laying them out takes a while. */
	readonly older: readonly Cell[];
	/** Files with cells that are older still. */
	readonly rest: string | null;
	/** Cells whose outputs are shown whole. */
	readonly unfolded: ReadonlySet<number>;
	/** Columns of a cell's wide tables that are beyond the left edge. */
	readonly sideways: ReadonlyMap<number, number>;
};
