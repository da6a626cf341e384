import type {Assistance} from '../live-kernel.ts';
import type {Question} from '../lookup.ts';
import type {StreamName} from '../../kernel/output-collector.ts';

// What the parent and the engine process say to each other. Answers travel as lines of JSON on fd 3, requests as lines of JSON on fd 5,
// interrupts as little-endian 32-bit request ids on fd 4, lines for input() as JSON on fd 6; the end of fd 4 means that the parent is gone. Not over
// Node's IPC channel: code could send on it without a bound, and close it.

/** File descriptors of the engine process. */
export const OUTPUT_FD = 3;
export const INTERRUPT_FD = 4;
export const REQUEST_FD = 5;
export const INPUT_FD = 6;

/** Bytes of an answer. The largest that `outputs.py` lets through is smaller. */
export const MESSAGE_LIMIT = 64 << 20;

/** First argument of the engine process, as JSON. Without a root it answers look-ups and runs no cell. */
export type EngineConfig = {
	readonly root: string | null;
	readonly snapshot: string | null;
	/** The folder is one of the user's own. */
	readonly isProject?: boolean;
};

export type Request =
	| {
			readonly id: number;
			readonly type: 'run';
			readonly code: string;
			/** Somebody answers input(). */
			readonly stdin?: boolean;
			/** Leaves the counter as it is. */
			readonly uncounted?: boolean;
			/** Shows no value of the last expression. */
			readonly silent?: boolean;
	  }
	/** About the names of the cells; `argument` and the answer are JSON. */
	| {readonly id: number; readonly type: 'assist'; readonly question: Assistance; readonly argument: string}
	| {readonly id: number; readonly type: 'ask'; readonly question: Question; readonly argument: string};

/** What is written to fd 6: `number` is that of the question. */
export type InputLine = {readonly number: number; readonly text: string};

export type EngineMessage =
	| {readonly type: 'ready'; readonly python: string}
	| {readonly type: 'stream'; readonly name: StreamName; readonly text: string}
	/** One nbformat output, or what Jupyter's messages have beside them: `update_display_data`, `clear_output`, `transient`. */
	| {readonly type: 'output'; readonly output: unknown}
	/** Code waits for a line; `number` counts the questions. */
	| {readonly type: 'input'; readonly number: number; readonly prompt: string; readonly password: boolean}
	| {readonly type: 'done'; readonly id: number; readonly executionCount: number}
	| {readonly type: 'answer'; readonly id: number; readonly json: string}
	/** The interpreter cannot go on; the process ends itself right after. */
	| {readonly type: 'died'; readonly reason: string};
