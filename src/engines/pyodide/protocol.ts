import type {Assistance} from '../live-kernel.ts';
import type {Question} from '../lookup.ts';
import type {StreamName} from '../../kernel/output-buffer.ts';

// Messages are lines of JSON on fd 3, requests lines of JSON on fd 5, interrupts little-endian
// 32-bit request ids on fd 4, and lines for `input()` JSON on fd 6. The end of fd 4 means that the
// parent is gone. Not Node's IPC channel, which code could flood or close.

export const OUTPUT_FD = 3;
export const INTERRUPT_FD = 4;
export const REQUEST_FD = 5;
export const INPUT_FD = 6;

/** Limit of a message in bytes. `outputs.py` enforces a smaller one. */
export const MESSAGE_LIMIT = 64 << 20;

/** First argument of the engine process, as JSON. Null `root`: it only answers look-ups. */
export type EngineConfig = {
	readonly root: string | null;
	readonly snapshot: string | null;
	/** True for the user's own folder. */
	readonly isProject?: boolean;
	/** Packages to install at the start, from files in a folder. Null for none. */
	readonly packages?: EnginePackages | null;
};

export type EnginePackages = {
	readonly folder: string;
	/** Path of Pyodide's lock file. */
	readonly lock: string;
	/** Names in the lock file, and paths of wheels in the folder. */
	readonly names: readonly string[];
};

export type Request =
	| {
			readonly id: number;
			readonly type: 'run';
			readonly code: string;
			/** True if a client answers `input()`. */
			readonly stdin?: boolean;
			/** Does not increment the counter. */
			readonly uncounted?: boolean;
			/** Does not show the value of the last expression. */
			readonly silent?: boolean;
			/** Packages to install first, as in `EnginePackages`. */
			readonly packages?: readonly string[];
	  }
	/** About code and variables. `argument` and the answer are JSON. */
	| {readonly id: number; readonly type: 'assist'; readonly question: Assistance; readonly argument: string}
	| {readonly id: number; readonly type: 'ask'; readonly question: Question; readonly argument: string};

/** Line on fd 6; `number` identifies the input request. */
export type InputLine = {readonly number: number; readonly text: string};

export type EngineMessage =
	| {readonly type: 'ready'; readonly python: string}
	| {readonly type: 'stream'; readonly name: StreamName; readonly text: string}
	/** An nbformat output, `update_display_data` or `clear_output`; may have `transient`. */
	| {readonly type: 'output'; readonly output: unknown}
	/** Code waits for a line; `number` counts the input requests. */
	| {readonly type: 'input'; readonly number: number; readonly prompt: string; readonly password: boolean}
	| {readonly type: 'done'; readonly id: number; readonly executionCount: number}
	| {readonly type: 'answer'; readonly id: number; readonly json: string}
	/** The interpreter cannot continue; the process ends right after. */
	| {readonly type: 'died'; readonly reason: string};
