// @module-tag long
import {readdirSync, readFileSync} from 'node:fs';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {callJupyter} from '../support/jupyter-client.ts';
import {localService, settings, type LocalService} from '../support/local-service.ts';
import {isAlive, serveProcess} from '../support/serve-process.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';

const CANARY = 'canary-of-the-environment';

let local: LocalService;
beforeAll(async () => {
	process.env['SVC_TEST_CANARY'] = CANARY;
	process.env['HTTPS_PROXY'] = `http://${CANARY}@127.0.0.1:1`;
	// The default engine is used. Without a snapshot its start only takes longer.
	local = await localService({openEngine: undefined});
	await local.call('POST', '/api/servers/welcome/start', settings);
	await waitFor(async () => expect(await local.state('welcome')).toBe('ready'), {interval: 50});
});
afterAll(async () => {
	delete process.env['SVC_TEST_CANARY'];
	delete process.env['HTTPS_PROXY'];
	await local[Symbol.asyncDispose]();
});

const run = async (code: string, signal?: AbortSignal): Promise<Record<string, unknown>> => {
	const {status, body} = await local.call(
		'POST',
		'/api/servers/welcome/run-code',
		{code, kernel_name: 'python3'},
		signal ? {signal} : {},
	);
	expect(status).toBe(200);
	return body['content'] as Record<string, unknown>;
};

/** Sends code that first creates a file of this name. Disconnects when the file exists. */
const runAndLeave = async (name: string, code: string): Promise<void> => {
	const client = new AbortController();
	const endless = run(`open("${name}", "w").close()\n${code}`, client.signal);
	await waitFor(async () =>
		expect((await local.call('GET', `/api/servers/welcome/files/${name}`)).status).toBe(200),
	);
	client.abort();
	await expect(endless).rejects.toThrow();
};

/** Engine processes that may access this folder. */
const engines = (folder: string): number[] =>
	readdirSync('/proc')
		.filter(name => /^\d+$/.test(name))
		.map(Number)
		.filter(pid => {
			try {
				return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`--allow-fs-write=${folder}`);
			} catch {
				return false;
			}
		});

test('Python runs over HTTP on the welcome files and keeps its names', {tags: 'short'}, async () => {
	expect(await run('x=21\nprint(x*2)')).toMatchObject({
		execution_count: 1,
		outputs: [{output_type: 'stream', name: 'stdout', text: '42\n'}],
	});
	const script = await run(
		'import runpy\nprices = runpy.run_path("src/prices.py")\nprices["report"](prices["load"]())',
	);
	expect(JSON.stringify(script['outputs'])).toMatch(/GPU +offers +lowest/);
	expect(await run('x + 1')).toMatchObject({
		execution_count: 3,
		outputs: [{output_type: 'execute_result', data: {'text/plain': '22'}}],
	});
});

test(
	'an exception and a dead kernel are cells with an error output and status 200, and the server stays ready',
	{tags: 'short'},
	async () => {
		expect(await run('1/0')).toMatchObject({outputs: [{output_type: 'error', ename: 'ZeroDivisionError'}]});
		expect(await run('import os\nos._exit(3)')).toMatchObject({
			outputs: [{output_type: 'error', ename: 'KernelDied', evalue: expect.stringContaining('exit code 3')}],
		});
		expect(await local.state('welcome')).toBe('ready');
		expect(await run('x = 21\nx')).toMatchObject({
			execution_count: 1,
			outputs: [{data: {'text/plain': '21'}}],
		});
	},
);

test('when its client disconnects, code is interrupted at once, keeps its variables, and the server is ready for the next', async () => {
	await run('x = 21');
	await runAndLeave('running.txt', 'while True: pass');
	expect(await local.state('welcome')).toBe('ready');
	expect(await run('x')).toMatchObject({outputs: [{data: {'text/plain': '21'}}]});
});

test('code that ignores the interrupt is ended after five seconds, and the next code runs', async () => {
	await run('x = 21');
	await runAndLeave(
		'stubborn.txt',
		'import time\nwhile True:\n    try: time.sleep(1)\n    except BaseException: pass',
	);
	expect(await local.state('welcome')).toBe('ready');
	expect(await run('x')).toMatchObject({outputs: [{output_type: 'error', ename: 'NameError'}]});
	expect(engines(local.folder)).toHaveLength(1);
});

test('a flood of output keeps its start and end, the rest is counted, and the code finishes', async () => {
	const {outputs} = await run('print("first")\nfor _ in range(40): print("x" * 999_999)\nprint("last")');
	const [{text = ''} = {}] = outputs as {text?: string}[];
	expect([text.startsWith('first\n'), text.endsWith('last\n'), text.length < 9 * 2 ** 20]).toEqual([
		true,
		true,
		true,
	]);
	expect(text).toMatch(/\n… [\d,]+ bytes not shown …\n/);
});

test("the engine is a process group of its own and inherits none of the service's environment", async () => {
	const [pid = 0] = engines(local.folder);
	const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
		.split('\0')
		.filter(Boolean)
		.map(line => line.split('=')[0]);
	expect(
		environment.filter(
			name =>
				!['TZ', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'NODE_UNIQUE_ID'].includes(name ?? ''),
		),
	).toEqual([]);
	expect(
		readFileSync(`/proc/${pid}/environ`, 'utf8') + readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
	).not.toContain(CANARY);
	expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(local.key);
	// Fields 5 and 6 of the line are the process group and the session. The name before them may
	// contain anything except a closing bracket.
	const [group, session] = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '')
		.split(' ')
		.slice(2)
		.map(Number);
	expect([group, session]).toEqual([pid, pid]);
	const {outputs} = await run('import os\nprint(sorted(os.environ), os.getcwd())');
	expect(JSON.stringify(outputs)).toContain(
		"['HOME', 'LANG', 'LOGNAME', 'MPLBACKEND', 'PWD', 'PYTHONHASHSEED', 'USER'] /home/user",
	);
});

test('all kernels end with their service, even if the service is killed during endless code', async () => {
	using temp = tempFolder();
	await using serve = serveProcess(temp.path, {args: ['--engine', 'pyodide'], env: {TEST_SERVICE_KEY: 'k'}});
	const url = await serve.url();
	const call = (path: string, body?: object): Promise<Response> =>
		fetch(`${url}/api/servers${path}`, {
			headers: {apiKey: 'k', 'content-type': 'application/json'},
			...(body && {method: 'POST', body: JSON.stringify(body)}),
		});
	await call('/welcome/start', settings);
	await waitFor(async () => expect(await (await call('')).text()).toContain('"ready"'), {interval: 50});
	const endless = call('/welcome/run-code', {
		code: 'open("begun", "w").close()\nwhile True: pass',
		kernel_name: 'python3',
	}).then(
		() => 'answered',
		() => 'cut off',
	);
	await waitFor(async () => expect((await call('/welcome/files/begun')).status).toBe(200));
	const {servers} = JSON.parse(await (await call('')).text());
	const [{url: address, token}] = servers;
	for (const path of ['a.ipynb', 'b.ipynb'])
		await callJupyter({url: address.split('?')[0], token}, 'POST', 'api/sessions', {path});
	const pids = engines(temp.path);
	expect(pids.map(isAlive)).toEqual([true, true, true]);
	serve.child.kill('SIGKILL');
	expect(await endless).toBe('cut off');
	await waitFor(() => expect(pids.map(isAlive)).toEqual([false, false, false]));
});
