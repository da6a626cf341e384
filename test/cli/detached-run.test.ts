// @module-tag long
// `run --detach` and `run --attach`: cells continue in the kernel while no command waits for them.
import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {notebookOf} from '../support/notebook-of.ts';
import {newHome, PROGRAM, runCommand} from '../support/program.ts';
import {waitFor} from '../support/wait-for.ts';
import {withoutLinks} from '../support/without-links.ts';
import {serve} from './support.ts';

const noJupyter = findJupyter(process.env) === null;

/** Code that waits for a file in the server's folder. */
const waitsFor = (file: string): string =>
	`import os, time\nwhile not os.path.exists("${file}"): time.sleep(0.01)`;
const outputsIn = (file: string): string =>
	(
		JSON.parse(readFileSync(file, 'utf8')) as {
			readonly cells: readonly {readonly outputs: readonly {readonly text?: readonly string[]}[]}[];
		}
	).cells
		.flatMap(({outputs}) => outputs.flatMap(({text = []}) => text))
		.join('');
const killed = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
	const exit = once(child, 'exit');
	child.kill(signal);
	await exit;
};

test.for(noJupyter ? ['embedded'] : ['embedded', 'jupyter'])(
	'%s: a detached run continues without a command; --attach takes up its outputs, each line once',
	async engine => {
		await using home = await newHome();
		const args = ['--engine', engine];
		await using running = new AsyncDisposableStack();
		let served = running.use(await serve(home, args));
		await served.run(['server', 'start', 'welcome', '--wait']);
		const pathOf = (name: string): string => join(home.folder, name);
		const put = (name: string, text: string): void => writeFileSync(pathOf(name), text);
		/**
		 * Starts the command as a process, because a process owns the log of the run that it
		 * writes.
		 */
		const command = async (...words: readonly string[]) => {
			const {code, stdout, stderr} = await runCommand(['run', ...words], {home, env: served.env});
			return {code, stdout, stderr};
		};
		const detach = async (...words: readonly string[]): Promise<string> => {
			const {code, stdout, stderr} = await command('welcome', ...words, '--detach');
			expect([code, stderr]).toEqual([0, '']);
			expect(stdout).toMatch(/^[\da-f]{8}\n$/);
			return stdout.trim();
		};
		const attach = async (...words: readonly string[]) => command('--attach', ...words);
		/** Names of the run logs, with the processes that own them. */
		const logs = (): readonly string[] =>
			readdirSync(pathOf('.local/state/svc-tui/runs'), {recursive: true, encoding: 'utf8'});
		/**
		 * Attaches to the run. Resolves when that command owns the log and has printed this text.
		 */
		const attachUntil = async (id: string, text: string) => {
			const child = spawn(PROGRAM, ['run', '--attach', id], {
				env: {...home.env, ...served.env},
				cwd: home.folder,
				stdio: ['ignore', 'pipe', 'pipe'],
			});
			let printed = '';
			child.stdout.setEncoding('utf8').on('data', (part: string) => (printed += part));
			await waitFor(() => {
				expect(logs().some(name => name.includes(`.${child.pid}`))).toBe(true);
				expect(printed).toContain(text);
			});
			return child;
		};
		/** Creates the file that a cell on the server with this folder waits for. */
		const go = async (file: string): Promise<unknown> =>
			served.run(['run', 'welcome', '-c', `open("${file}", "w").close()`]);
		const jupyter = async (method: string, path: string): Promise<Response> => {
			const [{url = '', token = ''} = {}] = JSON.parse(
				(await served.run(['servers', '--json'])).stdout,
			) as readonly {url?: string; token?: string}[];
			return fetch(new URL(path, url), {method, headers: {authorization: `token ${token}`}});
		};
		type Session = {readonly path: string; readonly kernel: {readonly id: string}};
		const sessions = async (): Promise<readonly Session[]> =>
			(await (await jupyter('GET', 'api/sessions')).json()) as readonly Session[];

		// The command has ended while the first cell still runs; all cells are in the kernel's
		// queue.
		put(
			'train.ipynb',
			notebookOf(
				'print("begun", n, flush=True)',
				waitsFor('go-1'),
				'for i in range(50): print("line", i)',
				waitsFor('go-2'),
				'print("end")',
			),
		);
		const id = await detach('train.ipynb', '-p', 'n=5', '-o', 'out.ipynb');
		expect(await sessions()).toContainEqual(expect.objectContaining({path: `svc-tui-run-${id}`}));
		const first = await attachUntil(id, '');
		const refused = await attach(id);
		expect([refused.code, refused.stderr]).toEqual([
			1,
			`Run ${id} (train.ipynb) is in use by another command, which sends its cells or prints its outputs.\nEnd that command with Ctrl-C, and try again: the run continues.\n`,
		]);
		await killed(first, 'SIGKILL');
		await go('go-1');
		// Ctrl-C ends only the command, not the run.
		const second = await attachUntil(id, '');
		let said = '';
		second.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
		await killed(second, 'SIGINT');
		expect([second.exitCode, said]).toEqual([
			130,
			`Run ${id} (train.ipynb) continues without this command.\nsvc-tui run --attach ${id} prints its outputs again from the start.\n`,
		]);
		await go('go-2');
		expect(await attach(id, '--progress')).toEqual({
			code: 0,
			stdout: '',
			stderr: [1, 2, 3, 4, 5, 6].map(n => `Cell ${n} of 6\n`).join(''),
		});
		const lines = Array.from({length: 50}, (_, n) => `line ${n}\n`).join('');
		expect(outputsIn(pathOf('out.ipynb'))).toBe(`begun 5\n${lines}end\n`);
		expect((await sessions()).map(({path}) => path)).toEqual(['svc-tui-python3']);
		const again = await attach(id);
		expect([again.code, again.stderr]).toEqual([
			3,
			expect.stringMatching(
				/^Run .* ended with exit code 0; --attach reported it at .*out\.ipynb\.\nRun the file again\.\n$/,
			),
		]);

		// The rest does not depend on the engine, so one is enough: each kernel takes seconds to
		// start.
		put('long.py', 'import time\nprint("runs", flush=True)\ntime.sleep(600)\n');
		if (engine === 'jupyter') {
			// After its kernel was shut down, a run has ended. Outputs received so far remain.
			const long = await detach('long.py');
			await killed(await attachUntil(long, 'runs\n'), 'SIGKILL');
			const {kernel} = (await sessions()).find(({path}) => path === `svc-tui-run-${long}`)!;
			await jupyter('DELETE', `api/kernels/${kernel.id}`);
			const gone = await attach(long);
			expect([gone.code, gone.stdout]).toEqual([3, 'runs\n']);
			expect(gone.stderr).toMatch(/^The kernel of this run is gone/);
			expect((await attach(long)).stderr).toMatch(/^Run .* has ended: its kernel was gone at/);

			return;
		}
		// An error ends the run, even while no command waits.
		put('bad.ipynb', notebookOf('print("one")', '1 / 0', 'print("never")'));
		const bad = await attach(await detach('bad.ipynb'));
		expect([bad.code, bad.stdout]).toEqual([6, 'one\n']);
		expect(bad.stderr).toMatch(
			/Cell 2 of 3 raised ZeroDivisionError: division by zero\. The cells below it did not run\.\n$/,
		);
		const {raised, cells} = JSON.parse(
			(await attach(await detach('bad.ipynb', '--allow-errors'), '--json')).stdout,
		) as {raised: unknown; cells: unknown[]};
		expect([raised, cells.length]).toEqual([null, 3]);

		put('s.py', 'import os, sys\nprint(sys.argv, os.environ["X"])\nsys.exit(3)\n');
		const script = await runCommand(
			['--json', 'run', 'welcome', 's.py', '--detach', '--env', 'X=1', '--', 'a'],
			{home, env: served.env},
		);
		const started = JSON.parse(script.stdout) as {readonly id: string};
		expect(started).toEqual({id: expect.any(String), server: 'welcome', name: 's.py', cells: 1});
		expect(await attach('nope')).toEqual({
			code: 3,
			stdout: '',
			stderr: `There is no detached run "nope" of this service.\nThere is ${started.id} (s.py on welcome).\n`,
		});
		expect(await attach(started.id)).toEqual({code: 3, stdout: "['s.py', 'a'] 1\n", stderr: ''});

		// The service has ended, so the kernel has ended too.
		const lost = await detach('long.py');
		await served[Symbol.asyncDispose]();
		served = running.use(await serve(home, [...args, '--port', new URL(served.url).port]));
		const stopped = await attach(lost);
		expect([stopped.code, stopped.stdout]).toEqual([1, '']);
		expect(stopped.stderr).toMatch(/^welcome is offline, and the kernel of Run .* ended with it\./);
		expect(existsSync(pathOf('out.ipynb'))).toBe(true);
	},
);

