import type {CellOutput} from '../contract/cells.ts';

/** Cell to run. Its events contain the same object, so each run needs its own object. */
export type Cell = {
	readonly code: string;
	/** True if the cell must not increment the execution count. */
	readonly uncounted?: boolean;
	/** True to hide the value of the last expression. */
	readonly silent?: boolean;
	/** True if a client responds to `input()`. */
	readonly stdin?: boolean;
};

export type CellEnd = {
	readonly execution_count: number;
	/** Error output of the cell's code. Undefined if it succeeded. */
	readonly error: CellOutput | undefined;
};

/**
 * Event of a kernel. Outputs are in nbformat 4, or are Jupyter messages that nbformat lacks, such
 * as `update_display_data`. They may contain Jupyter's `transient`.
 */
export type KernelEvent =
	| {readonly type: 'begin'; readonly cell: Cell; readonly execution_count: number}
	/**
	 * `cell`: the running cell. For output after a cell has ended, the last cell. Null before the
	 * first cell.
	 */
	| {readonly type: 'output'; readonly cell: Cell | null; readonly output: CellOutput}
	| {readonly type: 'input'; readonly cell: Cell; readonly prompt: string; readonly password: boolean}
	| {readonly type: 'end'; readonly cell: Cell; readonly end: CellEnd}
	| {readonly type: 'restarting'}
	| {readonly type: 'started'};

/** Requests about code and variables, named after Jupyter's messages. */
export type Assistance = 'complete' | 'inspect' | 'is_complete' | 'expressions';

/**
 * Kernel that clients can observe. Its events include the cells of `Session.run`. All its work is
 * in one queue.
 */
export interface LiveKernel {
	/** Version of Python. */
	readonly python: string;
	/** Id of the process that runs the code. Null if there is none. */
	pid(): number | null;
	/** Registers a listener. @returns a function that removes it. */
	watch(listener: (news: KernelEvent) => void): () => void;
	/** Runs a cell. Errors of the code do not reject. @throws {Error} if the session is closed. */
	run(cell: Cell, signal?: AbortSignal): Promise<CellEnd>;
	/**
	 * Sends a request about code or variables. Queued, so that it sees the variables of earlier
	 * cells. Null if there is no reply.
	 */
	ask(question: Assistance, argument: unknown): Promise<unknown>;
	/** Sends the user's input to the pending `input()`, if there is one. */
	input(text: string): void;
	interrupt(): void;
	/** Restarts the kernel. A running cell ends with an error. */
	restart(): Promise<void>;
}

/** Additional kernel, which its client starts and ends. */
export interface OwnKernel extends LiveKernel {
	/** Resolves with a sentence if the kernel has ended and cannot be started again. */
	readonly ended: Promise<string>;
	/** Ends the kernel's process. Never rejects. */
	close(): Promise<void>;
}
