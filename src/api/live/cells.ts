import type {LiveChange, LiveOutcome, LiveRecorder} from '../client-types.ts';
import type {CellOutputs} from './cell-outputs.ts';
import type {InputRequests} from './input-requests.ts';

/** Limits of the ended cells that still receive late outputs: their number and size. */
const MAX_ENDED_CELLS = 200;
const MAX_ENDED_SIZE = 16 << 20;

export type Cell = {
	readonly outputs: CellOutputs;
	readonly questions: InputRequests;
	readonly onChange: LiveChange;
	readonly onLink: ((isOpen: boolean) => void) | undefined;
	readonly settle: (end: LiveOutcome) => void;
	readonly record: LiveRecorder | undefined;
	over: boolean;
	/** True once the kernel runs the cell. */
	began: boolean;
	/** True if the kernel dropped the cell, because an earlier one raised an error. */
	wasAborted: boolean;
	idle: boolean;
	replied: boolean;
	wasCut: boolean;
	/** True if sent before the kernel responded on the channel, so that outputs may be lost. */
	wasUnheard: boolean;
	/** Number of messages received for the cell. */
	heard: number;
	/**
	 * Number of cells of other clients that ran between the previous cell of this link and this
	 * one.
	 */
	others: number;
};

/** Cells of a kernel by their request ids. */
export type Cells = Pick<ReadonlyMap<string, Cell>, 'get' | 'has' | 'values'> & {
	add(request: string, cell: Cell): void;
	/** Removes a cell that was not sent. */
	remove(request: string): void;
	/** Cells that have not ended, in the order in which they were sent. */
	pending(): readonly Cell[];
	/** Ends a cell. Does nothing if the cell has already ended. */
	finish(cell: Cell, end: LiveOutcome): void;
	finishAll(end: (cell: Cell) => LiveOutcome): void;
};

/** End of a cell with unknown outcome. `message` gives the reason. */
export const unknownEnd = (message: string): LiveOutcome => ({
	kind: 'failed',
	failure: {
		kind: 'connection-lost',
		method: '',
		path: '',
		message,
		advice: 'The cell was not sent again. Check its effects before running it again.',
	},
});

export const createCells = (): Cells => {
	const cells = new Map<string, Cell>();
	/** Cached, because it is read for each message, and a queue has hundreds of cells. */
	let pending: readonly Cell[] = [];
	/** Removes ended cells beyond the limits, the oldest first. */
	const tidy = (): void => {
		const done = [...cells].filter(([, cell]) => cell.over);
		let size = done.reduce((sum, [, {outputs}]) => sum + outputs.size(), 0);
		let left = done.length;
		for (const [key, {outputs}] of done) {
			if (left <= MAX_ENDED_CELLS && size <= MAX_ENDED_SIZE) break;
			cells.delete(key);
			size -= outputs.size();
			left--;
		}
	};
	const finish = (cell: Cell, end: LiveOutcome): void => {
		if (cell.over) return;
		cell.over = true;
		pending = pending.filter(each => each !== cell);
		cell.settle(end);
		tidy();
	};
	return {
		get: request => cells.get(request),
		has: request => cells.has(request),
		values: () => cells.values(),
		add(request, cell) {
			cells.set(request, cell);
			pending = [...pending, cell];
		},
		remove(request) {
			pending = pending.filter(each => each !== cells.get(request));
			cells.delete(request);
		},
		pending: () => pending,
		finish,
		finishAll(end) {
			for (const cell of pending) finish(cell, end(cell));
		},
	};
};
