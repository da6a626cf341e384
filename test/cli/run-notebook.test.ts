// @module-tag long
// `run` with a notebook: over the live link on both engines of the local service, and through the
// service alone.
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {notebookFaults} from '../support/notebook-schema.ts';
import {newHome, PROGRAM, runCommand, type CommandResult, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import {withoutLinks, type LinklessService} from '../support/without-links.ts';
import {onTerminal, serve, type Served} from './support.ts';

type Fields = Readonly<Record<string, unknown>>;
type Code =
	| string
	| {
			readonly source: string;
			readonly tags?: readonly string[];
			readonly outputs?: readonly Fields[];
			readonly count?: number;
	  };
type Written = {
	readonly cells: readonly {
		readonly source: readonly string[];
		readonly execution_count: number | null;
		readonly outputs: readonly Fields[];
	}[];
};

const notebookOf = (...cells: readonly Code[]): string =>
	`${JSON.stringify(
		{
			cells: cells.map((cell, at) => {
				const {source, tags, outputs = [], count = null} = typeof cell === 'string' ? {source: cell} : cell;
				return {
					cell_type: 'code',
					execution_count: count,
					id: `cell-${at + 1}`,
					metadata: tags ? {tags} : {},
					outputs,
					source: source.match(/[^\n]*\n|[^\n]+$/g) ?? [],
				};
			}),
			metadata: {
				kernelspec: {display_name: 'Python 3', language: 'python', name: 'python3'},
				odd: {kept: [1.5, '½']},
			},
			nbformat: 4,
			nbformat_minor: 5,
		},
		null,
		1,
	)}\n`;
const written = (file: string): Written => {
	const json = JSON.parse(readFileSync(file, 'utf8')) as Written;
	expect(notebookFaults(json)).toEqual([]);
	return json;
};
const printed = ({outputs}: Written['cells'][number]): string =>
	outputs.map(({text = []}) => (text as readonly string[]).join('')).join('');

const noJupyter = findJupyter(process.env) === null;

for (const way of ['embedded', 'jupyter', 'embedded without a link'])
	describe.skipIf(way === 'jupyter' && noJupyter)(way, () => {
		const hasLink = way !== 'embedded without a link';
		let home: Home;
		let served: Served;
		let proxy: LinklessService | null = null;
		beforeAll(async () => {
			home = await newHome();
			served = await serve(home, ['--engine', way === 'jupyter' ? 'jupyter' : 'embedded']);
			if (!hasLink) proxy = await withoutLinks(served.url);
			expect(await served.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
		});
		afterAll(async () => {
			await proxy?.[Symbol.asyncDispose]();
			await served[Symbol.asyncDispose]();
			await home[Symbol.asyncDispose]();
		});
		const env = () => ({...served.env, ...(proxy && {SVC_BASE_URL: proxy.url})});
		const pathOf = (name: string): string => join(home.folder, name);
		/**
		 * Only Jupyter starts a separate kernel for a notebook. Elsewhere the command prints a
		 * notice about that, unless it has this option.
		 */
		const kernel = way === 'jupyter' ? [] : ['--kernel', 'shared'];
		const run = async (args: readonly string[], input?: string): Promise<CommandResult> =>
			runHere(['run', 'welcome', ...kernel, ...args], {
				home,
				env: env(),
				...(input !== undefined && {input}),
			});

		test(
			'outputs appear below their cells, and cells that did not run stay byte for byte',
			{tags: way === 'jupyter' ? 'long' : 'short'},
			async () => {
				const text = notebookOf(
					{source: 'n = 1; v = 0', tags: ['parameters']},
					'print("n is", n)\nn * 2',
					{source: '  \n', outputs: [{name: 'stdout', output_type: 'stream', text: ['old\n']}]},
					{source: '1/0', tags: ['skip-execution']},
					'import sys\nprint("é", file=sys.stderr)',
				);
				writeFileSync(pathOf('a.ipynb'), text);
				expect(await run(['a.ipynb', '-o', 'out.ipynb', '-p', 'n=21', '-r', 'v=1.0'])).toEqual({
					code: 0,
					signal: null,
					stdout: '',
					stderr: '',
				});
				expect(readFileSync(pathOf('a.ipynb'), 'utf8')).toBe(text);
				const {cells} = written(pathOf('out.ipynb'));
				expect(cells.map(({source}) => source.join(''))).toEqual([
					'n = 1; v = 0',
					'# Parameters\nn = 21\nv = "1.0"\n',
					'print("n is", n)\nn * 2',
					'  \n',
					'1/0',
					'import sys\nprint("é", file=sys.stderr)',
				]);
				expect(cells[2]?.outputs).toMatchObject([
					{name: 'stdout', output_type: 'stream', text: ['n is 21\n']},
					{
						output_type: 'execute_result',
						data: {'text/plain': ['42']},
						execution_count: cells[2]?.execution_count,
					},
				]);
				expect(cells[5]?.outputs).toEqual([{name: 'stderr', output_type: 'stream', text: ['é\n']}]);
				const out = readFileSync(pathOf('out.ipynb'), 'utf8');
				const untouched = (one: string): string =>
					one.slice(one.indexOf('"id": "cell-3"') - 60, one.indexOf('"1/0"'));
				expect(untouched(out)).toContain('old');
				expect(untouched(out)).toBe(untouched(text));
				expect(out.slice(out.indexOf('"metadata": {\n  "kernelspec"'))).toBe(
					text.slice(text.indexOf('"metadata": {\n  "kernelspec"')),
				);
			},
		);

		test('without -o the outputs are printed as those of a script, also from standard input', async () => {
			const text = notebookOf('import sys\nprint("out")\nprint("err", file=sys.stderr)', '6 * 7');
			writeFileSync(pathOf('b.ipynb'), text);
			const shown = {code: 0, signal: null, stdout: 'out\n42\n', stderr: 'err\n'};
			expect(await run(['b.ipynb'])).toEqual(shown);
			expect(await run(['-'], text)).toEqual(shown);
			expect(await run([], text)).toEqual(shown);
			expect(JSON.parse((await run(['-', '-o', '-'], text)).stdout)).toMatchObject({
				cells: [
					{outputs: [{text: ['out\n']}, {text: ['err\n']}]},
					{outputs: [{data: {'text/plain': ['42']}}]},
				],
			});
		});

		test('the file has all received outputs when the command is killed: each ended cell', async () => {
			const waiting = 'import os, time\nwhile not os.path.exists("killed"): time.sleep(0.02)';
			writeFileSync(
				pathOf('long.ipynb'),
				notebookOf('print("first")', 'print("second")', {
					source: waiting,
					outputs: [{name: 'stdout', output_type: 'stream', text: ['old\n']}],
				}),
			);
			const args = ['run', 'welcome', 'long.ipynb', ...kernel, '-o', 'long-out.ipynb'];
			const child = spawn(PROGRAM, args, {cwd: home.folder, env: {...home.env, ...env()}, stdio: 'ignore'});
			const closed = once(child, 'close');
			const out = pathOf('long-out.ipynb');
			await expect
				.poll(() => (existsSync(out) ? written(out).cells.map(printed) : []), {timeout: 20_000})
				.toEqual(['first\n', 'second\n', '']);
			child.kill('SIGKILL');
			await closed;
			expect(written(out).cells.map(printed)).toEqual(['first\n', 'second\n', '']);
			await served.run(['files', 'put', 'welcome', '-', 'killed'], {input: 'x'});
			expect(await run(['-'], notebookOf('"next"'))).toMatchObject({code: 0, stdout: "'next'\n"});
		});

		test('a cell that raises ends it with 6 and its number; received outputs are in the file', async () => {
			writeFileSync(
				pathOf('c.ipynb'),
				notebookOf({source: 'print("may"); 1/0', tags: ['raises-exception']}, 'print("so far"); [][3]', {
					source: 'print("never")',
					count: 9,
					outputs: [{name: 'stdout', output_type: 'stream', text: ['old\n']}],
				}),
			);
			const {code, stdout, stderr} = await run(['c.ipynb', '-o', 'raised.ipynb']);
			expect({code, stdout}).toEqual({code: 6, stdout: ''});
			expect(stderr).toMatch(
				/IndexError[^]*\nCell 2 of 3 raised IndexError: list index out of range\. The cells below it did not run\.\n$/,
			);
			const {cells} = written(pathOf('raised.ipynb'));
			expect(cells.map(printed)).toEqual(['may\n', 'so far\n', '']);
			expect(cells[2]?.execution_count).toBeNull();
			expect(cells.map(({outputs}) => outputs.at(-1)?.['ename'])).toEqual([
				'ZeroDivisionError',
				'IndexError',
				undefined,
			]);

			expect(await run(['c.ipynb', '-o', 'all.ipynb', '--allow-errors', '--progress'])).toMatchObject({
				code: 0,
				stderr: 'Cell 1 of 3\nCell 2 of 3\nCell 3 of 3\n',
			});
			expect(written(pathOf('all.ipynb')).cells.map(printed)).toEqual(['may\n', 'so far\n', 'never\n']);

			const json = await run(['c.ipynb', '--json']);
			expect(json).toMatchObject({code: 6, stderr: ''});
			expect(JSON.parse(json.stdout)).toMatchObject({
				notebook: 'c.ipynb',
				output: null,
				raised: 2,
				cells: [
					{number: 1, cell_type: 'code'},
					{number: 2, source: 'print("so far"); [][3]', outputs: [{text: 'so far\n'}, {ename: 'IndexError'}]},
				],
			});
			const lines = await run(['c.ipynb', '--jsonl', '--allow-errors']);
			expect(
				lines.stdout
					.trimEnd()
					.split('\n')
					.map(line => (JSON.parse(line) as {number: number}).number),
			).toEqual([1, 2, 3]);
		});

		test.skipIf(hasLink)('without a link, a line on stderr says with whom the kernel is shared', async () => {
			writeFileSync(pathOf('shared.ipynb'), notebookOf('print(1)'));
			expect(await runCommand(['run', 'welcome', 'shared.ipynb'], {home, env: env()})).toMatchObject({
				stdout: '1\n',
				stderr:
					'shared.ipynb shares its kernel with the REPL. Code runs through the service, which has one kernel per name.\n',
			});
		});

		test('an unknown parameter is reported with the nearest one, and the run continues', async () => {
			const cells = [{source: 'epochs = 1', tags: ['parameters']}, 'print(epochs)'];
			writeFileSync(pathOf('p.ipynb'), notebookOf(...cells));
			const note = 'The notebook has no parameter epoch; did you mean epochs?';
			expect(await run(['p.ipynb', '-p', 'epoch=3'])).toMatchObject({
				code: 0,
				stdout: '1\n',
				stderr: `${note}\n`,
			});
			const json = await run(['p.ipynb', '-p', 'epoch=3', '--json']);
			expect(JSON.parse(json.stderr)).toEqual({note});
		});

		test('sys.exit() in a cell ends the run there with its code', async () => {
			writeFileSync(pathOf('d.ipynb'), notebookOf('print("a")', 'import sys\nsys.exit(3)', 'print("b")'));
			expect(await run(['d.ipynb'])).toMatchObject({code: 3, stdout: 'a\n'});
			writeFileSync(pathOf('d.ipynb'), notebookOf('print("a")', 'import sys\nsys.exit()', 'print("b")'));
			expect(await run(['d.ipynb'])).toMatchObject({code: 0, stdout: 'a\n', stderr: ''});
		});

		test('a cell that takes too long is interrupted; the cells before it are in the file', async () => {
			writeFileSync(
				pathOf('e.ipynb'),
				notebookOf('print("before")', 'import time\nwhile True: time.sleep(0.01)', 'print("never")'),
			);
			const {code, stderr} = await run(['e.ipynb', '-o', 'late.ipynb', '--timeout', '5']);
			expect(code).toBe(5);
			expect(stderr).toMatch(
				/^Cell 2 of 3 took longer than 5 s and (was interrupted|may still be running)\.\nUse a longer --timeout/m,
			);
			const {cells} = written(pathOf('late.ipynb'));
			expect(cells.map(printed)).toEqual(['before\n', '', '']);
			if (hasLink) expect(cells[1]?.outputs.at(-1)).toMatchObject({ename: 'KeyboardInterrupt'});
		});

		test('Ctrl-C ends it, and received outputs are in the file', async () => {
			writeFileSync(
				pathOf('f.ipynb'),
				notebookOf(
					'print("before")',
					'import time\nprint("in it", flush=True)\nopen("reached", "w").close()\nwhile True: time.sleep(0.01)',
					'print("never")',
				),
			);
			const child = spawn(PROGRAM, ['run', 'welcome', 'f.ipynb', ...kernel, '-o', 'cut.ipynb'], {
				env: {...home.env, ...env()},
				cwd: home.folder,
				stdio: ['ignore', 'ignore', 'pipe'],
			});
			const exit = once(child, 'close');
			let said = '';
			child.stderr.setEncoding('utf8').on('data', (part: string) => {
				said += part;
			});
			await expect.poll(async () => (await served.run(['files', 'get', 'welcome', 'reached'])).code).toBe(0);
			child.kill('SIGINT');
			expect((await exit)[0]).toBe(130);
			expect(said).toMatch(/^Stopped/m);
			const {cells} = written(pathOf('cut.ipynb'));
			expect(cells.map(printed)).toEqual(['before\n', hasLink ? 'in it\n' : '', '']);
			await served.run(['files', 'rm', 'welcome', 'reached']);
		});

		test('a terminal shows which cell runs, and at the end only the results', async () => {
			writeFileSync(pathOf('g.ipynb'), notebookOf('print("one")', '', 'print("two")'));
			const quiet = await onTerminal(['run', 'welcome', 'g.ipynb', ...kernel, '-o', 'g-out.ipynb'], {
				home,
				env: env(),
			});
			expect(quiet.code).toBe(0);
			expect(quiet.text).toContain('\rCell 1 of 3\u001b[K');
			expect(quiet.text).toContain('\rCell 3 of 3\u001b[K');
			expect(quiet.text).not.toContain('Cell 2');
			expect(quiet.text).toMatch(/\r\u001b\[K2 cells ran; g-out\.ipynb contains their outputs\.\n$/);
			const loud = await onTerminal(['run', 'welcome', 'g.ipynb', ...kernel], {home, env: env()});
			expect(loud.text).toBe('Cell 1 of 3\none\nCell 3 of 3\ntwo\n');
		});

		test('under NO_COLOR nothing that is printed has a colour', async () => {
			const text = notebookOf('print("\\x1b[31mred\\x1b[0m")', '1 / 0');
			writeFileSync(pathOf('h.ipynb'), text);
			const plain = {...env(), NO_COLOR: '1'};
			const coloured = await onTerminal(['run', 'welcome', 'h.ipynb', ...kernel], {home, env: env()});
			expect(coloured.text).toContain('\u001b[31mred');
			const shown = await onTerminal(['run', 'welcome', 'h.ipynb', ...kernel], {home, env: plain});
			expect(shown.text).toMatch(/^Cell 1 of 2\nred\nCell 2 of 2\n[^\u001b]*ZeroDivisionError[^\u001b]*$/);
			const piped = await runCommand(['run', 'welcome', pathOf('h.ipynb'), ...kernel], {home, env: plain});
			expect(piped.stderr).toMatch(/^[^\u001b]*ZeroDivisionError[^\u001b]*$/);
		});

		test('impossible requests are reported before anything runs', async () => {
			writeFileSync(pathOf('bad.ipynb'), '{"cells": []');
			writeFileSync(pathOf('h.ipynb'), notebookOf('open("ran", "w").close()'));
			writeFileSync(pathOf('r.ipynb'), notebookOf('1').replace('"language": "python"', '"language": "R"'));
			mkdirSync(pathOf('folder'), {recursive: true});
			for (const [args, says] of [
				[['bad.ipynb'], 'bad.ipynb cannot be run: it is not valid JSON: it ends in line 1'],
				[['none.ipynb'], 'none.ipynb cannot be read: there is no such file or folder.'],
				[
					['h.ipynb', '-o', 'none/out.ipynb'],
					'none/out.ipynb cannot be written: there is no such file or folder.',
				],
				[['h.ipynb', '-o', 'folder'], 'folder cannot be written: it is a folder.'],
				[['h.ipynb', '-p', 'a b=1'], '-p takes NAME=VALUE'],
				[['h.ipynb', '-p', 'n'], '-p takes NAME=VALUE'],
				[['r.ipynb', '-p', 'n=1'], 'this notebook is written in R'],
				[['h.ipynb', '--timeout', '0'], '--timeout "0" is not'],
				[['h.ipynb', '--env', 'A=1'], 'Arguments and --env are for scripts.'],
				[['h.ipynb', '--', 'x'], 'Arguments and --env are for scripts.'],
				[['-c', '1', '-p', 'n=1'], '--progress are for notebooks.'],
				[['h.ipynb', '-o', '-', '--json'], 'With --json the result is on standard output.'],
			] as const)
				expect([args, await run(args)]).toMatchObject([
					args,
					{code: 2, stderr: expect.stringContaining(says)},
				]);
			expect((await served.run(['files', 'get', 'welcome', 'ran'])).code).toBe(3);
			expect(existsSync(pathOf('none'))).toBe(false);
			expect(await run(['h.ipynb', '--kernel', 'julia'])).toMatchObject({code: 3});
		});
	});

const PYTHON = '/usr/bin/python3';
const hasNbclient = spawnSync(PYTHON, ['-c', 'import nbclient, nbformat, pandas']).status === 0;
if (!hasNbclient)
	console.warn(
		'\n*** SKIPPED: run is not compared with nbclient: python3-nbclient, python3-nbformat or python3-pandas is not installed ***\n',
	);

/**
 * Outputs without random differences. Adjacent pieces of a stream are joined, and the kernel's
 * process id is removed.
 */
const normal = (outputs: readonly Fields[]): readonly Fields[] =>
	outputs
		.map(output => JSON.parse(JSON.stringify(output).replaceAll(/ipykernel_\d+/g, 'ipykernel_N')) as Fields)
		.map(output => ({
			...output,
			...('text' in output && {text: [output['text']].flat().join('')}),
			...('data' in output && {
				data: Object.fromEntries(
					Object.entries(output['data'] as Fields).map(([type, value]) => [type, [value].flat().join('')]),
				),
			}),
		}))
		.reduce<readonly Fields[]>((all, output: Fields) => {
			const last = all.at(-1);
			return last?.['output_type'] === 'stream' && last['name'] === output['name']
				? [...all.slice(0, -1), {...last, text: `${String(last['text'])}${String(output['text'])}`}]
				: [...all, output];
		}, []);

test.skipIf(noJupyter || !hasNbclient)(
	'nbclient and run give the same outputs, and nbformat takes what run wrote',
	async () => {
		await using home = await newHome();
		await using served = await serve(home, ['--engine', 'jupyter']);
		expect(await served.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
		const old = [{name: 'stdout', output_type: 'stream', text: ['old\n']}];
		writeFileSync(
			join(home.folder, 'in.ipynb'),
			notebookOf(
				'import sys\nfor i in range(3): print(i)\nprint("e", file=sys.stderr)\nprint("after")',
				'import pandas as pd\nframe = pd.DataFrame({"a": [1, 2], "b": ["x", "é"]})\nframe',
				'from IPython.display import HTML, clear_output, display, update_display\nh = display("old", display_id="d")\ndisplay(HTML("<b>1</b>"))',
				'update_display("new", display_id="d")',
				'print("gone")\nclear_output(wait=True)\nprint("stays")',
				{source: 'print("may raise")\n{}["key"]', tags: ['raises-exception']},
				{source: 'print("skipped")', tags: ['skip-execution'], outputs: old},
				{source: ' \n', outputs: old},
				'input("name? ")',
				{source: 'print("never")', outputs: old},
			),
		);
		expect((await served.run(['run', 'welcome', 'in.ipynb', '-o', 'ours.ipynb'])).code).toBe(6);
		const theirs = spawnSync(
			PYTHON,
			[
				'-c',
				`import nbformat, nbclient
nb = nbformat.read('in.ipynb', as_version=4)
try: nbclient.NotebookClient(nb, kernel_name='python3').execute()
except nbclient.exceptions.CellExecutionError: pass
nbformat.write(nb, 'theirs.ipynb')
ours = nbformat.read('ours.ipynb', as_version=nbformat.NO_CONVERT)
nbformat.validate(ours)
print('valid')`,
			],
			{cwd: home.folder, env: home.env, encoding: 'utf8'},
		);
		expect(theirs.stdout).toBe('valid\n');
		const [mine, wanted] = ['ours.ipynb', 'theirs.ipynb'].map(name =>
			written(join(home.folder, name)).cells.map(({execution_count: count, outputs}) => ({
				count,
				outputs: normal(outputs),
			})),
		);
		expect(wanted?.[1]?.outputs[0]?.['data']).toHaveProperty('text/html');
		expect(wanted?.[2]?.outputs[0]).toMatchObject({data: {'text/plain': "'new'"}});
		expect(wanted?.[8]?.outputs[0]).toMatchObject({ename: 'StdinNotImplementedError'});
		// After a failure, the package nbclient leaves outputs of an earlier run, as if they were
		// new.
		expect(wanted?.[9]?.outputs).toHaveLength(1);
		expect(mine).toEqual(wanted?.with(9, {count: null, outputs: []}));
	},
);
