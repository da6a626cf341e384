import type {Readable, Writable} from 'node:stream';
import type {ModelName} from '../contract/model-names.ts';
import type {ServiceOptions} from '../settings/target.ts';
import type {Client, OpenedShell, ShellEvents, ShellOutcome, ShellSize} from '../api/client-types.ts';

/** Output stream. Once the reader has closed it, further output is dropped without an error. */
export type Sink = {
	readonly isTTY: boolean;
	/** Width of the terminal in cells. Infinity without a terminal. */
	readonly columns: number;
	write(data: string | Uint8Array): Promise<void>;
};

export type Service = {
	readonly client: Client;
	/** True for the local service. Commands that name one of its servers start that server. */
	readonly isLocal: boolean;
	/** Models of the profile. Empty if the API's models apply. */
	readonly models: readonly ModelName[];
	/**
	 * True if this command started the local service. The service then stops with the command
	 * unless a server is retained.
	 */
	readonly started: boolean;
	/** Time for which kernels with variables are retained, in ms. */
	readonly keeps: number;
	/**
	 * True once a local service that ends with its last program has ended. It does not start again.
	 */
	readonly hasEnded: () => boolean;
};

/**
 * Servers that the local service retains when its last program exits, or would retain if it exited
 * now.
 */
export type RetainedReport = {
	/** Number of programs that use the service. */
	readonly held: number;
	/**
	 * End of the time for which they are retained, ISO 8601. Null while a program uses the service.
	 */
	readonly until: string | null;
	/** Servers whose kernels hold variables. */
	readonly servers: readonly {readonly name: string; readonly engine: string}[];
	/** Servers on SSH hosts, which keep running without the service. `rate`: null if unknown. */
	readonly on_hosts?:
		readonly {readonly name: string; readonly host: string; readonly rate: number | null}[] | undefined;
};

/**
 * The running local service. This object holds no lease, so it does not keep the service running.
 */
export type RunningService = {
	readonly pid: number;
	readonly url: string;
	/** Time of its start, ISO 8601. */
	readonly startedAt: string;
	/** True if a program started the service automatically. */
	readonly leased: boolean;
	readonly engine: string | null;
	/** Retained servers. Null if unknown. */
	kept(): Promise<RetainedReport | null>;
	/** `refused`: the service was started by hand and must be stopped there. */
	stop(): Promise<RetainedReport | 'refused' | null>;
	isThere(): boolean;
};

/** Environment of a command. Only the composition root accesses the process. */
export type Context = {
	readonly json: boolean;
	/**
	 * True to print JSON lines: one value per list item, or one per answer fragment as it arrives.
	 */
	readonly jsonl: boolean;
	/** True to keep the colours in the output of code. False under NO_COLOR. */
	readonly colour: boolean;
	readonly stdout: Sink;
	readonly stderr: Sink;
	/** Aborted by a signal, or when the reader of the output has closed it. */
	readonly signal: AbortSignal;
	readonly options: ServiceOptions;
	readonly env: NodeJS.ProcessEnv;
	/**
	 * Asks the user for a line. Undefined unless input and output are terminals. `draw`: text to
	 * write first in place of the question.
	 */
	readonly ask:
		| ((question: string, how: {readonly masked: boolean; readonly draw?: string}) => Promise<string>)
		| undefined;
	/** Runs a server's shell in this terminal. Undefined unless input and output are terminals. */
	readonly runShell:
		| ((
				server: string,
				open: (size: ShellSize, events: ShellEvents) => Promise<OpenedShell>,
		  ) => Promise<ShellOutcome>)
		| undefined;
	readonly stdinIsTTY: boolean;
	/**
	 * Reads all of standard input. @throws {CommandError} if the API key is already read from it.
	 */
	readStdin(): Promise<Buffer>;
	/** Raw standard input and output, for a protocol. */
	readonly pipe: () => {readonly input: Readable; readonly output: Writable};
	/**
	 * Connects to the service that options and environment select. `keep`: minimum time in ms for
	 * which a local service retains kernels after this command.
	 * @throws {CommandError} if there is no service or no key.
	 */
	connect(how?: {readonly keep: number}): Promise<Service>;
	/** Running local service. Null if there is none. Never starts one. */
	running(): Promise<RunningService | null>;
	/** Opens a web address in the browser. False if there is no browser. */
	open(address: string, token: string | null): Promise<boolean>;
	/** Reads a file of the installed package. `path`: below the folder of package.json. */
	readPackaged(path: string): Promise<string>;
	/** Command line for the user to type, which selects the same service. */
	typed(...words: readonly string[]): string;
};
