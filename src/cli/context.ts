import type {Readable, Writable} from 'node:stream';
import type {ModelName} from '../contract/model-names.ts';
import type {ServiceOptions} from '../settings/target.ts';
import type {Client, OpenedShell, ShellEvents, ShellOutcome, ShellSize} from '../api/client-types.ts';

/** One of the two output streams. A reader that went away is not an error: what is written then goes nowhere. */
export type Sink = {
	readonly isTTY: boolean;
	/** Width of the terminal in cells; infinite where there is none. */
	readonly columns: number;
	write(data: string | Uint8Array): Promise<void>;
};

export type Service = {
	readonly client: Client;
	/** Ours, on this machine: commands start the servers they name. */
	readonly isLocal: boolean;
	/** Of the profile; empty: those of the interface. */
	readonly models: readonly ModelName[];
	/** It had to be started for this command, and ends with it where it has nothing to keep. */
	readonly started: boolean;
	/** Milliseconds for which it keeps what code made. */
	readonly keeps: number;
};

/** What the local service keeps, or would keep, when its last program goes. */
export type RetainedReport = {
	/** Programs that use it. */
	readonly held: number;
	/** ISO 8601; null as long as a program uses it. */
	readonly until: string | null;
	/** Those whose kernels hold what code made. */
	readonly servers: readonly {readonly name: string; readonly engine: string}[];
};

/** The local service that runs now; looking at it does not hold it. */
export type RunningService = {
	readonly pid: number;
	/** Address that it listens at. */
	readonly url: string;
	/** ISO 8601. */
	readonly startedAt: string;
	/** Programs have started it. */
	readonly leased: boolean;
	readonly engine: string | null;
	/** Null when it cannot be known. */
	kept(): Promise<RetainedReport | null>;
	/** `refused`: whoever started it ends it. */
	stop(): Promise<RetainedReport | 'refused' | null>;
	isThere(): boolean;
};

/** What a command may use. Only the composition root knows the process. */
export type Context = {
	readonly json: boolean;
	/** The result as one JSON value a line: items of a list, fragments of an answer as they come. */
	readonly jsonl: boolean;
	/** Colours of code's output stay; false under NO_COLOR. */
	readonly colour: boolean;
	readonly stdout: Sink;
	readonly stderr: Sink;
	/** Aborted by a signal of the process, or when the reader of our output has gone. */
	readonly signal: AbortSignal;
	/** What the command line says of the service. */
	readonly options: ServiceOptions;
	readonly env: NodeJS.ProcessEnv;
	/** Asks a person for a line; undefined where there is no terminal on both sides: then nobody is asked. `draw`: what to write at first in place of the question. */
	readonly ask:
		| ((question: string, how: {readonly masked: boolean; readonly draw?: string}) => Promise<string>)
		| undefined;
	/** The terminal as that of a shell on a server; undefined where there is none on both sides. */
	readonly runShell:
		| ((
				server: string,
				open: (size: ShellSize, events: ShellEvents) => Promise<OpenedShell>,
		  ) => Promise<ShellOutcome>)
		| undefined;
	readonly stdinIsTTY: boolean;
	/** All of standard input. @throws {CommandError} when the key was to be read from it. */
	readStdin(): Promise<Buffer>;
	/** Standard input and output as they are, for what speaks a protocol over them. */
	readonly pipe: () => {readonly input: Readable; readonly output: Writable};
	/** The service that options and environment name. @throws {CommandError} */
	connect(): Promise<Service>;
	/** The service on this machine; null where none runs. Starts none. */
	running(): Promise<RunningService | null>;
	/** Gives a web address to the browser; false where there is none. */
	open(address: string, token: string | null): Promise<boolean>;
	/** A command line of ours that reaches the same service, for the user to type. */
	typed(...words: readonly string[]): string;
};
