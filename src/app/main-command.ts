// Composition root of the commands. No other module of the commands accesses the process. Each
// command loads only the modules that it needs.
import {existsSync, readFileSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {addAbortSignal} from 'node:stream';
import {buffer} from 'node:stream/consumers';
import type {CommandError} from '../cli/command-error.ts';
import type {Context} from '../cli/context.ts';
import type {Globals} from '../cli/globals.ts';
import {COMPLETE} from '../cli/shells.ts';
import {createConnection} from './connection.ts';
import {ROOT} from './root.ts';
import {SIGNALS} from './terminal.ts';
import {messageOf} from '../text/errors.ts';
import type {Run} from '../cli/add-command.ts';

/** Time in which a command must end after a signal, in ms. */
const GRACE = 1000;
/** Time limit for a shell's completion, in ms. */
const COMPLETE_WITHIN = 2500;
/** Longest interval of a timer in Node, in ms. */
const LONGEST_TIMER = 2 ** 31 - 1;

const versionOf = (): string => {
	const {version} = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
		readonly version: string;
	};
	return version;
};

/** Version with the build id, which exists only after a build. */
const versionAndBuild = (): string => {
	const file = join(ROOT, 'dist/build-id');
	return existsSync(file) ? `${versionOf()} (build ${readFileSync(file, 'utf8')})` : versionOf();
};

const toCommandError = async (error: unknown): Promise<CommandError> => {
	const [{CommandError, usageError}, {SetupError}, {ServeUsageError}, {LocalFileError}] = await Promise.all([
		import('../cli/command-error.ts'),
		import('../settings/setup-error.ts'),
		import('../cli/serve-options.ts'),
		import('../machine/local-file.ts'),
	]);
	if (error instanceof CommandError) return error;
	if (error instanceof ServeUsageError) return usageError(error.message);
	if (error instanceof LocalFileError)
		return new CommandError('local-file', error.message, 'Correct the path and try again.');
	if (error instanceof SetupError) return new CommandError(error.code, error.message, '');
	if (error instanceof Error && error.name === 'AbortError')
		return new CommandError('cancelled', 'Stopped.', '');
	return new CommandError(
		'internal',
		`svc-tui hit an internal error: ${messageOf(error)}`,
		'Please report it, with the command you ran.',
	);
};

/** Calls `stop` on the first signal. A second signal ends the process at once. */
const listenToSignals = (stop: () => void): {readonly exitCode: () => number | undefined} => {
	let exitCode: number | undefined;
	for (const [signal, code] of Object.entries(SIGNALS)) {
		process.on(signal, () => {
			if (exitCode !== undefined) process.exit(exitCode);
			exitCode = code;
			stop();
			setTimeout(() => process.exit(exitCode), GRACE);
		});
	}
	return {exitCode: () => exitCode};
};

const execute = async (globals: Globals, run: Run): Promise<void> => {
	const [{createSink}, {usageError}, {suggestedCommand}, {printError}] = await Promise.all([
		import('../cli/sink.ts'),
		import('../cli/command-error.ts'),
		import('../cli/suggested-command.ts'),
		import('../cli/print.ts'),
	]);
	const stop = new AbortController();
	const {signal} = stop;
	let isUnread = false;
	const received = listenToSignals(() => stop.abort());
	const connection = createConnection(globals, signal);
	const context: Context = {
		json: globals.json,
		jsonl: globals.jsonl === true,
		colour: !process.env['NO_COLOR'],
		stdout: createSink(process.stdout, () => {
			isUnread = true;
			stop.abort();
		}),
		stderr: createSink(process.stderr, () => {}),
		signal,
		options: globals,
		env: process.env,
		ask:
			process.stdin.isTTY && process.stderr.isTTY && !globals.json
				? async (question, how) => {
						const {askLine} = await import('../cli/prompt.ts');
						return askLine(question, how, {
							input: process.stdin,
							write: text => void process.stderr.write(text),
							interrupt: () => process.kill(process.pid, 'SIGINT'),
							signal,
						});
					}
				: undefined,
		runShell:
			process.stdin.isTTY && process.stdout.isTTY && process.env['TERM'] !== 'dumb'
				? async (server, open) => (await import('./shell.ts')).runShell(server, open, signal)
				: undefined,
		stdinIsTTY: process.stdin.isTTY === true,
		async readStdin() {
			if (globals.apiKeyFile === '-')
				throw usageError(
					'Standard input cannot carry both the API key and the data. Pass one of them as a file.',
				);
			if (context.stdinIsTTY && context.stderr.isTTY)
				await context.stderr.write('Reading from the terminal; press Ctrl-D to end.\n');
			return buffer(addAbortSignal(signal, process.stdin));
		},
		pipe: () => ({input: process.stdin, output: process.stdout}),
		open: async (address, token) =>
			(await import('./open-address.ts')).openAddress(address, token, process.env),
		connect: connection.connect,
		running: async () => (await import('./running-service.ts')).runningService(),
		readPackaged: path => readFile(join(ROOT, path), 'utf8'),
		typed: (...words) => suggestedCommand(words, globals),
	};
	// Keeps Node running. A command may wait only for unreferenced timers and sockets, such as
	// those of a link that reconnects. Without this timer, Node would then end with exit code 13
	// and print a piece of this script.
	const alive = setInterval(() => {}, LONGEST_TIMER);
	try {
		process.exitCode = (await run(context)) ?? 0;
	} catch (error) {
		// The reader, such as `head`, has closed the pipe, which is not a failure.
		if (isUnread && received.exitCode() === undefined) return;
		const known = await toCommandError(error);
		process.exitCode = known.exitCode;
		await printError(context, known);
	} finally {
		clearInterval(alive);
		connection.release();
		const exitCode = received.exitCode();
		if (exitCode !== undefined) process.exit(exitCode);
	}
};

