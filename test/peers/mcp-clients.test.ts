// @module-tag long
// Third-party programs that start our MCP server: the official inspector, and agents, which can
// list tools without a model. They need a gigabyte, so the tests do not install them.
// `SVC_MCP_CLIENTS` is the folder with their executables, DIR/node_modules/.bin after `npm install
// --prefix DIR @modelcontextprotocol/inspector @openai/codex @anthropic-ai/claude-code
// @google/gemini-cli`.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {text} from 'node:stream/consumers';
import {delimiter, dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {serve} from '../cli/support.ts';
import {newHome, PROGRAM, type Home} from '../support/program.ts';
import {waitFor} from '../support/wait-for.ts';

const FOLDER = process.env['SVC_MCP_CLIENTS'] ?? '';
const NAMES = ['mcp-inspector', 'claude', 'codex', 'gemini'] as const;
type Name = (typeof NAMES)[number];

const isMissing = (name: Name): boolean => FOLDER === '' || !existsSync(join(FOLDER, name));
const missing = NAMES.filter(isMissing);
if (missing.length > 0)
	console.warn(
		`*** NOT TESTED: ${missing.join(', ')} as MCP clients; SVC_MCP_CLIENTS names no such program. ***`,
	);

type Client = AsyncDisposable & {
	/** Runs one of the programs until it ends. */
	run(name: Name, ...args: readonly string[]): Promise<{readonly code: number | null; readonly said: string}>;
	/** Starts one of the programs. It ends with the test. */
	start(name: Name, ...args: readonly string[]): void;
	/** Path of a script that starts our MCP server and records what the client sends. */
	readonly script: string;
	/** Methods that the client has sent. */
	methods(): readonly string[];
};

const openClient = (home: Home): Client => {
	const [script, log, folder] = ['mcp.sh', 'sent', 'work'].map(name => join(home.folder, name)) as [
		string,
		string,
		string,
	];
	mkdirSync(folder);
	writeFileSync(log, '');
	writeFileSync(script, `#!/bin/sh\ntee -a '${log}' | '${PROGRAM}' mcp --allow run,write\n`);
	chmodSync(script, 0o755);
	const env = {
		...home.env,
		PATH: [dirname(process.execPath), home.env['PATH']].join(delimiter),
		// The programs have no model, and their requests to the internet must fail.
		HTTPS_PROXY: 'http://127.0.0.1:9',
		NO_PROXY: '127.0.0.1',
		OPENAI_API_KEY: 'none',
		GEMINI_API_KEY: 'none',
		GEMINI_CLI_TRUST_WORKSPACE: 'true',
	};
	const started = new Set<() => Promise<unknown>>();
	const begin = (name: Name, args: readonly string[]) => {
		const child = spawn(join(FOLDER, name), args, {
			env,
			cwd: folder,
			detached: true,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		const end = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
		started.add(async () => {
			try {
				process.kill(-(child.pid ?? 0), 'SIGKILL');
			} catch {
				// The program has ended already.
			}
			return end;
		});
		return {child, end};
	};
	return {
		script,
		async run(name, ...args) {
			const {child, end} = begin(name, args);
			const [out, err] = await end;
			return {code: child.exitCode, said: `${out}${err}`};
		},
		start(name, ...args) {
			begin(name, args);
		},
		methods: () =>
			readFileSync(log, 'utf8')
				.split('\n')
				.filter(line => line.endsWith('}'))
				.map(line => (JSON.parse(line) as {readonly method: string}).method),
		async [Symbol.asyncDispose]() {
			await Promise.all([...started].map(async end => end()));
		},
	};
};

const HELLO = ['initialize', 'notifications/initialized', 'tools/list'];

test.skipIf(isMissing('mcp-inspector'))(
	'the inspector lists tools, with schemas that each client can read, and calls one',
	async () => {
		await using home = await newHome();
		await using client = openClient(home);
		const inspect = async (...args: readonly string[]) => client.run('mcp-inspector', '--cli', ...args);
		const listed = await inspect(client.script, '--method', 'tools/list', '--strict');
		expect(listed).toMatchObject({code: 0, said: expect.stringContaining('"run_cell"')});
		expect(listed.said).not.toMatch(/warning/i);
		expect(client.methods().slice(0, 3)).toEqual(HELLO);
		const call = ['--method', 'tools/call', '--tool-name', 'list_servers'];
		expect(await inspect(client.script, ...call)).toMatchObject({
			code: 0,
			said: expect.stringContaining('"name": "welcome"'),
		});
		await using served = await serve(home);
		const remote = [`${served.url}/mcp`, '--header', `apikey: ${served.key}`];
		expect(await inspect(...remote, ...call)).toMatchObject({
			code: 0,
			said: expect.stringContaining('"name": "welcome"'),
		});
		const refused = await inspect(`${served.url}/mcp`, '--header', 'apikey: wrong', ...call);
		expect(refused.code).not.toBe(0);
	},
);

test.skipIf(isMissing('claude'))(
	'Claude Code connects, here and over HTTP, and lists the tools',
	async () => {
		await using home = await newHome();
		await using client = openClient(home);
		await client.run('claude', 'mcp', 'add', 'svc-tui', '--', client.script);
		expect(await client.run('claude', 'mcp', 'list')).toMatchObject({
			said: expect.stringMatching(/✔ Connected/),
		});
		await waitFor(() => expect(client.methods()).toEqual(HELLO));
		await using served = await serve(home);
		const key = ['--header', `apikey: ${served.key}`];
		await client.run('claude', 'mcp', 'add', '--transport', 'http', 'served', `${served.url}/mcp`, ...key);
		expect((await client.run('claude', 'mcp', 'get', 'served')).said).toMatch(/✔ Connected/);
	},
);

test.skipIf(isMissing('codex'))('codex lists the tools before it asks its model', async () => {
	await using home = await newHome();
	await using client = openClient(home);
	await client.run('codex', 'mcp', 'add', 'svc-tui', '--', client.script);
	client.start('codex', 'exec', '--skip-git-repo-check', 'hello');
	await waitFor(() => expect(client.methods()).toEqual(HELLO));
});

test.skipIf(isMissing('gemini'))(
	'gemini-cli connects, and lists the tools before it asks its model',
	async () => {
		await using home = await newHome();
		await using client = openClient(home);
		await client.run('gemini', 'mcp', 'add', '-s', 'user', 'svc-tui', client.script);
		expect((await client.run('gemini', 'mcp', 'list')).said).toMatch(/svc-tui: .*Connected/);
		expect(client.methods()).toEqual(['initialize', 'notifications/initialized', 'ping']);
		client.start('gemini', '-p', 'hello');
		await waitFor(() => expect(client.methods().slice(3)).toEqual(HELLO));
	},
);
