// @module-tag long
import {spawnSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {findJupyter} from '../../../src/engines/jupyter/installation.ts';
import {createKernelSessions} from '../../../src/engines/jupyter/kernel-session.ts';
import {localService, settings, type LocalService} from '../../support/local-service.ts';
import {processesUsing, untilNoProcessUses} from '../../support/processes.ts';
import {newHome, runCommand} from '../../support/program.ts';
import {serveProcess} from '../../support/serve-process.ts';
import {tempFolder} from '../../support/temp-folder.ts';
import {waitFor} from '../../support/wait-for.ts';

type Output = Readonly<Record<string, unknown>>;

const READY = {interval: 50};
const missing = findJupyter(process.env) === null;
if (missing)
	console.warn(
		'\n*** SKIPPED: nothing was tried on Jupyter Server: jupyter-server and ipykernel are not installed ***\n',
	);

const value = (body: Output): unknown => {
	const {outputs} = body['content'] as {readonly outputs: readonly Output[]};
	return (outputs.at(-1)?.['data'] as Output | undefined)?.['text/plain'] ?? outputs.at(-1);
};
const itemOf = async (local: LocalService, name: string): Promise<Output> =>
	((await local.call('GET', '/api/servers')).body['servers'] as readonly Output[]).find(
		server => server['name'] === name,
	) ?? {};

/** A server's address without the token, and the token. */
const addressOf = async (
	local: LocalService,
): Promise<{readonly address: string; readonly token: unknown}> => {
	const {url, token} = await itemOf(local, 'welcome');
	const [address = '', query] = String(url).split('?');
	expect(query).toBe(`token=${String(token)}`);
	return {address, token};
};

describe.skipIf(missing)('Jupyter Server', () => {
	const kept = process.env['SVC_API_KEY'];
	afterEach(() => {
		vi.unstubAllEnvs();
		if (kept === undefined) delete process.env['SVC_API_KEY'];
		else process.env['SVC_API_KEY'] = kept;
	});
	const ready = async (changes: object = {}): Promise<LocalService> => {
		const local = await localService({openEngine: undefined, engine: 'jupyter'});
		await local.call('POST', '/api/servers/welcome/start', {...settings, ...changes});
		await waitFor(async () => expect(await local.state('welcome')).toBe('ready'), READY);
		return local;
	};
	const run = async (local: LocalService, code: string): Promise<unknown> =>
		value((await local.call('POST', '/api/servers/welcome/run-code', {code, kernel_name: 'python3'})).body);

	test('its address opens with its token and with nothing else, and the token is in no argument', async () => {
		await using local = await ready();
		const {address: url, token} = await addressOf(local);
		expect([url, token]).toEqual([
			expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/user\/local@localhost\/welcome\/$/),
			expect.stringMatching(/^[\w-]{32}$/),
		]);
		const status = async (query: string): Promise<number> =>
			(await fetch(`${String(url)}api/contents/README.md?${query}`)).status;
		expect([await status(`token=${String(token)}`), await status('token=wrong'), await status('')]).toEqual([
			200, 403, 403,
		]);
		const page = await fetch(`${String(url)}?token=${String(token)}`);
		expect([page.status, await page.text()]).toEqual([200, expect.stringMatching(/jupyter/i)]);
		const commands = (await processesUsing(local.folder)).map(({command}) => command).join('\n');
		expect(commands).toContain('jupyter-server');
		expect(commands).not.toContain(String(token));
	});

	test('its use: memory that forked processes share is counted once, and GPUs as reported by nvidia-smi', async () => {
		using folder = tempFolder();
		writeFileSync(
			join(folder.path, 'nvidia-smi'),
			'#!/bin/sh\nprintf "%s\\n" "87, 1024, 24576" "[N/A], 0, 24576"\n',
			{mode: 0o755},
		);
		vi.stubEnv('PATH', `${folder.path}:${process.env['PATH'] ?? ''}`);
		await using local = await ready();
		const forks = [
			'import os, time',
			'held, parent = bytearray(b"x" * (200 << 20)), os.getpid()',
			'for _ in range(3):',
			'    if os.fork() == 0:',
			'        while os.getppid() == parent: time.sleep(0.05)',
			'        os._exit(0)',
			'1',
		].join('\n');
		expect(await run(local, forks)).toBe('1');
		const {address, token} = await addressOf(local);
		const answer = await fetch(`${address}api/metrics/v1?token=${String(token)}`);
		const {rss, pss, kernels, gpus} = (await answer.json()) as {
			readonly rss: number;
			readonly pss: number;
			readonly kernels: Readonly<Record<string, number>>;
			readonly gpus: unknown;
		};
		expect(rss).toBeGreaterThan(800 << 20);
		for (const bytes of [pss, ...Object.values(kernels)])
			expect(bytes).toSatisfy((each: number) => each > 200 << 20 && each < 500 << 20);
		expect(Object.keys(kernels)).toHaveLength(1);
		expect(gpus).toEqual([
			{percent: 87, memory: 2 ** 30, memory_limit: 24 * 2 ** 30},
			{percent: null, memory: 0, memory_limit: 24 * 2 ** 30},
		]);
	});

	test(
		'create, start and list give one address with one token, which opens the installed page',
		{tags: 'short'},
		async () => {
			await using local = await localService({openEngine: undefined, engine: 'jupyter'});
			const created = (await local.call('POST', '/api/servers', {server_name: 'lab', ...settings})).body;
			const started = (await local.call('POST', '/api/servers/welcome/start', settings)).body;
			const starting = [await itemOf(local, 'lab'), await itemOf(local, 'welcome')];
			await waitFor(
				async () =>
					expect([await local.state('welcome'), await local.state('lab')]).toEqual(['ready', 'ready']),
				READY,
			);
			const ready = [await itemOf(local, 'lab'), await itemOf(local, 'welcome')];
			const withToken = expect.stringMatching(/\/user\/local@localhost\/lab\/\?token=[\w-]{32}$/);
			expect([created['url'], created['port_forward_url'], started['port_forward_url']]).toEqual([
				withToken,
				'pending',
				'pending',
			]);
			expect(ready.map(({url}) => url)).toEqual([created['url'], started['url']]);
			expect(starting.map(({url, token, port_forward_url: forward}) => [url, token, forward])).toEqual(
				ready.map(({url, token}) => [url, token, 'pending']),
			);
			expect([started['token'], new URL(String(started['url'])).searchParams.get('token')]).toEqual([
				ready[1]?.['token'],
				ready[1]?.['token'],
			]);
			for (const address of [ready[1]?.['url'], ready[1]?.['assistant_editor_url']])
				expect([address, (await fetch(String(address))).status]).toEqual([address, 200]);
		},
	);

	test("two servers never have one port, and what listens on a server's port is reached at its forward address", async () => {
		await using local = await ready();
		const other = (await local.call('POST', '/api/servers', {server_name: 'lab', ...settings})).body;
		await waitFor(async () => expect(await local.state('lab')).toBe('ready'), READY);
		const [welcome, lab] = [await itemOf(local, 'welcome'), await itemOf(local, 'lab')];
		expect([lab['port'], lab['port'] === welcome['port']]).toEqual([other['port'], false]);
		const again = (await local.call('POST', '/api/servers/lab/start', settings)).status;
		expect(again).toBe(409);
		const reach = async (): Promise<readonly [number, string]> => {
			const answer = await fetch(String(welcome['port_forward_url']));
			return [answer.status, await answer.text()];
		};
		expect(await reach()).toEqual([
			502,
			expect.stringContaining(`Nothing listens on port ${String(welcome['port'])}`),
		]);
		await run(
			local,
			'import os, subprocess, sys\nopen("index.html", "w").write("from welcome")\nprogram = subprocess.Popen([sys.executable, "-m", "http.server", os.environ["PORT"], "--bind", "127.0.0.1"])\nNone',
		);
		await waitFor(async () => expect(await reach()).toEqual([200, 'from welcome']), READY);
		await run(local, 'program.kill()\nprogram.wait()\nNone');
	});

	test("a browser's work keeps a server alive that the API does not use", async () => {
		const idleAfter = 5000;
		await using local = await localService({openEngine: undefined, engine: 'jupyter', idleAfter});
		await local.call('POST', '/api/servers/welcome/start', settings);
		await waitFor(async () => expect(await local.state('welcome')).toBe('ready'), READY);
		const {address: url, token} = await addressOf(local);
		const ask = async (method: string, path: string, body?: object): Promise<Output> =>
			(await (
				await fetch(`${String(url)}api/${path}`, {
					method,
					headers: {authorization: `token ${String(token)}`},
					...(body && {body: JSON.stringify(body)}),
				})
			).json()) as Output;
		// A kernel that a browser has started, and that is busy.
		const {id} = await ask('POST', 'kernels', {name: 'python3'});
		const socket = new WebSocket(
			`${String(url).replace('http', 'ws')}api/kernels/${String(id)}/channels?token=${String(token)}`,
		);
		await new Promise((resolve, reject) => {
			socket.addEventListener('open', resolve);
			socket.addEventListener('error', () =>
				reject(new Error('the server went away before the browser had its kernel')),
			);
		});
		// The list omits the first states of a starting kernel; its channel reports all of them.
		const told: string[] = [];
		socket.addEventListener('message', ({data}) => {
			const {
				msg_type: type,
				parent_header: parent,
				content,
			} = JSON.parse(String(data)) as {
				readonly msg_type: string;
				readonly parent_header: {readonly msg_id?: string};
				readonly content: {readonly execution_state?: string};
			};
			told.push(`${type} ${content.execution_state ?? ''} ${parent.msg_id ?? ''}`);
		});
		const send = (id: string, type: string, content: object): void =>
			socket.send(
				JSON.stringify({
					channel: 'shell',
					header: {msg_id: id, msg_type: type, session: 's', username: '', version: '5.3'},
					parent_header: {},
					metadata: {},
					content,
				}),
			);
		let asked = 0;
		await waitFor(() => {
			// A message to a starting kernel may be lost.
			if (asked === 0 || asked % 50 === 0) send(`asked ${asked}`, 'kernel_info_request', {});
			asked++;
			expect(told.join('\n')).toMatch(/^status idle asked/m);
		}, READY);
		send('work', 'execute_request', {code: 'import time\ntime.sleep(7)', silent: false});
		await waitFor(() => expect(told).toContain('status idle work'), READY);
		expect(await local.state('welcome')).toBe('ready');
		socket.close();
		await waitFor(
			async () =>
				expect((await itemOf(local, 'welcome'))['status_reason']).toMatch(/^Stopped after .* without use\./),
			READY,
		);
		await untilNoProcessUses(local.folder);
	});

	test('when it is killed, the server is offline with the reason, and starts again with its files', async () => {
		await using local = await ready();
		expect(await run(local, 'open("kept.txt", "w").write("x")')).toBe('1');
		const server = (await processesUsing(local.folder)).find(({command}) =>
			command.includes('jupyter-server'),
		);
		process.kill(server?.pid ?? 0, 'SIGKILL');
		await waitFor(
			async () =>
				expect(await itemOf(local, 'welcome')).toMatchObject({
					status: 'offline',
					token: null,
					status_reason: expect.stringContaining('Its Jupyter Server ended (signal SIGKILL)'),
				}),
			READY,
		);
		await local.call('POST', '/api/servers/welcome/start', settings);
		await waitFor(async () => expect(await local.state('welcome')).toBe('ready'), READY);
		expect(await run(local, 'open("kept.txt").read()')).toBe("'x'");
	});

	test('code cancelled before its start that ignores interrupts does not delay the next code', async () => {
		await using local = await ready();
		const {address: url, token} = await addressOf(local);
		const kernels = createKernelSessions({url: String(url), token: String(token)});
		try {
			// The interrupt arrives when the code starts, perhaps before its first line. The kernel
			// alone would ignore it then.
			await kernels.run(
				'import ipykernel.kernelbase, signal\nipykernel.kernelbase.default_int_handler = signal.SIG_IGN\nlost = 21',
				'python3',
			);
			// The kernel is stopped, so that the code cannot start before the request is cancelled,
			// on any machine.
			const kernel =
				(await processesUsing(local.folder)).find(({command}) => command.includes('ipykernel'))?.pid ?? 0;
			process.kill(kernel, 'SIGSTOP');
			const client = new AbortController();
			const stubborn = kernels.run('import time\nwhile True: time.sleep(1)', 'python3', client.signal);
			// The request has been sent by now.
			setImmediate(() => client.abort());
			setImmediate(() => process.kill(kernel, 'SIGCONT'));
			expect((await stubborn).outputs).toMatchObject([
				{ename: 'KeyboardInterrupt', evalue: expect.stringContaining('before it started')},
			]);
			const {outputs} = await kernels.run('"lost" in globals()', 'python3');
			expect(outputs).toMatchObject([
				{name: 'stderr', text: expect.stringContaining('The kernel died and was restarted')},
				{data: {'text/plain': 'False'}},
			]);
		} finally {
			kernels.close();
		}
	});

	test('code finds no key of the service in its environment', async () => {
		process.env['SVC_API_KEY'] = 'canary-key';
		await using local = await ready();
		expect(
			await run(
				local,
				'import os\nsorted(name for name in os.environ if name == "SVC_API_KEY" or "canary" in os.environ[name])',
			),
		).toBe('[]');
	});

	test('a compute option bounds the CPUs and the memory of the code', async () => {
		await using local = await ready({server_request: 'svc-medium'});
		const {body} = await local.call('GET', '/api/compute');
		const medium = (body['compute'] as readonly Output[]).find(option => option['name'] === 'Medium CPU');
		expect(await run(local, 'import os\nlen(os.sched_getaffinity(0))')).toBe(String(medium?.['cpus']));
		const gibibytes = Number.parseInt(String(medium?.['memory']), 10);
		expect(await run(local, `bytearray(${gibibytes + 1} * 2**30)`)).toMatchObject({ename: 'MemoryError'});
		expect(await run(local, '1 + 1')).toBe('2');
	});

	test.each(['SIGKILL', 'SIGTERM'] as const)(
		'it and its kernels end with the service, ended by %s in the middle of endless code',
		async signal => {
			using temp = tempFolder();
			await using serve = serveProcess(temp.path, {
				args: ['--engine', 'jupyter'],
				env: {TEST_SERVICE_KEY: 'k'},
			});
			const url = await serve.url();
			const call = (path: string, body?: object): Promise<Response> =>
				fetch(`${url}/api/servers${path}`, {
					headers: {apiKey: 'k', 'content-type': 'application/json'},
					...(body && {method: 'POST', body: JSON.stringify(body)}),
				});
			await call('/welcome/start', settings);
			await waitFor(async () => expect(await (await call('')).text()).toContain('"ready"'), READY);
			const endless = call('/welcome/run-code', {
				code: 'import subprocess\nsubprocess.Popen(["sleep", "1000"])\nopen("begun", "w").close()\nwhile True: pass',
				kernel_name: 'python3',
			}).then(
				() => 'answered',
				() => 'cut off',
			);
			await waitFor(async () => expect((await call('/welcome/files/begun')).status).toBe(200), READY);
			const commands = (await processesUsing(temp.path)).map(({command}) => command).join('\n');
			for (const part of ['jupyter-server', 'ipykernel_launcher', 'sleep 1000'])
				expect(commands).toContain(part);
			serve.child.kill(signal);
			await endless;
			await untilNoProcessUses(temp.path);
		},
	);

	test('a venv that finds ipykernel is an environment, and its Python is the kernel', async () => {
		using temp = tempFolder();
		const venv = join(temp.path, 'envs/my env');
		expect(
			spawnSync('/usr/bin/python3', ['-m', 'venv', '--without-pip', '--system-site-packages', venv]).status,
		).toBe(0);
		process.env['VIRTUAL_ENV'] = venv;
		try {
			await using local = await localService({openEngine: undefined, engine: 'jupyter'});
			const {body} = await local.call('GET', '/api/environments');
			expect(body['environments']).toContainEqual({
				environment_id: 'venv-my_env',
				name: 'my env',
				kernels: ['python3'],
				description: expect.stringMatching(new RegExp(`${venv}.* with numpy 1\\.`)),
			});
			await local.call('POST', '/api/servers/welcome/start', {...settings, environment: 'venv-my_env'});
			await waitFor(async () => expect(await local.state('welcome')).toBe('ready'), READY);
			expect(await run(local, 'import sys\nsys.prefix')).toBe(`'${venv}'`);
		} finally {
			delete process.env['VIRTUAL_ENV'];
		}
	});

	test('auto uses it, the environments list the installed packages, and info reports it; without it auto is the embedded Python', async () => {
		await using home = await newHome();
		const info = async (env: Readonly<Record<string, string>>): Promise<Output> =>
			JSON.parse((await runCommand(['info', '--json'], {home, env})).stdout) as Output;
		expect((await info({SVC_ENGINE: 'auto'}))['engine']).toMatchObject({
			name: 'jupyter',
			program: expect.stringContaining('jupyter-server'),
			kernels: expect.arrayContaining(['python3']),
		});
		const bin = join(home.folder, 'bin');
		mkdirSync(bin);
		expect((await info({SVC_ENGINE: 'auto', PATH: bin}))['engine']).toMatchObject({
			name: 'embedded',
			program: null,
		});
		expect((await info({SVC_ENGINE: 'embedded'}))['engine']).toMatchObject({name: 'embedded'});
		// The previous service may still run, with the environments that existed at its start.
		await using another = await newHome();
		for (const [name, program, title] of [
			['shell', 'python3', 'Shell'],
			['gone', join(home.folder, 'uninstalled/bin/python'), 'Gone'],
		] as const) {
			mkdirSync(join(another.folder, 'kernels', name), {recursive: true});
			writeFileSync(
				join(another.folder, 'kernels', name, 'kernel.json'),
				JSON.stringify({argv: [program, '-m', name], display_name: title, language: 'bash'}),
			);
		}
		const environments = await runCommand(['environments', '--json'], {
			home: another,
			env: {SVC_ENGINE: 'auto', JUPYTER_PATH: another.folder},
		});
		expect(environments.stdout).toContain('shell (Shell, bash)');
		expect(environments.stdout).not.toContain('Gone');
		expect(environments.stdout).toContain('numpy 1.');
		expect(environments.stdout).toContain('python3 (Python 3 (ipykernel))');
		await using other = await newHome();
		const wrong = await runCommand(['servers'], {home: other, env: {SVC_ENGINE: 'cpython'}});
		expect([wrong.code, wrong.stderr]).toEqual([
			2,
			expect.stringContaining('SVC_ENGINE "cpython" is unknown: use auto, embedded, jupyter or jupyterhub.'),
		]);
	});
});
