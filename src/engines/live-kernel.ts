import type {CellOutput} from '../contract/cells.ts';

/** A cell to run. Each run has an object of its own, which identifies its events. */
export type Cell = {
	readonly code: string;
	/** Does not increment the counter. */
	readonly uncounted?: boolean;
	/** Does not show the value of the last expression. */
	readonly silent?: boolean;
	/** True if a client answers `input()`. */
	readonly stdin?: boolean;
};

export type CellEnd = {
	readonly execution_count: number;
	/** The error output that ended the cell. */
	readonly error: CellOutput | undefined;
};

/** Outputs follow nbformat 4, or are additions of Jupyter's messages with their `transient`. */
export type KernelEvent =
	| {readonly type: 'begin'; readonly cell: Cell; readonly execution_count: number}
	/**
	 * `cell`: the running cell, or the last cell for output after its end. Null before the first
	 * cell.
	 */
	| {readonly type: 'output'; readonly cell: Cell | null; readonly output: CellOutput}
	| {readonly type: 'input'; readonly cell: Cell; readonly prompt: string; readonly password: boolean}
	| {readonly type: 'end'; readonly cell: Cell; readonly end: CellEnd}
	| {readonly type: 'restarting'}
	| {readonly type: 'started'};

/** Requests about code and variables, named as in Jupyter's messages. */
export type Assistance = 'complete' | 'inspect' | 'is_complete' | 'expressions';

/** An observable kernel. Events include cells of `Session.run`; all work shares one queue. */
export interface LiveKernel {
	/** Version of Python. */
	readonly python: string;
	/** Process that runs the code; null if there is none. */
	pid(): number | null;
	/** @returns the function that stops watching. */
	watch(listener: (news: KernelEvent) => void): () => void;
	/** Errors of the code do not reject. @throws {Error} if the session is closed. */
	run(cell: Cell, signal?: AbortSignal): Promise<CellEnd>;
	/** Null if there is no reply. Queued, so that it sees the variables of earlier cells. */
	ask(question: Assistance, argument: unknown): Promise<unknown>;
	/** Answers the pending `input()`, if there is one. */
	input(text: string): void;
	interrupt(): void;
	/** Restarts the kernel. A running cell ends with an error. */
	restart(): Promise<void>;
}

/** A kernel beside the default one, which its client starts and ends. */
export interface OwnKernel extends LiveKernel {
	/** Resolves with a sentence if the kernel has ended and cannot be started again. */
	readonly ended: Promise<string>;
	/** Ends the kernel's process. Never rejects. */
	close(): Promise<void>;
}
