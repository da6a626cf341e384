// The same tests for every engine, over HTTP. An ability that an engine lacks is listed in its row
// of the table, and a test proves that it is missing.
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {LocalService} from '../support/local-service.ts';
import {engineTable, type Ability} from './engine-table.ts';
import {HUB_START_MS} from '../support/hub.ts';
import {waitFor} from '../support/wait-for.ts';

type Output = Readonly<Record<string, unknown>>;
type Cell = {readonly execution_count: number; readonly outputs: readonly Output[]};

const SHELL_KERNEL = join(import.meta.dirname, 'shell_kernel.py');
const PLAIN_KERNEL = join(import.meta.dirname, 'plain_kernel.py');

// A second kernel with the same Python, and a kernel for another language, as a user would install
// them.
const kernels = mkdtempSync(join(tmpdir(), 'svc-tui-kernels-'));
const before = process.env['JUPYTER_PATH'];
beforeAll(() => {
	for (const [name, program, spec] of [
		['second', ['-m', 'ipykernel_launcher'], {display_name: 'Second', language: 'python'}],
		['shell', [SHELL_KERNEL], {display_name: 'Shell', language: 'bash'}],
		['plain', [PLAIN_KERNEL], {display_name: 'Plain', language: 'plain'}],
	] as const) {
		mkdirSync(join(kernels, 'kernels', name), {recursive: true});
		writeFileSync(
			join(kernels, 'kernels', name, 'kernel.json'),
			JSON.stringify({...spec, argv: ['python3', ...program, '-f', '{connection_file}']}),
		);
	}
	process.env['JUPYTER_PATH'] = kernels;
});
afterAll(() => {
	if (before === undefined) delete process.env['JUPYTER_PATH'];
	else process.env['JUPYTER_PATH'] = before;
	rmSync(kernels, {recursive: true, force: true});
});

