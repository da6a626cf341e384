import type {CellOutput} from '../contract/cells.ts';

/** A cell that is to run; each run is an object of its own, which tells its news apart. */
export type Cell = {
	readonly code: string;
	/** Leaves the counter as it is. */
	readonly uncounted?: boolean;
	/** Shows no value of the last expression. */
	readonly silent?: boolean;
	/** Somebody answers input(). */
	readonly stdin?: boolean;
};

export type CellEnd = {
	readonly execution_count: number;
	/** The output with which it ended, where that is an error. */ readonly error: CellOutput | undefined;
};

/** What a kernel says as it happens; outputs are nbformat 4's, or those that Jupyter's messages have beside them, with their `transient`. */
export type KernelEvent =
	| {readonly type: 'begin'; readonly cell: Cell; readonly execution_count: number}
	/** `cell` is the last one where something came after its end; null before the first. */
	| {readonly type: 'output'; readonly cell: Cell | null; readonly output: CellOutput}
	| {readonly type: 'input'; readonly cell: Cell; readonly prompt: string; readonly password: boolean}
	| {readonly type: 'end'; readonly cell: Cell; readonly end: CellEnd}
	| {readonly type: 'restarting'}
	| {readonly type: 'started'};

/** Questions about the names of the cells, in Jupyter's words. */
export type Assistance = 'complete' | 'inspect' | 'is_complete' | 'expressions';

/** A kernel that others watch. What `Session.run` runs is announced as well, and everything takes its turn with it. */
export interface LiveKernel {
	/** Version of its Python. */
	readonly python: string;
	/** The process that runs the code now; null while there is none. */
	pid(): number | null;
	/** @returns what ends it. */
	watch(listener: (news: KernelEvent) => void): () => void;
	/** Never rejects for what the code does. @throws {Error} when the session is closed. */
	run(cell: Cell, signal?: AbortSignal): Promise<CellEnd>;
	/** Null when there is no answer. Takes its turn: the names are those after the cells that were sent before. */
	ask(question: Assistance, argument: unknown): Promise<unknown>;
	/** Answers the question that code waits for now, if it does. */
	input(text: string): void;
	/** The last cell that failed, whoever ran it, with its error; what was interrupted did not. */
	failed(): {readonly code: string; readonly error: CellOutput} | null;
	/** Interrupts what runs now, if something does. */
	interrupt(): void;
	/** Ends the kernel and starts it again; what runs ends with an error. */
	restart(): Promise<void>;
}
