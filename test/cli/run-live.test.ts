// @module-tag long
// `run` on servers whose own address responds as Jupyter, with both engines of the local service.
import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {firstOutput} from '../support/first-output.ts';
import {newHome, PROGRAM, type Home} from '../support/program.ts';
import {onTerminal, serve, type Served} from './support.ts';

const missing = findJupyter(process.env) === null;

for (const engine of ['embedded', 'jupyter'])
	describe.skipIf(engine === 'jupyter' && missing)(engine, () => {
		let home: Home;
		let served: Served;
		beforeAll(async () => {
			home = await newHome();
			served = await serve(home, ['--engine', engine]);
			expect(await served.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
		});
		afterAll(async () => {
			await served[Symbol.asyncDispose]();
			await home[Symbol.asyncDispose]();
		});
		/** Code that waits until a file exists in the server's folder. */
		const untilThere = (name: string): string =>
			`import os, time\nwhile not os.path.exists(${JSON.stringify(name)}): time.sleep(0.02)\n`;

		test(
			'a line is printed before the next one is made',
			{tags: engine === 'embedded' ? 'short' : 'long'},
			async () => {
				const child = spawn(
					PROGRAM,
					['run', 'welcome', '-c', `print("first")\n${untilThere('go')}print("second")`],
					{env: {...home.env, ...served.env}, stdio: ['ignore', 'pipe', 'inherit']},
				);
				const closed = once(child, 'close');
				let printed = '';
				child.stdout.setEncoding('utf8').on('data', (part: string) => {
					printed += part;
				});
				await expect.poll(() => printed).toBe('first\n');
				expect(await served.run(['files', 'put', 'welcome', '-', 'go'], {input: 'x'})).toMatchObject({
					code: 0,
				});
				const [code] = (await closed) as [number];
				expect({code, printed}).toEqual({code: 0, printed: 'first\nsecond\n'});
			},
		);

		test('Ctrl-C interrupts, and received output stays', async () => {
			const {code, text} = await onTerminal(
				['run', 'welcome', '-c', 'import time\nprint("so far", flush=True)\ntime.sleep(600)'],
				{home, env: served.env, type: {after: /so far/, text: '\u0003'}},
			);
			expect(text).toMatch(/so far\n[^]*KeyboardInterrupt[^]*Stopped: the code was interrupted\.\n$/);
			expect(code).toBe(130);
			expect(await served.run(['run', 'welcome', '-c', '6*7'])).toMatchObject({code: 0, stdout: '42\n'});
		});

		test('a person is asked for lines, masked where they are secret; Ctrl-D is the end', async () => {
			const code =
				'from getpass import getpass\nn = input("name? ")\nw = getpass("word? ")\nprint(n, len(w))\ninput("more? ")';
			const {code: exit, text} = await onTerminal(['run', 'welcome', '-c', code], {
				home,
				env: served.env,
				type: [
					{after: /name\? $/, text: 'Zoo\u007Fe\r'},
					{after: /word\? $/, text: 'hunter\r'},
					{after: /more\? $/, text: '\u0004'},
				],
			});
			expect(text).toContain('Zoe 6\n');
			expect(text).toContain('word? ******\n');
			expect(text).not.toContain('hunter');
			expect(text).toMatch(/EOFError/);
			expect(exit).toBe(6);
		});

		test('without a terminal input is not asked for, and the code raises', async () => {
			expect(await served.run(['run', 'welcome', '-c', 'print("a")\ninput("name? ")'])).toMatchObject({
				code: 6,
				stdout: 'a\n',
				stderr: expect.stringContaining('StdinNotImplementedError'),
			});
		});

		test('a magic that fails ends a run and a notebook as an error does, and is printed once', async () => {
			const run = async (...args: readonly string[]) => served.run(['run', 'welcome', ...args]);
			expect(await run('-c', '%no_such_magic')).toMatchObject({
				code: 6,
				stderr: expect.stringMatching(/no_such_magic/),
			});
			expect((await run('-c', '%no_such_magic')).stderr.match(/^UsageError/gm)).toHaveLength(1);
			const {code, stdout} = await run('--json', '-c', '%no_such_magic');
			expect(code).toBe(6);
			expect(JSON.parse(stdout)).toMatchObject({
				outputs: expect.arrayContaining([
					expect.objectContaining({output_type: 'error', ename: 'UsageError'}),
				]),
			});
			const codeCell = (source: string) => ({
				cell_type: 'code',
				execution_count: null,
				metadata: {},
				outputs: [],
				source,
			});
			const cells = [codeCell('%no_such_magic'), codeCell('print("below")')];
			writeFileSync(
				join(home.folder, 'magic.ipynb'),
				JSON.stringify({cells, metadata: {}, nbformat: 4, nbformat_minor: 4}),
			);
			expect(await run('magic.ipynb')).toMatchObject({
				code: 6,
				stdout: '',
				stderr: expect.stringContaining('The cells below it did not run.'),
			});
		});

		test('a bar is one line on a terminal, and all of its bytes in a pipe', async () => {
			const code =
				'import sys, time\nfor i in range(30):\n    print(f"\\r{i} of 29", end="", flush=True)\n    time.sleep(0.01)\nprint()';
			const piped = await served.run(['run', 'welcome', '-c', code]);
			expect(piped.stdout).toBe(`${Array.from({length: 30}, (_, step) => `\r${step} of 29`).join('')}\n`);
			const {text} = await onTerminal(['run', 'welcome', '-c', code], {home, env: served.env});
			expect(text.split('\n')).toHaveLength(2);
			expect(text).toMatch(/29 of 29\n$/);
		});

		test('a display that changes is printed as it was and as it came to be', async () => {
			const code =
				engine === 'embedded'
					? 'x = display("old", display_id="d")\nprint("between")\nupdate_display("new", display_id="d")'
					: 'from IPython.display import display, update_display\nx = display("old", display_id="d")\nprint("between")\nupdate_display("new", display_id="d")';
			expect(await served.run(['run', 'welcome', '-c', code])).toMatchObject({
				code: 0,
				stdout: "'old'\nbetween\n'new'\n",
			});
		});

		test('a script has its arguments, its file and its environment, which are removed afterwards', async () => {
			writeFileSync(
				join(home.folder, 'a.py'),
				'import os, sys\nprint(sys.argv, __name__, __file__, os.environ.get("EPOCHS"), os.environ["HOME"])\n',
			);
			const look = [
				'run',
				'welcome',
				'-c',
				'import os, sys\n[len(sys.argv[0]) > 4, "__file__" in globals(), os.environ.get("EPOCHS")]',
			];
			const before = await served.run(look);
			const args = [
				'run',
				'welcome',
				'a.py',
				'--kernel',
				'shared',
				'--env',
				'EPOCHS=3 é',
				'--env',
				'HOME=/x',
				'--',
				'x',
				'--json',
				"it's",
			];
			const wanted = `['a.py', 'x', '--json', "it's"] __main__ a.py 3 é /x\n`;
			expect(await served.run(args)).toEqual({code: 0, signal: null, stdout: wanted, stderr: ''});
			expect(await served.run(look)).toEqual(before);
			const json = await served.run(['--json', ...args]);
			expect(JSON.parse(json.stdout)).toMatchObject({outputs: [{text: wanted}]});
			expect(await served.run(look)).toEqual(before);
			expect(
				await served.run(['run', 'welcome', '-c', 'import sys; print(sys.argv); 1/0', '--', '1']),
			).toMatchObject({code: 6, stdout: "['-c', '1']\n"});
			expect(await served.run(look)).toEqual(before);
			expect(await served.run(['run', 'welcome', 'a.py', 'x'])).toMatchObject({
				code: 2,
				stderr: expect.stringContaining('Put script arguments after --'),
			});
			expect(await served.run(['run', 'welcome', 'a.py', '--env', '=x'])).toMatchObject({code: 2});
		});

		test('the environment of a script is restored at its end even if the command was killed', async () => {
			const look = ['run', 'welcome', '-c', 'import os, sys\n[len(sys.argv), os.environ.get("EPOCHS")]'];
			const before = await served.run(look);
			const child = spawn(
				PROGRAM,
				[
					...['run', 'welcome', '-c', `print("begun", flush=True)\n${untilThere('killed')}`],
					...['--env', 'EPOCHS=3', '--', 'a', 'b', 'c'],
				],
				{env: {...home.env, ...served.env}, stdio: ['ignore', 'pipe', 'inherit']},
			);
			const closed = once(child, 'close');
			await firstOutput(child);
			child.kill('SIGKILL');
			await closed;
			expect(await served.run(['files', 'put', 'welcome', '-', 'killed'], {input: 'x'})).toMatchObject({
				code: 0,
			});
			expect(await served.run(look)).toEqual(before);
		});

		test('sys.exit() ends the command with its code, or with 1 and its text', async () => {
			const exit = async (what: string, ...more: readonly string[]) =>
				served.run(['run', 'welcome', '-c', `print("a")\nimport sys\nsys.exit(${what})`, ...more]);
			expect(await exit('3')).toEqual({code: 3, signal: null, stdout: 'a\n', stderr: ''});
			expect(await exit('3', '--', 'x')).toEqual({code: 3, signal: null, stdout: 'a\n', stderr: ''});
			expect(await exit('')).toMatchObject({code: 0, stderr: ''});
			expect(await exit('"no data"')).toMatchObject({code: 1, stderr: 'no data\n'});
			expect(await exit('257')).toMatchObject({code: 1});
			expect(await exit('4', '--json')).toMatchObject({code: 4});
		});

		test('a pipe whose reader goes interrupts the code', async () => {
			const {stdout, stderr} = await promisify(execFile)(
				'bash',
				[
					'-c',
					`"$PROGRAM" run welcome -c 'import itertools\nfor i in itertools.count(): print(i)' | head -1`,
				],
				{env: {...home.env, ...served.env, PROGRAM}},
			);
			expect(stdout).toBe('0\n');
			expect(stderr).toContain('KeyboardInterrupt');
			expect(await served.run(['run', 'welcome', '-c', '6*7'])).toMatchObject({code: 0, stdout: '42\n'});
		});
	});
