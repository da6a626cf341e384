import type {Assistance} from '../live-kernel.ts';
import type {Question} from '../lookup.ts';
import type {StreamName} from '../../kernel/output-buffer.ts';

// Protocol between the parent process and the engine process. Messages are JSON lines on fd 3,
// requests JSON lines on fd 5, and lines for `input()` JSON lines on fd 6. Interrupts are
// little-endian 32-bit request ids on fd 4. The end of fd 4 means that the parent process has
// ended. Node's IPC channel is not used, because Python code could flood or close it.

export const OUTPUT_FD = 3;
export const INTERRUPT_FD = 4;
export const REQUEST_FD = 5;
export const INPUT_FD = 6;

/** Maximum size of a message in bytes. `outputs.py` enforces a lower limit. */
export const MESSAGE_LIMIT = 64 << 20;

/**
 * Passed as JSON in the first argument of the engine process. If `root` is null, the process only
 * answers look-ups.
 */
export type EngineConfig = {
	readonly root: string | null;
	readonly snapshot: string | null;
	/** True if the folder is the user's own. */
	readonly isProject?: boolean;
	/** Packages to install at the start from local files. Null for none. */
	readonly packages?: EnginePackages | null;
};

export type EnginePackages = {
	readonly folder: string;
	/** Path of Pyodide's lock file. */
	readonly lock: string;
	/** Packages to install: names from the lock file, and paths of wheels in the folder. */
	readonly names: readonly string[];
};

export type Request =
	| {
			readonly id: number;
			readonly type: 'run';
			readonly code: string;
			/** True if a client responds to `input()`. */
			readonly stdin?: boolean;
			/** True if the cell must not increment the execution count. */
			readonly uncounted?: boolean;
			/** True to hide the value of the last expression. */
			readonly silent?: boolean;
			/** Packages to install before the code runs, as in `EnginePackages`. */
			readonly packages?: readonly string[];
	  }
	/** Request about code and variables. `argument` and the reply are JSON. */
	| {readonly id: number; readonly type: 'assist'; readonly question: Assistance; readonly argument: string}
	| {readonly id: number; readonly type: 'ask'; readonly question: Question; readonly argument: string};

/** Line for `input()`, sent on fd 6. `number` identifies the input request. */
export type InputLine = {readonly number: number; readonly text: string};

export type EngineMessage =
	| {readonly type: 'ready'; readonly python: string}
	| {readonly type: 'stream'; readonly name: StreamName; readonly text: string}
	/** Output in nbformat, `update_display_data` or `clear_output`. May contain `transient`. */
	| {readonly type: 'output'; readonly output: unknown}
	/** Code is waiting for a line of input. `number` counts the input requests. */
	| {readonly type: 'input'; readonly number: number; readonly prompt: string; readonly password: boolean}
	| {readonly type: 'done'; readonly id: number; readonly executionCount: number}
	| {readonly type: 'answer'; readonly id: number; readonly json: string}
	/** The interpreter cannot continue. The process ends immediately afterwards. */
	| {readonly type: 'died'; readonly reason: string};
