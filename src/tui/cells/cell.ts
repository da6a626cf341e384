import type {InputRequest} from '../../api/client-types.ts';
import type {Failure} from '../../api/failure.ts';
import type {ExecutedCell} from '../../contract/cells.ts';
import type {Editor} from '../../text/editor/editor.ts';
import type {Picture} from '../pictures/read-picture.ts';

/**
 * `kernel`: the kernel has the cell, after earlier cells. `detached`: the user stopped waiting; the
 * request is open, and a late result still appears here. `interrupted`: the request was closed and
 * the local service stopped the code. `gave-up`: the request was closed, and the server may still
 * run the cell. `unknown`: the program ended before the result arrived. `unanswered`: the same
 * while the cell waited for input. `skipped`: not sent, because an earlier cell of the same run
 * failed or the user removed the cell from the queue.
 */
export type CellState =
	| 'queued'
	| 'kernel'
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
	/**
	 * Time of sending in ms since the epoch, or the end of an earlier cell that the service was
	 * still running then. Null before the start.
	 */
	readonly startedAt: number | null;
	readonly endedAt: number | null;
	readonly result: ExecutedCell | null;
	readonly failure: Failure | null;
	/** Decoded pictures by the index of their output. */
	readonly pictures: ReadonlyMap<number, Picture>;
	/**
	 * The run of the program in which the cell was submitted, with the cell's time and number in
	 * it. Null for cells of this run.
	 */
	readonly earlier: {readonly session: string; readonly at: number; readonly id?: number} | null;
	/** Kernel and process that ran the cell, as `KERNEL/PROCESS`; undefined if unknown. */
	readonly life?: string | undefined;
	/** Number of cells that the kernel ran for other programs since the previous cell. */
	readonly others?: number | undefined;
	/** True if the cell's kernel ended during or after the cell. */
	readonly isLastOfKernel?: true | undefined;
};

export type Asks = {readonly cell: number; readonly question: InputRequest; readonly field: Editor};

/** True for a cell that waits for earlier cells, in this program or in the kernel. */
export const isWaiting = ({state}: {readonly state: CellState}): boolean =>
	state === 'queued' || state === 'kernel';

export const isPending = (cell: Pick<Cell, 'state'>): boolean =>
	isWaiting(cell) || cell.state === 'running' || cell.state === 'detached';

type Cells = {readonly cells: readonly Cell[]};
type Activity = {readonly running: Cell | undefined; readonly queued: number};
const activities = new WeakMap<readonly Cell[], Activity>();

/** Activity of an array of cells. Cached, because each key press reads it; arrays never change. */
const activityOf = (cells: readonly Cell[]): Activity => {
	const known = activities.get(cells);
	if (known !== undefined) return known;
	const found = {
		running: cells.find(cell => cell.state === 'running' || cell.state === 'detached'),
		queued: cells.filter(isWaiting).length,
	};
	activities.set(cells, found);
	return found;
};

export const runningCell = ({cells}: Cells): Cell | undefined => activityOf(cells).running;
export const queuedCells = ({cells}: Cells): number => activityOf(cells).queued;
/** True if the code of a cell raised an error. */
export const hasRaised = ({result}: {readonly result?: ExecutedCell | null}): boolean =>
	result?.outputs.some(each => each.output_type === 'error') ?? false;

export const hasFailed = (cell: Cell): boolean =>
	cell.state === 'failed' || cell.state === 'interrupted' || cell.state === 'gave-up' || hasRaised(cell);

/** The cells of a view, and the data that their rows depend on. */
export type ShownCells = {
	/** Cells in the transcript. */
	readonly cells: readonly Cell[];
	/**
	 * Cells of earlier runs that are not in `cells` yet. They are laid out only when the user
	 * scrolls up to them, because that takes a while.
	 */
	readonly older: readonly Cell[];
	/** Path of the files with even older cells; null for none. */
	readonly rest: string | null;
	/** Cells whose outputs are unfolded. */
	readonly unfolded: ReadonlySet<number>;
	/** Number of columns of each cell's wide tables that are scrolled out of view at the left. */
	readonly sideways: ReadonlyMap<number, number>;
};
