import type {ModelName} from '../settings/profile.ts';
import type {ServiceOptions} from '../settings/target.ts';
import type {Client} from '../api/client-types.ts';

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
	/** It had to be started for this command, and ends with it. */
	readonly started: boolean;
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
	/** Asks a person for a line; undefined where there is no terminal on both sides: then nobody is asked. */
	readonly ask: ((question: string, how: {readonly masked: boolean}) => Promise<string>) | undefined;
	readonly stdinIsTTY: boolean;
	/** All of standard input. @throws {CommandError} when the key was to be read from it. */
	readStdin(): Promise<Buffer>;
	/** The service that options and environment name. @throws {CommandError} */
	connect(): Promise<Service>;
	/** Gives a web address to the browser; false where there is none. */
	open(address: string, token: string | null): Promise<boolean>;
	/** A command line of ours that reaches the same service, for the user to type. */
	typed(...words: readonly string[]): string;
};
