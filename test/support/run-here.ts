import {PassThrough, type Readable} from 'node:stream';
import {buffer} from 'node:stream/consumers';
import {runCommand} from '../../src/app/main-command.ts';
import {runCommand as startCommand, type CommandOptions, type CommandResult, type Home} from './program.ts';

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
type Own = 'stdin' | 'stdout' | 'stderr';
/** Environment variables that Node reads only when a process starts. */
const READ_AT_START = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'TZ'];

/**
 * Replaces the environment and the standard streams of this process. @returns a function that
 * restores the old ones.
 */
const exchange = (env: Home['env'], cwd: string, streams: Readonly<Record<Own, Readable>>) => {
	const had = {env: {...process.env}, cwd: process.cwd(), exitCode: process.exitCode};
	const setEnv = (next: NodeJS.ProcessEnv): void => {
		for (const name of Object.keys(process.env)) delete process.env[name];
		Object.assign(process.env, next);
	};
	const own = Object.keys(streams).map(
		name => [name, Object.getOwnPropertyDescriptor(process, name)!] as const,
	);
	const listeners = SIGNALS.map(signal => [signal, process.listeners(signal)] as const);
	setEnv(env);
	process.chdir(cwd);
	process.exitCode = undefined;
	for (const [name, value] of Object.entries(streams))
		Object.defineProperty(process, name, {value, configurable: true, enumerable: true});
	return (): void => {
		setEnv(had.env);
		process.chdir(had.cwd);
		process.exitCode = had.exitCode;
		for (const [name, descriptor] of own) Object.defineProperty(process, name, descriptor);
		for (const [signal, before] of listeners)
			for (const listener of process.listeners(signal))
				if (!before.includes(listener)) process.off(signal, listener);
	};
};

/** Commands run one after the other, because the process has only one environment. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command until it ends, through the program's own composition root but in this process,
 * because a new process costs 0.2 s. Not for tests of the process itself: signals, terminals,
 * completion, and the start of the local service.
 */
export const runHere = async (
	args: readonly string[],
	{home, input = '', env = {}, cwd = home.folder}: Omit<CommandOptions, 'signal'>,
): Promise<CommandResult> => {
	if (READ_AT_START.some(name => name in env)) return startCommand(args, {home, input, env, cwd});
	const run = async (): Promise<CommandResult> => {
		const streams = {stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough()};
		streams.stdin.end(input);
		const printed = Promise.all([buffer(streams.stdout), buffer(streams.stderr)]);
		const giveBack = exchange({...home.env, ...env}, cwd, streams);
		let code: number;
		try {
			await runCommand(args);
			code = Number(process.exitCode ?? 0);
		} finally {
			giveBack();
			streams.stdout.end();
			streams.stderr.end();
		}
		const [stdout, stderr] = (await printed).map(bytes => bytes.toString('utf8'));
		return {code, signal: null, stdout: stdout ?? '', stderr: stderr ?? ''};
	};
	const turn = last.then(run);
	last = turn.catch(() => {});
	return turn;
};
