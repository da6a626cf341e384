import type {LiveChange, LiveOutcome, LiveRecorder} from '../client-types.ts';
import type {CellOutputs} from './cell-outputs.ts';
import type {InputRequests} from './input-requests.ts';

/** Cells that are over and whose late outputs are still taken, and what they may hold. */
const KEPT_CELLS = 200;
const KEPT_SIZE = 16 << 20;

export type Cell = {
	readonly outputs: CellOutputs;
	readonly questions: InputRequests;
	readonly onChange: LiveChange;
	readonly onLink: ((isOpen: boolean) => void) | undefined;
	readonly settle: (end: LiveOutcome) => void;
	readonly record: LiveRecorder | undefined;
	over: boolean;
	idle: boolean;
	replied: boolean;
	wasCut: boolean;
	/** Sent on a channel on which the kernel was not heard: what it publishes may not come. */
	wasUnheard: boolean;
	/** Messages of it so far. */
	heard: number;
	/** Cells of others that ran before it, since the one before it. */
	others: number;
};

/** The cells of a kernel by the ids of their requests. */
export type Cells = Pick<ReadonlyMap<string, Cell>, 'get' | 'has' | 'values'> & {
	add(request: string, cell: Cell): void;
	/** It was not sent. */
	remove(request: string): void;
	/** Those that are not over. */
	pending(): readonly Cell[];
	/** Does nothing with one that is over. */
	finish(cell: Cell, end: LiveOutcome): void;
	finishAll(end: (cell: Cell) => LiveOutcome): void;
};

/** How a cell ended is not known; `message` says why. */
export const unknownEnd = (message: string): LiveOutcome => ({
	kind: 'failed',
	failure: {
		kind: 'connection-lost',
		method: '',
		path: '',
		message,
		advice: 'It is not sent again. Look what it did before you run it once more.',
	},
});

export const createCells = (): Cells => {
	const cells = new Map<string, Cell>();
	const pending = (): readonly Cell[] => [...cells.values()].filter(cell => !cell.over);
	/** Cells that are over are forgotten, the oldest first. */
	const tidy = (): void => {
		const done = [...cells].filter(([, cell]) => cell.over);
		let size = done.reduce((sum, [, {outputs}]) => sum + outputs.size(), 0);
		let left = done.length;
		for (const [key, {outputs}] of done) {
			if (left <= KEPT_CELLS && size <= KEPT_SIZE) break;
			cells.delete(key);
			size -= outputs.size();
			left--;
		}
	};
	const finish = (cell: Cell, end: LiveOutcome): void => {
		if (cell.over) return;
		cell.over = true;
		cell.settle(end);
		tidy();
	};
	return {
		get: request => cells.get(request),
		has: request => cells.has(request),
		values: () => cells.values(),
		add: (request, cell) => void cells.set(request, cell),
		remove: request => void cells.delete(request),
		pending,
		finish,
		finishAll(end) {
			for (const cell of pending()) finish(cell, end(cell));
		},
	};
};