for (const {name: engineName, missing, open, cannot, settings, serverPath} of engineTable) {
	if (missing !== null)
		console.warn(`\n*** SKIPPED: nothing was tried on the engine ${engineName}: ${missing} ***\n`);
	const tags = engineName === 'embedded' ? [] : ['long'];
	describe.skipIf(missing !== null)(`on the engine ${engineName}`, {tags}, () => {
		let local: LocalService;
		beforeAll(async () => {
			local = await open();
			expect((await local.call('POST', '/api/servers', {server_name: 'lab', ...settings})).status).toBe(202);
			await waitFor(async () => expect(await local.state('lab')).toBe('ready'), {interval: 50});
		}, HUB_START_MS);
		afterAll(async () => local?.[Symbol.asyncDispose]());

		const run = async (
			code: string,
			{kernel = 'python3', signal}: {readonly kernel?: string; readonly signal?: AbortSignal} = {},
		): Promise<Cell> => {
			const {status, body, text} = await local.call(
				'POST',
				'/api/servers/lab/run-code',
				{code, kernel_name: kernel},
				signal ? {signal} : {},
			);
			expect([status, text]).toEqual([200, expect.any(String)]);
			return body['content'] as Cell;
		};
		const value = ({outputs}: Cell): unknown =>
			(outputs.find(({output_type}) => output_type === 'execute_result')?.['data'] as Output | undefined)?.[
				'text/plain'
			];
		const errorName = ({outputs}: Cell): unknown => outputs.at(-1)?.['ename'];
		const file = async (path: string): Promise<Output> =>
			(await local.call('GET', `/api/servers/lab/files/${path}`)).body['content'] as Output;

		/** Sends code that first creates a file of this name. Disconnects when the file exists. */
		const runAndLeave = async (begun: string, code: string): Promise<void> => {
			const client = new AbortController();
			const endless = run(`open("${begun}", "w").close()\n${code}`, {signal: client.signal});
			await waitFor(
				async () => expect((await local.call('GET', `/api/servers/lab/files/${begun}`)).status).toBe(200),
				{interval: 50},
			);
			client.abort();
			await expect(endless).rejects.toThrow();
		};
		/**
		 * Tests an ability of the engine. If the table lists it as missing, `refused` proves that.
		 */
		const able = (
			ability: Ability,
			title: string,
			works: () => Promise<void>,
			refused: () => Promise<void>,
		): void => {
			const reason = cannot[ability];
			test(
				reason === undefined ? title : `NOT: ${title} (${reason})`,
				reason === undefined ? works : refused,
			);
		};

		test('names live from cell to cell, and the cells are counted', async () => {
			const first = await run('x = 20');
			expect(first.outputs).toEqual([]);
			const second = await run('x + 1');
			expect([value(second), second.execution_count]).toEqual(['21', first.execution_count + 1]);
		});

		test("both streams, the value and displays arrive in nbformat's form, in order", async () => {
			const {outputs, execution_count} = await run(
				'import sys, time\nprint("a é\\u2028")\nprint("b")\nsys.stdout.flush()\ntime.sleep(0.2)\nprint("c", file=sys.stderr)\nsys.stderr.flush()\nclass Rich:\n    def _repr_html_(self): return "<b>x</b>"\n    def __repr__(self): return "Rich()"\nRich()',
			);
			expect(outputs).toEqual([
				{output_type: 'stream', name: 'stdout', text: 'a é\u2028\nb\n'},
				{output_type: 'stream', name: 'stderr', text: 'c\n'},
				{
					output_type: 'execute_result',
					execution_count,
					data: {'text/plain': 'Rich()', 'text/html': '<b>x</b>'},
					metadata: {},
				},
			]);
		});

		test('an exception is an error output with its traceback, and earlier variables remain', async () => {
			const cell = await run('kept = 1\n1/0');
			expect(cell.outputs).toEqual([
				{
					output_type: 'error',
					ename: 'ZeroDivisionError',
					evalue: 'division by zero',
					traceback: expect.arrayContaining([expect.stringContaining('ZeroDivisionError')]),
				},
			]);
			expect(value(await run('kept'))).toBe('1');
		});

		test('input() is refused by the name that Jupyter has for it', async () => {
			expect(errorName(await run('input("name? ")'))).toBe('StdinNotImplementedError');
		});

		test('code and the API share the files, in folders too', async () => {
			await run('import os\nos.makedirs("made", exist_ok=True)\nopen("made/é.txt", "w").write("hé")');
			expect(await file('made/%C3%A9.txt')).toMatchObject({
				name: 'é.txt',
				path: 'made/é.txt',
				serverPath: 'made/é.txt',
				type: 'file',
				format: 'text',
				content: 'hé',
				mimetype: 'text/plain',
				size: 3,
				writable: true,
			});
			const put = await local.call('PUT', '/api/servers/lab/files/new/folder/data.bin', {
				type: 'file',
				format: 'base64',
				content: 'AP8=',
			});
			expect([put.status, put.body['content']]).toEqual([
				200,
				expect.objectContaining({
					name: 'data.bin',
					path: 'new/folder/data.bin',
					content: null,
					format: null,
					size: 2,
				}),
			]);
			expect(value(await run('open("new/folder/data.bin", "rb").read()'))).toBe("b'\\x00\\xff'");
			expect(await file('new/folder/data.bin')).toMatchObject({
				format: 'base64',
				content: expect.stringMatching(/^AP8=\s*$/),
			});
		});

		test('a folder is an array of entries, and a missing one is 404', async () => {
			await local.call('PUT', '/api/servers/lab/files/listed/a.py', {
				type: 'file',
				format: 'text',
				content: 'x',
			});
			expect(await file('listed')).toMatchObject({
				type: 'directory',
				format: 'json',
				size: null,
				content: [
					{
						name: 'a.py',
						path: 'listed/a.py',
						serverPath: 'listed/a.py',
						type: 'file',
						content: null,
						format: null,
					},
				],
			});
			const root = await file('');
			expect(root).toMatchObject({name: '', path: '', type: 'directory'});
			const missingFile = await local.call('GET', '/api/servers/lab/files/no/such.txt');
			expect([missingFile.status, missingFile.text]).toEqual([
				404,
				expect.stringContaining('does not exist'),
			]);
		});

		test('any name that Linux takes is written by the API and by code, listed and read, or refused in words', async () => {
			const names = [
				'log-10:00.txt',
				'#?.txt',
				'aux.txt',
				'a b',
				' a',
				'b ',
				'c.',
				'100%.txt',
				'%2e',
				'a&b=c;d',
				'a<b>|*"',
				"it's",
				'[1].txt',
				'e\u0301',
				'表 🚀',
				'..\\x',
				'x\ny',
				'\u001b[2J',
				'-rf',
				'~a',
				'd'.repeat(255),
			];
			const at = (name: string): string => `/api/servers/lab/files/names/${encodeURIComponent(name)}`;
			const refused: string[] = [];
			for (const name of names) {
				const put = await local.call('PUT', at(name), {type: 'file', format: 'text', content: name});
				if (put.status === 200)
					expect([name, (await local.call('GET', at(name))).body['content']]).toEqual([
						name,
						expect.objectContaining({content: name, name, path: `names/${name}`}),
					]);
				else {
					// Servers of a hub do not serve names that start with a dot.
					expect([400, 403], name).toContain(put.status);
					expect([name, put.text]).toEqual([name, expect.stringMatching(/\w\."/)]);
					refused.push(name);
				}
			}
			const listed = (await file('names'))['content'] as readonly Output[];
			const kept = names.filter(name => !refused.includes(name)).sort();
			expect(listed.map(entry => String(entry['name'])).sort()).toEqual(kept);
			expect(
				value(
					await run(
						'import os\nrepr(sorted(os.listdir("names"))) == repr(sorted([open("names/" + name).read() for name in os.listdir("names")]))',
					),
				),
			).toBe('True');
			// Jupyter servers of the hub treat this name as a path outside their folder.
			expect(refused).toEqual(engineName === 'jupyterhub' ? ['..\\x'] : []);
		});

		test('a file is replaced only if its content is the one the client knows', async () => {
			const path = '/api/servers/lab/files/guarded.txt';
			const put = (content: string, headers: Record<string, string> = {}) =>
				local.call('PUT', path, {type: 'file', format: 'text', content}, {headers});
			const tag = (await put('one')).headers.get('etag') ?? '';
			expect((await local.call('GET', path)).headers.get('etag')).toBe(tag);
			expect((await put('two', {'if-match': tag})).status).toBe(200);
			expect((await put('three', {'if-match': tag})).status).toBe(412);
			expect(await file('guarded.txt')).toMatchObject({content: 'two'});
		});

		test('a missing kernel is refused with the names of the existing ones', async () => {
			for (const kernel of ['julia', '../x', '']) {
				const {status, text} = await local.call('POST', '/api/servers/lab/run-code', {
					code: '1',
					kernel_name: kernel,
				});
				expect([kernel, status, text]).toEqual([kernel, 404, expect.stringContaining('python3')]);
			}
		});

		test('when its client goes, code is interrupted and keeps its names', async () => {
			await run('survivor = 21');
			await runAndLeave('running.txt', 'while True: pass');
			expect(value(await run('survivor'))).toBe('21');
			await runAndLeave('sleeping.txt', 'import time\ntime.sleep(3600)');
			expect(value(await run('survivor'))).toBe('21');
		});

		test(
			'code that does not heed the interrupt is ended, and the next code runs',
			{tags: 'long'},
			async () => {
				await run('lost = 21');
				await runAndLeave(
					'stubborn.txt',
					'import time\nwhile True:\n    try: time.sleep(1)\n    except BaseException: pass',
				);
				expect(errorName(await run('lost'))).toBe('NameError');
			},
		);

		test('a kernel that dies is an error output; the next cell has a new one, and the server stays ready', async () => {
			expect((await run('import os\nos._exit(3)')).outputs.at(-1)).toMatchObject({
				output_type: 'error',
				ename: 'KernelDied',
				evalue: expect.stringContaining('variables are lost, files are kept'),
			});
			expect(await local.state('lab')).toBe('ready');
			expect(await run('20 + 1')).toMatchObject({
				execution_count: 1,
				outputs: [{data: {'text/plain': '21'}}],
			});
		});

		able(
			'flood',
			'a flood of output keeps its beginning and end',
			async () => {
				const {
					outputs: [output],
				} = await run('print("first")\nfor _ in range(40): print("x" * 999_999)\nprint("last")');
				const text = String(output?.['text']);
				expect([text.startsWith('first\n'), text.endsWith('last\n'), text.length < 9 * 2 ** 20]).toEqual([
					true,
					true,
					true,
				]);
				expect(text).toMatch(/\n… [\d,]+ bytes not shown …\n/);
			},
			async () => {
				const {outputs} = await run('for _ in range(40): print("x" * 999_999)');
				expect(outputs).toContainEqual(
					expect.objectContaining({
						name: 'stderr',
						text: expect.stringContaining('IOPub data rate exceeded'),
					}),
				);
			},
		);

		test(
			"the assistant looks up Python's own documentation, while code is running",
			{tags: 'long'},
			async () => {
				const client = new AbortController();
				const endless = run('open("asked.txt", "w").close()\nwhile True: pass', {
					signal: client.signal,
				}).catch(() => null);
				await waitFor(
					async () => expect((await local.call('GET', '/api/servers/lab/files/asked.txt')).status).toBe(200),
					{interval: 50},
				);
				const {text} = await local.call('POST', '/api/assistant/lab/model_1', {
					messages: [{role: 'user', content: 'what does json.loads do?'}],
				});
				client.abort();
				await endless;
				expect(
					text
						.split('\n')
						.filter(Boolean)
						.map(line => String(JSON.parse(line.slice(2))))
						.join(''),
				).toContain('Deserialize');
			},
		);

		able(
			'numpy',
			'numpy computes',
			async () => {
				expect(value(await run('import numpy\nnumpy.arange(4)'))).toBe('array([0, 1, 2, 3])');
			},
			async () => expect(errorName(await run('import numpy'))).toBe('ModuleNotFoundError'),
		);

		able(
			'matplotlib',
			"matplotlib's plot comes as a PNG",
			async () => {
				const {outputs} = await run('import matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\nplt.show()');
				const image = (
					outputs.find(({output_type}) => output_type === 'display_data')?.['data'] as Output | undefined
				)?.['image/png'];
				expect(Buffer.from(String(image), 'base64').subarray(1, 4).toString()).toBe('PNG');
			},
			async () => expect(errorName(await run('import matplotlib'))).toBe('ModuleNotFoundError'),
		);

		able(
			'ipython',
			'clear_output and changed displays leave what is last',
			async () => {
				const {outputs} = await run(
					'from IPython.display import clear_output\nprint("one")\nclear_output()\nprint("two")\nclear_output(wait=True)\nprint("three")\nshown = display("four", display_id=True)\nshown.update("five")',
				);
				expect(outputs).toEqual([
					{output_type: 'stream', name: 'stdout', text: 'three\n'},
					{output_type: 'display_data', data: {'text/plain': "'five'"}, metadata: {}},
				]);
			},
			async () => expect(errorName(await run('import IPython'))).toBe('ModuleNotFoundError'),
		);

		able(
			'processes',
			'code starts a program',
			async () => {
				expect(
					value(await run('import subprocess\nsubprocess.run(["echo", "hi"], capture_output=True).stdout')),
				).toBe("b'hi\\n'");
			},
			async () =>
				expect(errorName(await run('import subprocess\nsubprocess.run(["echo", "hi"])'))).toMatch(/Error$/),
		);

		able(
			'second kernel',
			'each kernel of a server keeps names of its own',
			async () => {
				await run('mine = 1');
				expect(errorName(await run('mine', {kernel: 'second'}))).toBe('NameError');
				await run('mine = 2', {kernel: 'second'});
				expect([value(await run('mine')), value(await run('mine', {kernel: 'second'}))]).toEqual(['1', '2']);
			},
			async () =>
				expect(
					(await local.call('POST', '/api/servers/lab/run-code', {code: '1', kernel_name: 'second'})).status,
				).toBe(404),
		);

		able(
			'another language',
			'a kernel of another language keeps its own state, is interrupted, and is started again when it dies',
			async () => {
				const shell = (code: string, signal?: AbortSignal): Promise<Cell> =>
					run(code, {kernel: 'shell', ...(signal && {signal})});
				const written = (text: string, name = 'stdout'): Output => ({output_type: 'stream', name, text});
				const {execution_count} = await shell('answer=42');
				expect(await shell('echo $answer; echo "no é" >&2')).toMatchObject({
					execution_count: execution_count + 1,
					outputs: [written('42\n'), written('no é\n', 'stderr')],
				});
				expect(errorName(await run('answer'))).toBe('NameError');
				expect((await shell('(exit 3)')).outputs).toEqual([
					{output_type: 'error', ename: 'ExitStatus', evalue: '3', traceback: ['ExitStatus: 3']},
				]);
				const client = new AbortController();
				const endless = shell(': > shell-sleeps.txt; sleep 1000', client.signal);
				await waitFor(
					async () =>
						expect((await local.call('GET', '/api/servers/lab/files/shell-sleeps.txt')).status).toBe(200),
					{interval: 50},
				);
				client.abort();
				await expect(endless).rejects.toThrow();
				expect((await shell('echo $answer')).outputs).toEqual([written('42\n')]);
				expect(errorName(await shell('kill -9 $PPID'))).toBe('KernelDied');
				expect((await shell('echo "[$answer]"')).outputs).toEqual([written('[]\n')]);
				expect(value(await run('20 + 1'))).toBe('21');
			},
			async () =>
				expect(
					(await local.call('POST', '/api/servers/lab/run-code', {code: '1', kernel_name: 'shell'})).status,
				).toBe(404),
		);

		able(
			'another language',
			'a kernel that answers nothing on its control channel runs its first cell and the next, is interrupted, and is started again when it dies',
			async () => {
				const plain = (code: string, signal?: AbortSignal): Promise<Cell> =>
					run(code, {kernel: 'plain', ...(signal && {signal})});
				const printed = (text: string): Output => ({output_type: 'stream', name: 'stdout', text});
				expect(await plain('x = 20\nprint(x)')).toEqual(
					expect.objectContaining({execution_count: 1, outputs: [printed('20\n')]}),
				);
				expect(await plain('print(x + 1)')).toEqual(
					expect.objectContaining({execution_count: 2, outputs: [printed('21\n')]}),
				);
				const client = new AbortController();
				const endless = plain(
					'open("plain-sleeps.txt", "w").close()\nimport time\ntime.sleep(1000)',
					client.signal,
				);
				await waitFor(
					async () =>
						expect((await local.call('GET', '/api/servers/lab/files/plain-sleeps.txt')).status).toBe(200),
					{interval: 50},
				);
				client.abort();
				await expect(endless).rejects.toThrow();
				expect((await plain('print(x)')).outputs).toEqual([printed('20\n')]);
				expect(errorName(await plain('import os\nos._exit(3)'))).toBe('KernelDied');
				expect((await plain('print("x" in globals())')).outputs).toEqual([printed('False\n')]);
			},
			async () =>
				expect(
					(await local.call('POST', '/api/servers/lab/run-code', {code: '1', kernel_name: 'plain'})).status,
				).toBe(404),
		);

		const listed = async (): Promise<Output> =>
			((await local.call('GET', '/api/servers')).body['servers'] as readonly Output[]).find(
				server => server['name'] === 'lab',
			) ?? {};

		test("the url of a ready server serves Jupyter's API", async () => {
			const {url, token} = await listed();
			const {pathname} = new URL(String(url));
			expect(pathname).toMatch(serverPath);
			const opened = await fetch(`${String(url).split('?')[0]}api/kernelspecs`, {
				headers: token === null ? {} : {authorization: `token ${String(token)}`},
			});
			expect([200, 403]).toContain(opened.status);
		});
	});
}
