import {spawn} from 'node:child_process';
import {mkdir, mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Replies} from './pictures.ts';
import {leaveHome} from './homes.ts';
import type {KeyModeOptions} from './key-modes.ts';
import {openTerminal, type Terminal} from './terminal.ts';

/** The built program, as started by a user. */
export const PROGRAM = fileURLToPath(new URL('../../dist/svc-tui', import.meta.url));

/**
 * Cache of compiled code that all tested programs share. It gives them the speed that a user has
 * from the second start on.
 */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

/**
 * A separate home folder, so that tests do not affect each other or use this machine's settings.
 */
export type Home = AsyncDisposable & {
	readonly folder: string;
	/** The whole environment of a program in this home. */
	readonly env: Readonly<Record<string, string>>;
};

const dropped =
	/^(CI|CONTINUOUS_INTEGRATION|BUILD_NUMBER|RUN_ID|GITHUB_.*|NO_COLOR|FORCE_COLOR|CLICOLOR.*|SVC_.*|NODE_(?!DISABLE_COMPILE_CACHE$).*|npm_.*|INIT_CWD|VITEST.*|TEST|DEV|PROD|MODE|BASE_URL|SSR|XDG_.*|LC_.*|LANGUAGE|TMUX.*|STY|TERM_.*|COLUMNS|LINES|INK_.*|.*_PROXY|.*_proxy|EDITOR|VISUAL|DISPLAY|WAYLAND_DISPLAY|SSH_.*)$/;

/**
 * This process's environment without variables that would change the program's behaviour, such as
 * those for XDG folders, CI, colours and Node's options, and without npm's entries in PATH.
 */
const cleanEnvironment = (): Record<string, string> => {
	const env: Record<string, string> = {};
	for (const [name, value] of Object.entries(process.env))
		if (value !== undefined && !dropped.test(name)) env[name] = value;
	// PATH starts with Node 24 if `npm test` runs the tests. A user's system may have an older
	// Node, on which the program must start too.
	env['PATH'] = (env['PATH'] ?? '')
		.split(delimiter)
		.filter(entry => !/node_modules\/\.bin\/?$|node-gyp-bin/.test(entry))
		.join(delimiter);
	return env;
};

/**
 * Creates an empty home. After disposal, every process in it must end; otherwise its test file
 * fails. Services end with their programs. With `keeps` they are retained, as for a user, and the
 * disposal ends them first.
 */
export const newHome = async ({keeps = false}: {readonly keeps?: boolean} = {}): Promise<Home> => {
	const folder = await mkdtemp(join(tmpdir(), 'svc-tui-home-'));
	const xdg = {
		XDG_CONFIG_HOME: join(folder, '.config'),
		XDG_DATA_HOME: join(folder, '.local/share'),
		XDG_STATE_HOME: join(folder, '.local/state'),
		XDG_CACHE_HOME: join(folder, '.cache'),
		XDG_RUNTIME_DIR: join(folder, 'run'),
	};
	await mkdir(xdg.XDG_RUNTIME_DIR, {mode: 0o700});
	const home: Home = {
		folder,
		env: {
			...cleanEnvironment(),
			HOME: folder,
			...xdg,
			TERM: 'xterm-256color',
			COLORTERM: 'truecolor',
			LANG: 'C.UTF-8',
			NODE_COMPILE_CACHE: COMPILED,
			SVC_ENGINE: 'embedded',
			...(!keeps && {SVC_KEEP_KERNELS: 'never'}),
		},
		async [Symbol.asyncDispose]() {
			if (keeps) await runCommand(['local', 'stop'], {home});
			await leaveHome(folder);
		},
	};
	return home;
};

export type CommandResult = {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly stdout: string;
	readonly stderr: string;
};
export type CommandOptions = {
	readonly home: Home;
	/** Standard input; empty by default. */
	readonly input?: string | Uint8Array;
	/** Added to the home's environment. */
	readonly env?: Readonly<Record<string, string>>;
	readonly cwd?: string;
	/** Ends the command with SIGTERM. */
	readonly signal?: AbortSignal;
};

/** Runs a command of the program without a terminal, until it ends. */
export const runCommand = async (
	args: readonly string[],
	{home, input = '', env = {}, cwd = home.folder, signal}: CommandOptions,
): Promise<CommandResult> =>
	new Promise((resolve, reject) => {
		const child = spawn(PROGRAM, [...args], {cwd, env: {...home.env, ...env}, stdio: 'pipe'});
		const stop = (): void => {
			child.kill('SIGTERM');
		};
		signal?.addEventListener('abort', stop);
		const stdout: Buffer[] = [];
		const stderr: Buffer[] = [];
		child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
		child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
		// A command may end without reading its input.
		child.stdin.on('error', () => {});
		child.stdin.end(input);
		child.on('error', reject);
		child.on('close', (code, endedBy) => {
			signal?.removeEventListener('abort', stop);
			resolve({
				code,
				signal: endedBy,
				stdout: Buffer.concat(stdout).toString('utf8'),
				stderr: Buffer.concat(stderr).toString('utf8'),
			});
		});
	});

export type ProgramOptions = {
	readonly home: Home;
	readonly args?: readonly string[];
	readonly columns?: number;
	readonly rows?: number;
	readonly env?: Readonly<Record<string, string>>;
	readonly cwd?: string;
	readonly keyModes?: KeyModeOptions;
	readonly unicode?: '6';
	readonly replies?: Replies;
};

export const openProgram = async ({
	home,
	args = [],
	env = {},
	cwd = home.folder,
	...size
}: ProgramOptions): Promise<Terminal> =>
	openTerminal({command: [PROGRAM, ...args], env: {...home.env, ...env}, cwd, ...size});
