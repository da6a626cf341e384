// @module-tag long
// Commands that wait for a kernel while the connection to its server breaks. They run as processes
// of the built program.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest';
import {cuttingProxy, type CuttingProxy} from '../support/cutting-proxy.ts';
import {callJupyter} from '../support/jupyter-client.ts';
import {jupyterMissing, jupyterServer, type JupyterServer} from '../support/jupyter-server.ts';
import {json, startHostileService, stream} from '../faults/hostile-service.ts';
import {newHome, PROGRAM, runCommand, type Home} from '../support/program.ts';
import {step} from '../support/work-model.ts';
import {canned, list, serverItem, type Canned} from './support.ts';

describe.skipIf(jupyterMissing)('a service elsewhere, whose server is reached through a proxy', () => {
	let home: Home;
	let server: JupyterServer;
	let proxy: CuttingProxy;
	let service: Canned;
	beforeAll(async () => {
		home = await newHome();
		server = await jupyterServer();
		proxy = await cuttingProxy(Number(new URL(server.url).port));
		const url = `http://127.0.0.1:${proxy.port}/`;
		service = await canned({
			'GET /api/servers': list('servers', serverItem('s1', 'ready', {url, token: server.token})),
		});
	});
	// A cell continues after its connection was lost, and the next test would have to wait for it.
	afterEach(async () => {
		const kernels = (await (await callJupyter(server, 'GET', 'api/kernels')).json()) as {id: string}[];
		for (const {id} of kernels) await callJupyter(server, 'POST', `api/kernels/${id}/interrupt`);
	});
	afterAll(async () => {
		await service[Symbol.asyncDispose]();
		await proxy[Symbol.asyncDispose]();
		await server[Symbol.asyncDispose]();
		await home[Symbol.asyncDispose]();
	});

	const start = (args: readonly string[], env: Readonly<Record<string, string>>) => {
		const child = spawn(PROGRAM, [...args], {env: {...home.env, ...env}, cwd: home.folder});
		const printed = {stdout: '', stderr: ''};
		for (const name of ['stdout', 'stderr'] as const)
			child[name].setEncoding('utf8').on('data', (part: string) => {
				printed[name] += part;
			});
		return {
			stdout: () => printed.stdout,
			stderr: () => printed.stderr,
			code: once(child, 'close').then(([code]) => code as number | null),
			write: (text: string) => child.stdin.write(text),
			end: () => child.stdin.end(),
			kill: (signal: NodeJS.Signals) => child.kill(signal),
		};
	};

	test.for(['cut', 'tear'] as const)('a run continues after a %s of its connection', async how => {
		const code = 'import time\nprint("first", flush=True)\ntime.sleep(2)\nprint("second")';
		const child = start(['run', 's1', '-c', code], service.env);
		await expect.poll(child.stdout).toContain('first\n');
		proxy[how]();
		expect(await child.code).toBe(0);
		expect(child.stdout()).toBe('first\nsecond\n');
	});

	test('a run reports that its connection is lost, and Ctrl-C then ends it', async () => {
		await using gone = await cuttingProxy(Number(new URL(server.url).port));
		const url = `http://127.0.0.1:${gone.port}/`;
		await using other = await canned({
			'GET /api/servers': list('servers', serverItem('s1', 'ready', {url, token: server.token})),
		});
		const code = 'import time\nprint("first", flush=True)\ntime.sleep(4)';
		const child = start(['run', 's1', '-c', code], other.env);
		await expect.poll(child.stdout).toContain('first\n');
		await gone[Symbol.asyncDispose]();
		await expect.poll(child.stderr, {timeout: 10_000}).toContain('The connection to the server is lost');
		child.kill('SIGINT');
		expect(await child.code).toBe(130);
	});

	test('a run ends with its reason once the service says that the server has stopped', async () => {
		await using gone = await cuttingProxy(Number(new URL(server.url).port));
		const url = `http://127.0.0.1:${gone.port}/`;
		let status = 'ready';
		await using other = await canned({
			'GET /api/servers': () => list('servers', serverItem('s1', status, {url, token: server.token})),
		});
		const child = start(
			['run', 's1', '-c', 'import time\nprint("first", flush=True)\ntime.sleep(4)'],
			other.env,
		);
		await expect.poll(child.stdout).toContain('first\n');
		status = 'offline';
		await gone[Symbol.asyncDispose]();
		expect(await child.code).toBe(5);
		expect(child.stderr()).toContain('was lost before the result was complete: the server stopped.');
	});

	test('an agent is notified that the connection of its call is lost, and can stop it', async () => {
		await using gone = await cuttingProxy(Number(new URL(server.url).port));
		const url = `http://127.0.0.1:${gone.port}/`;
		await using other = await canned({
			'GET /api/servers': list('servers', serverItem('s1', 'ready', {url, token: server.token})),
		});
		const child = start(['mcp', '--allow', 'run'], other.env);
		const send = (message: object): void =>
			void child.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`);
		const clientInfo = {name: 'test', version: '1'};
		send({
			id: 0,
			method: 'initialize',
			params: {protocolVersion: '2025-06-18', capabilities: {}, clientInfo},
		});
		send({method: 'notifications/initialized'});
		const code = 'import time\nprint("first", flush=True)\ntime.sleep(60)';
		send({
			id: 1,
			method: 'tools/call',
			params: {name: 'run_code', arguments: {server: 's1', code}, _meta: {progressToken: 1}},
		});
		await expect.poll(child.stdout, {timeout: 20_000}).toContain('6 characters printed');
		await gone[Symbol.asyncDispose]();
		await expect.poll(child.stdout, {timeout: 20_000}).toContain('the connection to the server is lost');
		child.kill('SIGTERM');
		expect(await child.code).toBe(143);
	});

	test('a task reports that the connection of its code is lost, and Ctrl-C then ends it', async () => {
		await using gone = await cuttingProxy(Number(new URL(server.url).port));
		const url = `http://127.0.0.1:${gone.port}/`;
		const sign = join(home.folder, 'begun');
		const say = step('run', '', `open(${JSON.stringify(sign)}, "w").close()\nimport time\ntime.sleep(60)\n`);
		await using other = await startHostileService({
			servers: () => json(list('servers', serverItem('s1', 'ready', {url, token: server.token}))),
			chat({body}) {
				const [, mark = ''] = /the mark (\S+) of this task/.exec(body) ?? [];
				return stream(`0:${JSON.stringify(say(mark))}`, 'd:{"finishReason":"stop"}');
			},
		});
		const child = start(['work', 's1', 'go on', '--allow', 'run'], other.env);
		child.end();
		await expect.poll(() => existsSync(sign), {timeout: 20_000}).toBe(true);
		await gone[Symbol.asyncDispose]();
		await expect.poll(child.stderr, {timeout: 10_000}).toContain('The connection to the server is lost');
		child.kill('SIGINT');
		expect(await child.code).toBe(130);
	});

	test('half of a character in a cell raises as in Python, and nothing is sent', async () => {
		for (const half of ['\\ud83d', '\\udc80']) {
			const cell = {cell_type: 'code', execution_count: null, metadata: {}, outputs: []};
			const notebook = {cells: [{...cell, source: "print('sent')\nx = 'HALF'"}], metadata: {}};
			const text = JSON.stringify({...notebook, nbformat: 4, nbformat_minor: 4}).replace('HALF', half);
			writeFileSync(join(home.folder, 'half.ipynb'), text);
			const result = await runCommand(['run', 's1', 'half.ipynb'], {home, env: service.env});
			expect(result).toMatchObject({
				code: 6,
				stdout: '',
				stderr: expect.stringContaining(
					`UnicodeEncodeError: 'utf-8' codec can't encode character '${half}' in position 19: surrogates not allowed (line 2; nothing was run)`,
				),
			});
		}
	});
});
