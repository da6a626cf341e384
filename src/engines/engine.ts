import type {CellOutput} from '../contract/cells.ts';
import type {LiveKernel, OwnKernel} from './live-kernel.ts';
import type {Lookup} from './lookup.ts';

export type {Lookup, OutlineItem} from './lookup.ts';

/** Result of a cell. `execution_count` is the session's counter; outputs follow nbformat 4. */
export type RunResult = {readonly execution_count: number; readonly outputs: readonly CellOutput[]};

/** A cell that raised `error`. */
export type FailedCell = {readonly code: string; readonly error: CellOutput};

/** Reason for the end of a session that a client shut down at its own address. */
export const SHUT_DOWN = 'Shut down. Files are kept; start it again to continue.';

/** A session cannot start. The message is a sentence for the user with the reason and a remedy. */
export class StartError extends Error {}

/** A kernel name that this engine lacks. The message is a sentence that lists the valid names. */
export class UnknownKernelError extends Error {}

/** The session's server cannot be reached, although it has not ended as far as known. */
export class UnreachableSessionError extends Error {}

/** A started server: its kernels and the state of its code. Runs execute one at a time. */
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
	/** The default kernel, if the engine lets clients observe it and has no server for them. */
	readonly kernel?: LiveKernel;
	/**
	 * Starts a kernel beside the default one, in a process of its own that ends with the session.
	 * @throws {Error} with the reason.
	 */
	startKernel?(): Promise<OwnKernel>;
	/** Number of kernels beside the default one. */
	kernels?(): {readonly running: number; readonly starting: number};
	/** The last failed cell of any client and kernel. Interrupted cells do not count. */
	failed?(): FailedCell | null;
	/** The server's own address and token; absent for an engine without one. */
	readonly address?: {
		readonly url: string;
		readonly token: string;
		/** Web page below the URL, or null. */
		readonly page: string | null;
	};
	/** Address of the program on the server's port; absent if there can be none. */
	readonly forward?: string;
	/** True if clients used the server itself after `time` (ms since the epoch). Never rejects. */
	usedSince?(time: number): Promise<boolean>;
	/** True if a kernel that clients started themselves holds variables. Never rejects. */
	hasKernel?(): Promise<boolean>;
	/** Resolves with a sentence if the session ends without a call of `close`. */
	readonly ended: Promise<string>;
	/** Ends every process of the session. Never rejects. */
	close(): Promise<void>;
}

export type SessionOptions = {
	/** Absolute path of the server's files, which is the working directory of the code. */
	readonly root: string;
	/** True for the user's own folder, whose `.git` is hidden from the code. */
	readonly isProject?: boolean;
	readonly environment: string;
	/** Name, owner, and the port for the server's own programs. */
	readonly server: {readonly name: string; readonly user: string; readonly port: number};
	/** Port and token for the server itself, for engines whose servers listen on this machine. */
	readonly own?: {readonly port: number; readonly token: string} | undefined;
	readonly compute: {
		readonly cpus: number;
		/** In bytes; 0 for no limit. */
		readonly memory: number;
		readonly gpus: number;
	};
	/** Called during a long start with a sentence about its progress. */
	readonly onProgress?: ((text: string) => void) | undefined;
	/**
	 * Reason why there is too little memory for an additional kernel now, as a sentence, or null.
	 */
	readonly kernelRefusal?: (() => string | null) | undefined;
};

/** Runs code, independent of HTTP and screens. Its processes end with the service. */
export interface Engine {
	readonly name: 'pyodide' | 'jupyter';
	open(options: SessionOptions): Promise<Session>;
	/** Ends all processes that do not belong to a session. */
	close(): Promise<void>;
}