test('--detach and --attach say what they need', async () => {
	await using home = await newHome();
	await using served = await serve(home);
	await using linkless = await withoutLinks(served.url);
	await served.run(['server', 'start', 'welcome', '--wait']);
	writeFileSync(join(home.folder, 's.py'), 'print(1)\n');
	writeFileSync(join(home.folder, 'a.ipynb'), notebookOf('print(1)'));
	const said = async (...words: readonly string[]): Promise<string> => {
		const {code, stderr} = await served.run(['run', ...words]);
		expect(code).toBe(2);
		return stderr.split('\n')[0] ?? '';
	};
	expect(await said()).toBe("Missing required argument 'SERVER'.");
	expect(await said('welcome', '-c', '1', '--detach')).toBe('--detach is for files.');
	expect(await said('welcome', 's.py', '--detach', '--kernel', 'shared')).toBe(
		'--detach needs a kernel of its own.',
	);
	expect(await said('welcome', 'a.ipynb', '--detach', '--timeout', '3')).toBe(
		'--timeout and --progress need a command that waits.',
	);
	expect(await said('welcome', 'a.ipynb', '--detach', '-o', '-')).toBe(
		'With --detach there is no standard output to write to.',
	);
	expect(await said('welcome', '--attach', '1234')).toBe(
		'--attach takes the id of a detached run, and besides it only -o FILE and --progress.',
	);
	expect(
		await served.run(['run', 'welcome', 's.py', '--detach'], {env: {SVC_BASE_URL: linkless.url}}),
	).toMatchObject({
		code: 1,
		stdout: '',
		stderr: expect.stringMatching(/^welcome has no Jupyter API at an address of its own/) as string,
	});
});
