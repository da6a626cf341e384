import type {CellOutput} from '../contract/cells.ts';
import type {LiveKernel, OwnKernel} from './live-kernel.ts';
import type {Lookup} from './lookup.ts';

export type {Lookup, OutlineItem} from './lookup.ts';

/** Result of a cell. `execution_count` is the session's counter; outputs follow nbformat 4. */
export type RunResult = {readonly execution_count: number; readonly outputs: readonly CellOutput[]};

/** Cell whose code raised `error`. */
export type FailedCell = {readonly code: string; readonly error: CellOutput};

/** Reason for the end of a session whose server a client shut down at the server's own address. */
export const SHUT_DOWN = 'Shut down. Files are kept; start it again to continue.';

/**
 * A session could not be started. The message tells the user the reason and a remedy, in a
 * sentence.
 */
export class StartError extends Error {}

/** The engine has no kernel of this name. The message is a sentence that lists the valid names. */
export class UnknownKernelError extends Error {}

/** The session's server does not respond, but is not known to have ended. */
export class UnreachableSessionError extends Error {}

/** Started server: its kernels and the state of its code. Runs are executed one at a time. */
export interface Session {
	/**
	 * Runs one cell. Exceptions, interrupts and dead kernels become `error` outputs, not
	 * rejections. Aborting the signal interrupts the code; the run then resolves with
	 * KeyboardInterrupt.
	 * @throws {UnknownKernelError} if there is no such kernel.
	 * @throws {UnreachableSessionError} if the server does not respond.
	 */
	run(code: string, options: {readonly kernel: string; readonly signal?: AbortSignal}): Promise<RunResult>;
	readonly lookup: Lookup;
	/**
	 * The default kernel, for engines that let clients observe it directly instead of through a
	 * server of their own.
	 */
	readonly kernel?: LiveKernel;
	/**
	 * Starts an additional kernel in a separate process, which ends with the session.
	 * @throws {Error} with the reason.
	 */
	startKernel?(): Promise<OwnKernel>;
	/** Number of kernels other than the default one. */
	kernels?(): {readonly running: number; readonly starting: number};
	/**
	 * Last failed cell of any client in any kernel, not counting interrupted cells. Null if there
	 * is none.
	 */
	failed?(): FailedCell | null;
	/** The server's own address and token. Absent if the engine has no such address. */
	readonly address?: {
		readonly url: string;
		readonly token: string;
		/** Path of the user interface, relative to the URL. Null if there is none. */
		readonly page: string | null;
	};
	/** Address of a program that listens on the server's port. Absent if programs cannot listen. */
	readonly forward?: string;
	/**
	 * True if clients used the server at its own address after `time` (ms since the epoch). Never
	 * rejects.
	 */
	usedSince?(time: number): Promise<boolean>;
	/**
	 * True if any kernel that clients started themselves is running, since it may hold variables.
	 * Never rejects.
	 */
	hasKernel?(): Promise<boolean>;
	/** Resolves with the reason as a sentence if the session ends without a call of `close`. */
	readonly ended: Promise<string>;
	/** Ends every process of the session. Never rejects. */
	close(): Promise<void>;
}

export type SessionOptions = {
	/** Absolute path of the server's folder, which is the working directory of the code. */
	readonly root: string;
	/** True if the folder is the user's own, in which case its `.git` is hidden from the code. */
	readonly isProject?: boolean;
	readonly environment: string;
	/** Name and owner of the server, and the port for programs that run on it. */
	readonly server: {readonly name: string; readonly user: string; readonly port: number};
	/** Port and token of the server itself, for engines whose servers listen on this machine. */
	readonly own?: {readonly port: number; readonly token: string} | undefined;
	readonly compute: {
		readonly cpus: number;
		/** In bytes. 0 for no limit. */
		readonly memory: number;
		readonly gpus: number;
	};
	/** Called during a long start with a sentence about its progress. */
	readonly onProgress?: ((text: string) => void) | undefined;
	/**
	 * Returns the reason, as a sentence, why there is not enough memory for another kernel. Null if
	 * there is.
	 */
	readonly kernelRefusal?: (() => string | null) | undefined;
};

/** Runs code. Does not depend on HTTP or the screens. Its processes end with the service. */
export interface Engine {
	readonly name: 'pyodide' | 'jupyter';
	open(options: SessionOptions): Promise<Session>;
	/** Ends all processes that are not part of a session. */
	close(): Promise<void>;
}
