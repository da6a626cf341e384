// @module-tag long
// Cells that run for a client of the MCP server, in the kernel of their notebook.
import {expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {openMcp} from '../support/mcp-client.ts';
import {notebookOf} from '../support/notebook-of.ts';
import {newHome, runCommand} from '../support/program.ts';
import {waitFor} from '../support/wait-for.ts';
import {serve} from './support.ts';

const engines = findJupyter(process.env) === null ? ['embedded'] : ['embedded', 'jupyter'];
const PATH = {server: 'welcome', path: 'a.ipynb'};

/** A picture of one pixel, so that no package is needed to draw one. */
const PIXEL =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PICTURE = `import base64
class Pixel:
    def _repr_png_(self): return base64.b64decode("${PIXEL}")
Pixel()`;
const waitsFor = (file: string): string =>
	`import os, time\nprint("begun", flush=True)\nwhile not os.path.exists("${file}"): time.sleep(0.01)\nprint("end")`;

const begin = async (engine: string, ...sources: readonly string[]) => {
	const stack = new AsyncDisposableStack();
	const home = stack.use(await newHome());
	const served = stack.use(await serve(home, ['--engine', engine]));
	expect(await served.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
	const put = async (text: string, path: string) =>
		expect(await served.run(['files', 'put', 'welcome', '-', path], {input: text})).toMatchObject({code: 0});
	await put(notebookOf(...sources), PATH.path);
	return {
		home,
		put,
		open: async () => openMcp({home, env: served.env, args: ['--allow', 'run,write']}),
		cells: async () =>
			(
				JSON.parse((await served.run(['files', 'get', 'welcome', PATH.path])).stdout) as {
					readonly cells: readonly {
						readonly execution_count: number | null;
						readonly outputs: readonly Readonly<Record<string, unknown>>[];
					}[];
				}
			).cells,
		[Symbol.asyncDispose]: async () => stack.disposeAsync(),
	};
};

test.for(engines)(
	'%s: a cell runs in the kernel of its notebook, and its outputs are saved',
	async engine => {
		await using world = await begin(
			engine,
			'x = 20\nprint("hi")\nx + 1',
			'print(x)\n1/0',
			PICTURE,
			'',
			'x + 2',
		);
		await using mcp = await world.open();
		const run = (cell: unknown, more = {}) => mcp.call('run_cell', {...PATH, cell, ...more});
		expect(await run('cell-0')).toMatchObject({
			isError: false,
			text: 'Cell 1 has run (execution count 1).\nIts outputs are saved in "a.ipynb".\nhi\n21\n',
		});
		expect(await run(2)).toMatchObject({
			isError: true,
			text: expect.stringMatching(
				/^Cell 2 raised ZeroDivisionError\.\nIts outputs[^]*\n20\n[^]*division by zero/,
			),
		});
		const picture = await run(3);
		expect(picture.pictures).toEqual([{mimeType: 'image/png', data: PIXEL}]);
		expect((await mcp.call('read_cell', {...PATH, cell: 3})).pictures).toEqual(picture.pictures);
		expect(await run(4)).toMatchObject({isError: true, text: 'Cell 4 is empty.\nedit_cell changes it.'});
		expect(await world.cells()).toMatchObject([
			{execution_count: 1, outputs: [{text: ['hi\n']}, {data: {'text/plain': ['21']}}]},
			{execution_count: 2, outputs: [{text: ['20\n']}, {ename: 'ZeroDivisionError'}]},
			{execution_count: 3, outputs: [{data: {'image/png': expect.stringContaining(PIXEL)}}]},
			{execution_count: null, outputs: []},
			{execution_count: null, outputs: []},
		]);
		// The cell ran in the notebook's kernel, not in that of run_code.
		expect((await mcp.call('run_code', {server: 'welcome', code: 'x'})).text).toContain('NameError');
		expect((await mcp.call('list_kernels', {server: 'welcome'})).value).toMatchObject({
			kernels: expect.arrayContaining([
				expect.objectContaining({name: 'python3', used_by: ['a.ipynb']}),
				expect.objectContaining({used_by: ['the REPL']}),
			]),
		});
		expect(await run(1, {version: 'other'})).toMatchObject({isError: true});
		expect(await run(1, {kernel: 'ruby'})).toMatchObject({
			isError: true,
			text: 'The cells of "a.ipynb" run in the kernel python3 now.\nLeave out kernel. Nothing was run.',
		});
		await world.put(notebookOf('1').replaceAll('python3', 'ruby'), 'ruby.ipynb');
		expect(await mcp.call('run_cell', {server: 'welcome', path: 'ruby.ipynb', cell: 1})).toMatchObject({
			isError: true,
			text: expect.stringMatching(
				/^welcome has no kernel "ruby", which the notebook names\. It has .*python3.*\.\nPass one of them/,
			),
		});
		expect((await mcp.call('list_variables', PATH)).value).toMatchObject({
			variables: expect.arrayContaining([expect.objectContaining({name: 'x', type: 'int', value: '20'})]),
		});
		await mcp.call('run_code', {server: 'welcome', code: 'rows = [[n, "row " + str(n)] for n in range(50)]'});
		expect(
			(await mcp.call('read_variable', {server: 'welcome', name: 'rows', first_row: 3, rows: 2})).text,
		).toMatch(/^rows: list, 50 × 2\. Rows 3 to 4 follow, separated by tabs\.\n.*\n.*2\trow 2\n.*3\trow 3$/);
		expect((await mcp.call('read_variable', {...PATH, name: 'x'})).text).toBe('x: int.\n20');
		expect(await mcp.call('read_variable', {...PATH, name: 'none'})).toMatchObject({isError: true});
		expect(await mcp.call('restart_kernel', {...PATH})).toMatchObject({
			text: expect.stringMatching(/was restarted\. Its variables are lost\.$/),
		});
		expect((await run(5)).text).toMatch(/^Cell 5 raised NameError\.\n/);
		expect(await mcp.call('restart_kernel', {server: 'welcome', path: 'none.ipynb'})).toMatchObject({
			isError: true,
			text: '"none.ipynb" has no kernel now.\nlist_kernels lists the kernels. Nothing was done.',
		});
	},
);

test.for(engines)(
	'%s: a cell outlives the wait, the connection and the client; the next client gets each line once',
	async engine => {
		await using world = await begin(engine, waitsFor('go-1'), waitsFor('go-2'), waitsFor('never'));
		const first = await world.open();
		const begun = await first.call('run_cell', {...PATH, cell: 1, wait_seconds: 0});
		expect(begun.text).toMatch(
			/^Cell 1 has not ended after \d+ s\. .*\nIt continues without this call, this connection and this program;.*\nwait_for_cell waits/,
		);
		expect(await first.call('run_cell', {...PATH, cell: 1})).toMatchObject({
			isError: true,
			text: expect.stringMatching(/^Cell 1 is running already\.\nwait_for_cell/),
		});
		await waitFor(async () =>
			expect((await first.call('wait_for_cell', {...PATH, cell: 1, wait_seconds: 0})).text).toMatch(
				/Its outputs so far follow\.\nbegun\n$/,
			),
		);
		await first.call('run_cell', {...PATH, cell: 2, wait_seconds: 0});
		process.kill(first.pid, 'SIGKILL');
		await waitFor(() => expect(() => process.kill(first.pid, 0)).toThrow());
		await world.put('', 'go-1');

		const second = await world.open();
		expect(await second.call('wait_for_cell', {...PATH, cell: 1})).toMatchObject({
			isError: false,
			text: 'Cell 1 has run (execution count 1).\nIts outputs are saved in "a.ipynb".\nbegun\nend\n',
		});
		// The client disconnects while the second cell runs.
		await second.client.close();
		await world.put('', 'go-2');

		await using third = await world.open();
		expect((await third.call('wait_for_cell', {...PATH, cell: 2})).text).toMatch(
			/^Cell 2 has run \(execution count 2\)\.\n[^]*\nbegun\nend\n$/,
		);
		expect(await world.cells()).toMatchObject([
			{execution_count: 1, outputs: [{text: ['begun\n', 'end\n']}]},
			{execution_count: 2, outputs: [{text: ['begun\n', 'end\n']}]},
			{execution_count: null, outputs: []},
		]);
		expect((await third.call('wait_for_cell', {...PATH, cell: 2})).text).toMatch(
			/^Cell 2 is not running for this client\. Its 1 output in the file follow\.\n/,
		);

		// The cell is moved and its notebook edited, then the cell is interrupted.
		await third.call('run_cell', {...PATH, cell: 'cell-2', wait_seconds: 0});
		await third.call('add_cell', {...PATH, source: '# top', kind: 'markdown', after: 0});
		await waitFor(async () =>
			expect((await third.call('wait_for_cell', {...PATH, cell: 4, wait_seconds: 0})).text).toContain(
				'begun',
			),
		);
		expect(await third.call('interrupt_kernel', PATH)).toMatchObject({isError: false});
		expect(await third.call('wait_for_cell', {...PATH, cell: 4})).toMatchObject({
			isError: true,
			text: expect.stringMatching(/^Cell 4 raised KeyboardInterrupt\.\nIts outputs are saved/),
		});
		expect((await world.cells())[3]).toMatchObject({
			outputs: [{text: ['begun\n']}, {ename: 'KeyboardInterrupt'}],
		});
	},
);

test('a local service that the client has started keeps the kernel of a cell that still runs', async () => {
	await using home = await newHome();
	const env = {SVC_ENGINE: 'embedded'};
	const command = async (...args: readonly string[]) => runCommand(args, {home, env});
	const open = async () => openMcp({home, env, args: ['--allow', 'run,write']});
	try {
		const first = await open();
		await first.call('start_server', {server: 'welcome'});
		await first.call('add_cell', {...PATH, source: waitsFor('go'), create: true});
		expect((await first.call('run_cell', {...PATH, cell: 1, wait_seconds: 0})).isError).toBe(false);
		await first.client.close();
		await waitFor(() => expect(() => process.kill(first.pid, 0)).toThrow());
		const {local} = JSON.parse((await command('info', '--json')).stdout) as {
			readonly local: {readonly kept: readonly {readonly until: string}[]};
		};
		expect(Date.parse(local.kept[0]?.until ?? '') - Date.now()).toBeGreaterThan(23 * 3_600_000);
		await using second = await open();
		await second.call('write_file', {server: 'welcome', path: 'go', content: ''});
		expect((await second.call('wait_for_cell', {...PATH, cell: 1})).text).toMatch(
			/^Cell 1 has run \(execution count 1\)\.\n[^]*\nbegun\nend\n$/,
		);
	} finally {
		await command('local', 'stop');
	}
});
