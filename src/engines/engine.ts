import type {CellOutput} from '../contract/cells.ts';
import type {LiveKernel} from './live-kernel.ts';
import type {Lookup} from './lookup.ts';

export type {Lookup, OutlineItem} from './lookup.ts';

/** What ran and what came of it; `execution_count` is the session's counter. Outputs are nbformat 4's. */
export type RunResult = {readonly execution_count: number; readonly outputs: readonly CellOutput[]};

/** Why a session ended that somebody shut down at its own address. */
export const SHUT_DOWN = 'It was shut down; its files are kept. Start it again to go on.';

/** A kernel name that this engine does not have; the message is a sentence that names those it has. */
export class UnknownKernelError extends Error {}

/** The session's server cannot be reached, though it was not known to have ended. */
export class UnreachableSessionError extends Error {}

/** One started server: its kernels and the state of its code between runs. One run at a time; those that come meanwhile wait. */
export interface Session {
	/**
	 * Runs one cell. Never rejects for what the code does: an exception, an interrupt or a dead kernel is an `error` output.
	 * Aborting the signal interrupts the code; the run still resolves, with KeyboardInterrupt.
	 * @throws {UnknownKernelError | UnreachableSessionError}
	 */
	run(code: string, options: {readonly kernel: string; readonly signal?: AbortSignal}): Promise<RunResult>;
	readonly lookup: Lookup;
	/** Its one kernel, where the engine lets others watch it and has no server of its own for them. */
	readonly kernel?: LiveKernel;
	/** Where the server itself answers, with the token that opens it; absent on an engine without such an address. */
	readonly address?: {
		readonly url: string;
		readonly token: string;
		/** Its web page, below the url; null without one. */ readonly page: string | null;
	};
	/** Where the program answers that listens on the server's port; absent where none can. */
	readonly forward?: string;
	/** Whether the server was used past us since then (milliseconds since the epoch), as in a browser. Never rejects. */
	usedSince?(time: number): Promise<boolean>;
	/** Whether a kernel has begun for somebody's code; for an engine where code runs past us. Never rejects. */
	hasKernel?(): Promise<boolean>;
	/** Resolves once, with a sentence, when the session can run nothing any more and was not asked to close. */
	readonly ended: Promise<string>;
	/** Ends every process of the session. Never rejects. */
	close(): Promise<void>;
}

export type SessionOptions = {
	/** Absolute folder of the server's files; the code sees it as its working directory. */
	readonly root: string;
	/** The folder is one of the user's own, not the service's: `.git` in it is not for the code. */
	readonly isProject?: boolean;
	readonly environment: string;
	/** Its name, its owner, and the port that its own programs may listen on. */
	readonly server: {readonly name: string; readonly user: string; readonly port: number};
	/** Where the server itself should listen on this machine, and the token that is to open it; for an engine whose servers listen. */
	readonly own?: {readonly port: number; readonly token: string} | undefined;
	/** What it may use of the machine. */
	readonly compute: {
		readonly cpus: number;
		/** Bytes; 0 for no limit. */ readonly memory: number;
		readonly gpus: number;
	};
};

/** The port behind which code runs. Engines know neither HTTP nor the screen; their processes die with ours. */
export interface Engine {
	readonly name: 'pyodide' | 'jupyter';
	open(options: SessionOptions): Promise<Session>;
	/** Ends everything that is not a session (a spare process, a look-up process). */
	close(): Promise<void>;
}
