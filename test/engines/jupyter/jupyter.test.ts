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

type Output = Readonly<Record<string, unknown>>;

const READY = {timeout: 50_000, interval: 50};
const missing = findJupyter(process.env) === null;
if (missing) console.warn('\n*** SKIPPED: nothing was tried on Jupyter Server: jupyter-server and ipykernel are not installed ***\n');

const value = (body: Output): unknown => {
	const {outputs} = body['content'] as {readonly outputs: readonly Output[]};
	return (outputs.at(-1)?.['data'] as Output | undefined)?.['text/plain'] ?? outputs.at(-1);
};
const itemOf = async (local: LocalService, name: string): Promise<Output> => ((await local.call('GET', '/api/servers')).body['servers'] as readonly Output[]).find(server => server['name'] === name) ?? {};

describe.skipIf(missing)('Jupyter Server', () => {
	const kept = process.env['SVC_API_KEY'];
	afterEach(() => {
		if (kept === undefined) delete process.env['SVC_API_KEY'];
		else process.env['SVC_API_KEY'] = kept;
	});
	const ready = async (changes: object = {}): Promise<LocalService> => {
		const local = await localService({openEngine: undefined, engine: 'jupyter'});
		await local.call('POST', '/api/servers/welcome/start', {...settings, ...changes});
		await vi.waitFor(async () => expect(await local.state('welcome')).toBe('ready'), READY);
		return local;
	};
	const run = async (local: LocalService, code: string): Promise<unknown> => value((await local.call('POST', '/api/servers/welcome/run-code', {code, kernel_name: 'python3'})).body);

	test('its address opens with its token and with nothing else, and the token stands in no argument', async () => {
		await using local = await ready();
		const {url, token} = await itemOf(local, 'welcome');
		expect([url, token]).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/user\/local@localhost\/welcome\/$/), expect.stringMatching(/^[\w-]{32}$/)]);
		const status = async (query: string): Promise<number> => (await fetch(`${String(url)}api/contents/README.md?${query}`)).status;
		expect([await status(`token=${String(token)}`), await status('token=wrong'), await status('')]).toEqual([200, 403, 403]);
		const page = await fetch(`${String(url)}?token=${String(token)}`);
		expect([page.status, await page.text()]).toEqual([200, expect.stringMatching(/jupyter/i)]);
		const commands = (await processesUsing(local.folder)).map(({command}) => command).join('\n');
		expect(commands).toContain('jupyter-server');
		expect(commands).not.toContain(String(token));
	});

	test('a browser\'s work keeps a server alive that the API does not use', async () => {
		const idleAfter = 5000;
		await using local = await localService({openEngine: undefined, engine: 'jupyter', idleAfter});
		await local.call('POST', '/api/servers/welcome/start', settings);
		await vi.waitFor(async () => expect(await local.state('welcome')).toBe('ready'), READY);
		const {url, token} = await itemOf(local, 'welcome');
		const ask = async (method: string, path: string, body?: object): Promise<Output> => await (await fetch(`${String(url)}api/${path}`, {method, headers: {authorization: `token ${String(token)}`}, ...(body && {body: JSON.stringify(body)})})).json() as Output;
		// A kernel of the browser's own, with work to do.
		const {id} = await ask('POST', 'kernels', {name: 'python3'});
		const socket = new WebSocket(`${String(url).replace('http', 'ws')}api/kernels/${String(id)}/channels?token=${String(token)}`);
		await new Promise((resolve, reject) => {
			socket.addEventListener('open', resolve);
			socket.addEventListener('error', () => reject(new Error('the server went away before the browser had its kernel')));
		});
		const header = {msg_id: 'm', msg_type: 'execute_request', session: 's', username: '', version: '5.3'};
		socket.send(JSON.stringify({channel: 'shell', header, parent_header: {}, metadata: {}, content: {code: 'import time\ntime.sleep(7)', silent: false}}));
		await vi.waitFor(async () => expect((await ask('GET', `kernels/${String(id)}`))['execution_state']).toBe('busy'), READY);
		await vi.waitFor(async () => expect((await ask('GET', `kernels/${String(id)}`))['execution_state']).toBe('idle'), READY);
		expect(await local.state('welcome')).toBe('ready');
		socket.close();
		await vi.waitFor(async () => expect((await itemOf(local, 'welcome'))['status_reason']).toMatch(/^It was idle for/), READY);
		await untilNoProcessUses(local.folder);
	});

	test('when it is killed, the server is offline and says why, and starts again with its files', async () => {
		await using local = await ready();
		expect(await run(local, 'open("kept.txt", "w").write("x")')).toBe('1');
		const server = (await processesUsing(local.folder)).find(({command}) => command.includes('jupyter-server'));
		process.kill(server?.pid ?? 0, 'SIGKILL');
		await vi.waitFor(async () => expect(await itemOf(local, 'welcome')).toMatchObject({status: 'offline', token: null, status_reason: expect.stringContaining('Its Jupyter Server ended (signal SIGKILL)')}), READY);
		await local.call('POST', '/api/servers/welcome/start', settings);
		await vi.waitFor(async () => expect(await local.state('welcome')).toBe('ready'), READY);
		expect(await run(local, 'open("kept.txt").read()')).toBe("'x'");
	});

	test('code that was given up before it began and heeds no interrupt does not keep the next code waiting', async () => {
		await using local = await ready();
		const {url, token} = await itemOf(local, 'welcome');
		const kernels = createKernelSessions({url: String(url), token: String(token)});
		try {
			await kernels.run('lost = 21', 'python3');
			const client = new AbortController();
			const stubborn = kernels.run('import time\nwhile True:\n    try: time.sleep(1)\n    except BaseException: pass', 'python3', client.signal);
			// It is sent by now; that it began is not known before the kernel's answer.
			setImmediate(() => client.abort());
			expect((await stubborn).outputs).toMatchObject([{ename: 'KeyboardInterrupt', evalue: expect.stringContaining('before it began')}]);
			const {outputs} = await kernels.run('"lost" in globals()', 'python3');
			expect(outputs).toMatchObject([{name: 'stderr', text: expect.stringContaining('The kernel died and was started again')}, {data: {'text/plain': 'False'}}]);
		} finally {
			kernels.close();
		}
	});

	test('code finds no key of the service in its environment', async () => {
		process.env['SVC_API_KEY'] = 'canary-key';
		await using local = await ready();
		expect(await run(local, 'import os\nsorted(name for name in os.environ if name == "SVC_API_KEY" or "canary" in os.environ[name])')).toBe('[]');
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

	test.each(['SIGKILL', 'SIGTERM'] as const)('it and its kernels end with the service, ended by %s in the middle of endless code', async signal => {
		using temp = tempFolder();
		await using serve = serveProcess(temp.path, {args: ['--engine', 'jupyter'], env: {TEST_SERVICE_KEY: 'k'}});
		const url = await serve.url();
		const call = (path: string, body?: object): Promise<Response> => fetch(`${url}/api/servers${path}`, {headers: {apiKey: 'k', 'content-type': 'application/json'}, ...(body && {method: 'POST', body: JSON.stringify(body)})});
		await call('/welcome/start', settings);
		await vi.waitFor(async () => expect(await (await call('')).text()).toContain('"ready"'), READY);
		const endless = call('/welcome/run-code', {code: 'import subprocess\nsubprocess.Popen(["sleep", "1000"])\nopen("begun", "w").close()\nwhile True: pass', kernel_name: 'python3'}).then(() => 'answered', () => 'cut off');
		await vi.waitFor(async () => expect((await call('/welcome/files/begun')).status).toBe(200), READY);
		const commands = (await processesUsing(temp.path)).map(({command}) => command).join('\n');
		for (const part of ['jupyter-server', 'ipykernel_launcher', 'sleep 1000']) expect(commands).toContain(part);
		serve.child.kill(signal);
		await endless;
		await untilNoProcessUses(temp.path, 10_000);
	});

	test('a venv that finds ipykernel is an environment, and its Python is the kernel', async () => {
		using temp = tempFolder();
		const venv = join(temp.path, 'envs/my env');
		expect(spawnSync('/usr/bin/python3', ['-m', 'venv', '--without-pip', '--system-site-packages', venv]).status).toBe(0);
		process.env['VIRTUAL_ENV'] = venv;
		try {
			await using local = await localService({openEngine: undefined, engine: 'jupyter'});
			const {body} = await local.call('GET', '/api/environments');
			expect(body['environments']).toContainEqual({environment_id: 'venv-my_env', name: 'my env', description: expect.stringMatching(new RegExp(`${venv}.* with numpy 1\\.`))});
			await local.call('POST', '/api/servers/welcome/start', {...settings, environment: 'venv-my_env'});
			await vi.waitFor(async () => expect(await local.state('welcome')).toBe('ready'), READY);
			expect(await run(local, 'import sys\nsys.prefix')).toBe(`'${venv}'`);
		} finally {
			delete process.env['VIRTUAL_ENV'];
		}
	});

	test('auto takes it, the environments tell what is installed, and info says so; without it auto is the embedded Python', async () => {
		await using home = await newHome();
		const info = async (env: Readonly<Record<string, string>>): Promise<Output> => JSON.parse((await runCommand(['info', '--json'], {home, env})).stdout) as Output;
		expect((await info({SVC_ENGINE: 'auto'}))['engine']).toMatchObject({name: 'jupyter', program: expect.stringContaining('jupyter-server'), kernels: expect.arrayContaining(['python3'])});
		const bin = join(home.folder, 'bin');
		mkdirSync(bin);
		expect((await info({SVC_ENGINE: 'auto', PATH: bin}))['engine']).toMatchObject({name: 'embedded', program: null});
		expect((await info({SVC_ENGINE: 'embedded'}))['engine']).toMatchObject({name: 'embedded'});
		// The service that just ran may still be there, and has read what was installed then.
		await using another = await newHome();
		for (const [name, program, title] of [['shell', 'python3', 'Shell'], ['gone', join(home.folder, 'uninstalled/bin/python'), 'Gone']] as const) {
			mkdirSync(join(another.folder, 'kernels', name), {recursive: true});
			writeFileSync(join(another.folder, 'kernels', name, 'kernel.json'), JSON.stringify({argv: [program, '-m', name], display_name: title, language: 'bash'}));
		}
		const environments = await runCommand(['environments', '--json'], {home: another, env: {SVC_ENGINE: 'auto', JUPYTER_PATH: another.folder}});
		expect(environments.stdout).toContain('shell (Shell, bash)');
		expect(environments.stdout).not.toContain('Gone');
		expect(environments.stdout).toContain('numpy 1.');
		expect(environments.stdout).toContain('python3 (Python 3 (ipykernel))');
		await using other = await newHome();
		const wrong = await runCommand(['servers'], {home: other, env: {SVC_ENGINE: 'cpython'}});
		expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('SVC_ENGINE "cpython" is not there: it is auto, embedded, jupyter or jupyterhub.')]);
	});
});
