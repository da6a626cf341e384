// @module-tag long
import {execFile, spawn} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {processesUsing} from '../support/processes.ts';
import {rawRequest, requestBytes} from '../support/raw-request.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';

const CANARY = 'canary-0123456789-must-turn-up-nowhere';
/** The key of a model, which the service needs in its environment. */
const MODEL = 'canary-of-a-model-9876543210';
const WRONG = 'almost-a-key-that-somebody-typed-wrong';
const boot = fileURLToPath(new URL('../../src/app/boot.ts', import.meta.url));

const allFiles = (folder: string): string[] =>
	readdirSync(folder, {recursive: true, withFileTypes: true})
		.filter(entry => entry.isFile())
		.map(entry => join(entry.parentPath, entry.name));
const leaks = (texts: Readonly<Record<string, string>>, secrets: readonly string[]): string[] =>
	Object.entries(texts)
		.filter(([, text]) => secrets.some(secret => text.includes(secret)))
		.map(([name]) => name);

/** The command lines of all processes on this machine, which every user can read. */
const commandLines = (): string =>
	readdirSync('/proc')
		.filter(name => /^\d+$/.test(name))
		.map(pid => {
			try {
				return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
			} catch {
				return '';
			}
		})
		.join('\n');

test('after a run that uses every endpoint, fails in many ways and crashes, the key is in no file, output, report or argument', async () => {
	using temp = tempFolder();
	const data = join(temp.path, 'data');
	const reports = join(temp.path, 'reports');
	mkdirSync(reports);
	const home = {
		...process.env,
		HOME: temp.path,
		XDG_CONFIG_HOME: join(temp.path, 'config'),
		XDG_DATA_HOME: join(temp.path, 'share'),
		XDG_STATE_HOME: join(temp.path, 'state'),
		XDG_CACHE_HOME: join(temp.path, 'cache'),
		SVC_API_KEY: CANARY,
		MODEL_KEY: MODEL,
	};
	// Node writes a diagnostic report at a signal and at a crash, and the report contains the
	// environment.
	const reporting = `--report-on-signal --report-on-fatalerror --report-uncaught-exception --report-directory=${reports}`;
	const service = spawn(process.execPath, [boot, 'serve', '--data', data], {
		env: {...home, NODE_OPTIONS: reporting, NODE_DEBUG: ''},
		cwd: temp.path,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	for (const stream of [service.stdout, service.stderr])
		stream.setEncoding('utf8').on('data', (part: string) => {
			output += part;
		});
	const exited = new Promise(resolve => {
		service.once('exit', resolve);
	});
	try {
		const url = await waitFor(() => {
			const found = /^listening on (\S+)\n/.exec(output)?.[1];
			if (found === undefined) throw new Error(output);
			return found;
		});
		const call = async (
			method: string,
			path: string,
			body?: unknown,
			key = CANARY,
		): Promise<{readonly status: number; readonly text: string}> => {
			const answer = await fetch(url + path, {
				method,
				headers: {apiKey: key, 'content-type': 'application/json'},
				...(body === undefined ? {} : {body: typeof body === 'string' ? body : JSON.stringify(body)}),
			});
			return {status: answer.status, text: await answer.text()};
		};
		const said: string[] = [];
		const tried = async (status: number, ...what: Parameters<typeof call>): Promise<string> => {
			const answer = await call(...what);
			expect([...what.slice(0, 2), answer.status]).toEqual([...what.slice(0, 2), status]);
			said.push(answer.text);
			return answer.text;
		};
		const settings = {environment: 'ai', port: 8888, server_request: 'svc-medium'};
		const run = {
			code: 'import os; print(sorted(os.environ)); open("env.txt", "w").write(str(os.environ)); 1/0',
			kernel_name: 'python3',
		};
		const question = {messages: [{role: 'user', content: 'what was the last error?'}]};
		for (const path of [
			'/api/servers',
			'/api/compute',
			'/api/environments',
			'/editor/welcome',
			'/thumb/server.svg',
		])
			await tried(200, 'GET', path);
		await tried(200, 'POST', '/api/servers/welcome/start', settings);
		await waitFor(
			async () => expect((await call('GET', '/api/servers')).text).toContain('"status":"ready"'),
			{interval: 50},
		);
		await tried(202, 'POST', '/api/servers', {server_name: 'second', ...settings});
		await tried(200, 'PUT', '/api/servers/welcome/files/a.txt', {
			type: 'file',
			format: 'text',
			content: 'text',
		});
		await tried(200, 'GET', '/api/servers/welcome/files/');
		expect(await tried(200, 'POST', '/api/servers/welcome/run-code', run)).toContain('ZeroDivisionError');
		// The engine's process, as code sees it that has escaped from Python.
		await tried(200, 'POST', '/api/servers/welcome/run-code', {
			code: 'from pyodide.ffi import to_js\nto_js([1]).constructor.constructor("return JSON.stringify(process.env) + JSON.stringify(process.argv)")()',
			kernel_name: 'python3',
		});
		for (const model of ['model_1', 'model_2', 'model_3', 'model_4', 'model_5'])
			await tried(200, 'POST', `/api/assistant/welcome/${model}`, question);
		await tried(401, 'GET', '/api/servers', undefined, WRONG);
		await tried(404, 'GET', '/api/none');
		await tried(404, 'GET', `/api/servers/welcome/files/none?apiKey=${CANARY}`);
		await tried(400, 'POST', '/api/servers', '{"broken');
		await tried(400, 'POST', '/api/servers', {server_name: 'b'});
		await tried(409, 'POST', '/api/servers/welcome/start', settings);
		await tried(405, 'DELETE', '/api/servers');
		const {port} = new URL(url);
		said.push(
			(
				await rawRequest(
					Number(port),
					requestBytes('GET /api/servers', {Host: 'evil.test', apiKey: CANARY, Connection: 'close'}),
				)
			).body,
		);
		said.push((await rawRequest(Number(port), `BROKEN ${CANARY}\r\napiKey: ${CANARY}\r\n\r\n`)).body);
		// Runs our own program as a client with the right address and key, with a closed port, and
		// with a wrong key.
		const program = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> =>
			new Promise(resolve => {
				execFile(process.execPath, [boot, ...args], {env, cwd: temp.path}, (error, stdout, stderr) =>
					resolve(`${String(error?.code ?? 0)} ${stdout}${stderr}`),
				);
			});
		const keyFile = join(temp.path, 'key-of-the-client');
		const programs = [
			await program(['servers', '--json'], {...home, SVC_BASE_URL: url}),
			await program(['run', 'welcome', '-c', '1/0'], {...home, SVC_BASE_URL: url}),
			await program(['servers', '--json'], {...home, SVC_BASE_URL: 'http://127.0.0.1:1'}),
			await program(['servers'], {...home, SVC_BASE_URL: `http://user:${CANARY}@127.0.0.1:${port}`}),
			await program(['info', '--json'], {...home, SVC_BASE_URL: url}),
			await program(['servers'], {...home, SVC_BASE_URL: url, SVC_API_KEY: WRONG}),
		];
		expect(programs.map(text => text.split(' ')[0])).toEqual(['0', '6', '5', '2', '0', '4']);
		expect(leaks({arguments: commandLines()}, [CANARY, MODEL, WRONG])).toEqual([]);
		const environments = Object.fromEntries(
			(await processesUsing(data))
				.filter(({pid}) => pid !== service.pid)
				.map(({pid}) => [`environment of ${pid}`, readFileSync(`/proc/${pid}/environ`, 'utf8')]),
		);
		expect(Object.keys(environments).length).toBeGreaterThan(0);
		expect(leaks(environments, [CANARY, MODEL])).toEqual([]);
		service.kill('SIGUSR2');
		await waitFor(() =>
			expect(
				readdirSync(reports)
					.map(file => readFileSync(join(reports, file), 'utf8'))
					.join(),
			).toContain('sharedObjects'),
		);
		service.kill('SIGTERM');
		await exited;
		const files = Object.fromEntries(allFiles(temp.path).map(file => [file, readFileSync(file, 'latin1')]));
		expect(Object.keys(files)).toEqual(
			expect.arrayContaining([
				join(data, 'service.log'),
				join(data, 'registry.sqlite'),
				join(data, 'instance.lock'),
			]),
		);
		expect(Object.keys(files).some(file => file.startsWith(reports))).toBe(true);
		const answers = Object.fromEntries(said.map((text, index) => [`answer ${index}`, text]));
		expect(
			leaks(
				{
					...files,
					...answers,
					output,
					...Object.fromEntries(programs.map((text, index) => [`program ${index}`, text])),
				},
				[CANARY, MODEL, WRONG],
			),
		).toEqual([]);
		// A control: the search does find the key in a file that contains it.
		writeFileSync(keyFile, CANARY);
		expect(
			leaks(Object.fromEntries(allFiles(temp.path).map(file => [file, readFileSync(file, 'latin1')])), [
				CANARY,
			]),
		).toEqual([keyFile]);
	} finally {
		service.kill('SIGKILL');
		await exited;
	}
});
