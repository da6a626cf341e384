import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import http from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {spawn as spawnPty} from '@lydell/node-pty';
import {firstOutput} from '../support/first-output.ts';
import {PROGRAM, type CommandResult, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';

type Env = Readonly<Record<string, string>>;

/**
 * A `svc-tui serve` that was started by hand, and environment variables with its address and key.
 */
export type Served = AsyncDisposable & {
	readonly url: string;
	readonly keyFile: string;
	readonly key: string;
	readonly env: Env;
	run(
		args: readonly string[],
		options?: {readonly input?: string | Uint8Array; readonly env?: Env},
	): Promise<CommandResult>;
};

export const serve = async (home: Home, args: readonly string[] = []): Promise<Served> => {
	const data = join(home.folder, 'served');
	const child = spawn(PROGRAM, ['serve', '--data', data, ...args], {
		env: home.env,
		cwd: home.folder,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const line = await firstOutput(child);
	const url = /^listening on (http:\S+)\n/.exec(line)?.[1] ?? '';
	const keyFile = join(data, 'key');
	// The service creates no key if it has a keys file.
	const key = args.includes('--keys') ? '' : (await readFile(keyFile, 'utf8')).trim();
	const env = {SVC_BASE_URL: url, SVC_API_KEY: key};
	return {
		url,
		keyFile,
		key,
		env,
		run: async (command, {input, env: more} = {}) =>
			runHere(command, {home, env: {...env, ...more}, ...(input !== undefined && {input})}),
		async [Symbol.asyncDispose]() {
			const exit = once(child, 'exit');
			child.kill('SIGTERM');
			if (child.exitCode === null) await exit;
		},
	};
};

export type ShellResult = {readonly code: number; readonly stdout: Buffer; readonly stderr: string};

/** Runs a line in a shell, where `svc-tui` is the built program. */
export const shell = async (
	line: string,
	{home, env = {}, cwd = home.folder}: {readonly home: Home; readonly env?: Env; readonly cwd?: string},
): Promise<ShellResult> => {
	const child = spawn('bash', ['-c', `set -o pipefail; svc-tui() { "$PROGRAM" "$@"; }; ${line}`], {
		env: {...home.env, ...env, PROGRAM},
		cwd,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const stdout: Buffer[] = [];
	let stderr = '';
	child.stdout.on('data', (part: Buffer) => stdout.push(part));
	child.stderr.setEncoding('utf8').on('data', (part: string) => {
		stderr += part;
	});
	const [code] = (await once(child, 'close')) as [number];
	return {code, stdout: Buffer.concat(stdout), stderr};
};

export type TerminalResult = {
	readonly code: number;
	/** All output to the terminal, including standard error, with LF instead of CRLF. */
	readonly text: string;
};

type Typed = {readonly after: RegExp; readonly text: string};

/**
 * Runs a command in a terminal until it ends. Each text is typed once its `after` is on screen, in
 * order.
 */
export const onTerminal = async (
	args: readonly string[],
	{
		home,
		env = {},
		columns = 400,
		type,
	}: {
		readonly home: Home;
		readonly env?: Env;
		readonly columns?: number;
		readonly type?: Typed | readonly Typed[];
	},
): Promise<TerminalResult> => {
	const pty = spawnPty(PROGRAM, [...args], {
		cols: columns,
		rows: 50,
		cwd: home.folder,
		env: {...home.env, ...env},
	});
	let text = '';
	const waiting = [type ?? []].flat();
	const ended = Promise.withResolvers<number>();
	pty.onData(data => {
		text += data;
		if (waiting[0]?.after.test(text)) pty.write(waiting.shift()?.text ?? '');
	});
	pty.onExit(({exitCode, signal}) => ended.resolve(signal ? 128 + signal : exitCode));
	const code = await ended.promise;
	return {code, text: text.replaceAll('\r\n', '\n')};
};

export type Canned = AsyncDisposable & {readonly env: Env; readonly url: string; readonly asked: string[]};

/**
 * Responses of a canned service by `METHOD /path`: a JSON value, or the whole body of a stream. A
 * function is called for each request.
 */
export type Answers = Readonly<Record<string, unknown>>;

export const canned = async (answers: Answers): Promise<Canned> => {
	const asked: string[] = [];
	const server = http.createServer((request, response) => {
		const line = `${request.method} ${request.url}`;
		asked.push(line);
		request.resume();
		const found: unknown = answers[line];
		const answer: unknown = typeof found === 'function' ? (found as () => unknown)() : found;
		if (answer === undefined)
			response.writeHead(404, {'content-type': 'application/json'}).end('{"error":"nothing there"}');
		else if (typeof answer === 'string') response.writeHead(200, {'content-type': 'text/plain'}).end(answer);
		else response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(answer));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url,
		asked,
		env: {SVC_BASE_URL: url, SVC_API_KEY: 'canned-key'},
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
};

export const serverItem = (name: string, status = 'ready', more: Readonly<Record<string, unknown>> = {}) => ({
	assistant_editor_url: 'https://editor.example/x',
	environment: 'ai',
	name,
	port: 8888,
	port_forward_url: 'https://forward.example',
	server_request: 'svc-medium',
	status,
	thumb: '/thumb.png',
	token: null,
	url: 'https://lab.example/user/u/x/',
	...more,
});

export const list = (field: string, ...items: readonly unknown[]) => ({[field]: items, status: 'success'});