/** Prints completions for a command line. Limited in time, because the user is waiting. */
const complete = async (args: readonly string[]): Promise<void> => {
	const [{readCompletion}, {commandRoot}] = await Promise.all([
		import('../cli/complete.ts'),
		import('../cli/parse.ts'),
	]);
	const {globals, print} = readCompletion(args, commandRoot(versionOf()));
	setTimeout(() => process.exit(0), COMPLETE_WITHIN).unref();
	return execute(globals, print);
};

/** Key table with the user's settings. */
const keysNow = async (): Promise<string> => {
	const [{loadKeys}, {keyTable}, {readKeys, withDigits, withLeader}, own, {readSettings, settingsFile}] =
		await Promise.all([
			import('./load-keys.ts'),
			import('../tui/core/keys/key-table.ts'),
			import('../tui/core/keys/rebind.ts'),
			import('../tui/core/keys/user-commands.ts'),
			import('../settings/settings.ts'),
		]);
	loadKeys();
	try {
		const {keys, commands, leader, digits} = readSettings(settingsFile());
		const found = own.readUserCommands(commands);
		own.fillOwnCommands(found);
		const {rebound} = readKeys({...own.keysOfOwn(found), ...keys});
		return keyTable(withDigits(withLeader(rebound, leader), digits));
	} catch (error) {
		return `${keyTable()}\n\nDefault keys shown: the settings could not be read (${messageOf(error)})`;
	}
};

/** Runs one command. Its result is in `process.exitCode`. */
export const runCommand = async (args: readonly string[]): Promise<void> => {
	if (args[0] === COMPLETE) return complete(args.slice(1));
	const {parseCommand} = await import('../cli/parse.ts');
	const parsed = parseCommand(args, versionAndBuild());
	const json = args.includes('--json') || args.includes('--jsonl');
	const show = async (text: (context: Context) => Promise<string>): Promise<void> =>
		execute({json, jsonl: args.includes('--jsonl')}, async context => {
			const {printResult} = await import('../cli/print.ts');
			const shown = await text(context);
			await printResult(context, {text: shown}, shown);
		});
	switch (parsed.kind) {
		case 'command':
			return execute(parsed.globals, parsed.run);
		case 'info':
			return execute(parsed.globals, async context => {
				const [{showInfo}, {about}] = await Promise.all([import('../cli/info.ts'), import('./about.ts')]);
				return showInfo(context, await about(versionOf(), process.env));
			});
		case 'keys':
			return show(async () => `${await keysNow()}\n`);
		case 'page':
			return show(async ({stdout}) => {
				const {showPage} = await import('../cli/pages.ts');
				return parsed.text + (await showPage(ROOT, parsed.page, stdout.columns));
			});
		case 'text':
			return show(async () => parsed.text);
		case 'wrong':
			return execute({json}, async () => {
				throw parsed.error;
			});
	}
};

export type McpOptions = {
	/** Value of `--mcp-allow`. */
	readonly allow: string | undefined;
	/** Certificate of the service, which clients on this machine must trust. */
	readonly tlsCert: string | undefined;
};

/** Creates the handler of MCP messages for the service. `url`: the service's own address. */
export const openMcp = async (url: string, {allow, tlsCert}: McpOptions) => {
	const [{createHttpHandler}, {createClient}] = await Promise.all([
		import('../cli/mcp/http.ts'),
		import('../api/client.ts'),
	]);
	return createHttpHandler({
		version: versionOf(),
		allow,
		clientFor: key =>
			createClient({
				baseUrl: url,
				apiKey: key,
				insecureHttp: true,
				...(tlsCert !== undefined && {caFile: tlsCert}),
			}),
	});
};
