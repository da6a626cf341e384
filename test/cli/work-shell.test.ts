// @module-tag long
// Steps of a task on each engine: shell commands where the server has a shell, and folders for new
// files.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {newHome, PROGRAM, type Home} from '../support/program.ts';
import {waitFor} from '../support/wait-for.ts';
import {startWorkModel, step, steps} from '../support/work-model.ts';
import {serve, type Served} from './support.ts';

const missing = findJupyter(process.env) === null;
if (missing) console.warn('\n*** SKIPPED: no shell steps: jupyter-server is not installed ***\n');

const isAlive = (pid: number): boolean => {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
};

describe.each(['embedded', 'jupyter'])('on %s', engine => {
	let home: Home;
	let served: Served;
	let model: Awaited<ReturnType<typeof startWorkModel>>;
	const isSkipped = engine === 'jupyter' && missing;
	beforeAll(async () => {
		if (isSkipped) return;
		home = await newHome();
		model = await startWorkModel();
		const models = join(home.folder, 'models.json');
		writeFileSync(models, JSON.stringify({model_2: {baseUrl: model.baseUrl, model: 'tiny'}}));
		served = await serve(home, ['--engine', engine, '--models', models]);
		expect(await served.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
	});
	afterAll(async () => {
		if (isSkipped) return;
		await served[Symbol.asyncDispose]();
		await model[Symbol.asyncDispose]();
		await home[Symbol.asyncDispose]();
	});

	const work = async (...options: readonly string[]) => {
		const {code, stdout} = await served.run(['work', 'welcome', 'go', '--jsonl', ...options]);
		const lines = stdout.trimEnd().split('\n');
		return {code, lines: lines.map(line => JSON.parse(line) as Readonly<Record<string, unknown>>)};
	};

	test.skipIf(isSkipped)('folders that were made for a file go with it', async () => {
		model.play([steps(step('write', 'made/for/it.txt', 'x\n'), step('done', '', 'Done.\n'))]);
		expect(await work('--allow', 'write')).toMatchObject({code: 0});
		expect((await served.run(['files', 'list', 'welcome'])).stdout).toMatch(/^made\//m);
		expect(await served.run(['work', 'welcome', '--undo'])).toMatchObject({code: 0});
		expect((await served.run(['files', 'list', 'welcome'])).stdout).not.toMatch(/^made\//m);
	});

	test.runIf(engine === 'embedded')('a server without a shell reports that', async () => {
		model.play([steps(step('shell', '', 'ls\n')), steps(step('done', '', 'None.\n'))]);
		expect((await work('--allow', 'shell')).lines).toMatchObject([
			{kind: 'shell', state: 'failed', result: 'failed: this server has no shell', output: null},
			{end: 'done'},
		]);
	});

	test.skipIf(engine === 'embedded' || isSkipped)(
		'commands run, and their background processes are not awaited',
		async () => {
			model.play([
				steps(
					step('shell', '', 'echo out; echo err >&2; printf "é without an end"\n'),
					step('shell', '', 'read line; echo "nothing to read: $?"\n'),
					step('shell', '', 'sleep 600 &\necho $! > left.pid\n'),
					step('shell', '', 'kill "$(cat left.pid)" && echo it lives\n'),
					step('run', '', 'print([name for name in dir() if name.startswith("_svc")])\n'),
				),
				steps(step('shell', '', 'echo before; exit 3\n')),
				steps(step('done', '', 'Done.\n')),
			]);
			const {code, lines} = await work('--allow', 'shell,run');
			expect(code).toBe(0);
			expect(lines).toMatchObject([
				{kind: 'shell', state: 'done', output: 'out\nerr\né without an end'},
				{kind: 'shell', state: 'done', output: 'nothing to read: 1\n'},
				{kind: 'shell', state: 'done', result: 'ok, no output'},
				{kind: 'shell', state: 'done', output: 'it lives\n'},
				{kind: 'run', state: 'done', output: '[]\n'},
				{kind: 'shell', state: 'failed', result: 'failed: exit code 3', output: 'before\n'},
				{end: 'done'},
			]);
		},
	);

	test.skipIf(engine === 'embedded' || isSkipped)('Ctrl-C ends the command and its processes', async () => {
		model.play([steps(step('shell', '', 'sleep 600 & echo $! > runs.pid; wait\n'))]);
		const child = spawn(PROGRAM, ['work', 'welcome', 'go', '--allow', 'shell'], {
			env: {...home.env, ...served.env},
			cwd: home.folder,
			stdio: 'ignore',
		});
		const exit = once(child, 'exit');
		await waitFor(
			async () =>
				expect((await served.run(['files', 'get', 'welcome', 'runs.pid'])).stdout).toMatch(/^\d+\n$/),
			{interval: 100},
		);
		const pid = Number((await served.run(['files', 'get', 'welcome', 'runs.pid'])).stdout);
		expect(isAlive(pid)).toBe(true);
		child.kill('SIGINT');
		await exit;
		await waitFor(
			async () =>
				expect(isAlive(pid) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')).toBe(false),
			{interval: 50},
		);
	});
});
