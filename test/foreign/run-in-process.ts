import {createClient} from '../../src/api/client.ts';
import {CommandError} from '../../src/cli/command-error.ts';
import type {Context, Sink} from '../../src/cli/context.ts';
import {parseCommand} from '../../src/cli/parse.ts';
import {printError} from '../../src/cli/print.ts';
import {suggestedCommand} from '../../src/cli/suggested-command.ts';

export type Ran = {readonly code: number; readonly stdout: string; readonly stderr: string};

/**
 * Runs a command in the test process, set up as the program sets it up. Hundreds of commands then
 * take the time of a few processes.
 */
export const runHere = async (
	args: readonly string[],
	{
		baseUrl,
		apiKey,
		input = '',
		answers,
	}: {
		readonly baseUrl: string;
		readonly apiKey: string;
		readonly input?: string;
		/** The user's answers to questions, in order. Without them there is no terminal. */
		readonly answers?: string[];
	},
): Promise<Ran> => {
	const parsed = parseCommand(args, '0');
	if (parsed.kind !== 'command') throw new Error(`no command: ${args.join(' ')}`);
	const written = {stdout: '', stderr: ''};
	const sink = (name: keyof typeof written): Sink => ({
		isTTY: false,
		columns: Infinity,
		async write(data) {
			written[name] += typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
		},
	});
	const {globals} = parsed;
	const context: Context = {
		json: globals.json,
		jsonl: globals.jsonl === true,
		colour: false,
		stdout: sink('stdout'),
		stderr: sink('stderr'),
		signal: new AbortController().signal,
		options: globals,
		env: {},
		ask: answers && (async () => answers.shift() ?? ''),
		stdinIsTTY: false,
		runShell: undefined,
		readStdin: async () => Buffer.from(input),
		connect: async () => ({
			client: createClient({baseUrl, apiKey}),
			isLocal: false,
			models: [],
			started: false,
			keeps: 0,
			hasEnded: () => false,
		}),
		pipe: () => {
			throw new Error('nothing is at the other end');
		},
		running: async () => null,
		open: async () => false,
		readPackaged: () => Promise.reject(new Error('no package here')),
		typed: (...words) => suggestedCommand(words, globals),
	};
	try {
		return {code: (await parsed.run(context)) ?? 0, ...written};
	} catch (error) {
		// Other errors are crashes.
		if (!(error instanceof CommandError)) throw error;
		await printError(context, error);
		return {code: error.exitCode, ...written};
	}
};
