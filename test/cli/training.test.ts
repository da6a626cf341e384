// @module-tag long
// A training run while the program is closed. It prints the lines of an hour in a minute, or in ten
// minutes with `npm run soak -- training`. Commands that read its output are killed at random.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {newHome, PROGRAM, runCommand, type Home} from '../support/program.ts';
import {notebookOf} from '../support/notebook-of.ts';
import {createRandom, newSeed} from '../support/random.ts';
import {serveProcess} from '../support/serve-process.ts';
import {waitFor} from '../support/wait-for.ts';

const SECONDS = process.env['SVC_SOAK'] ? 600 : 60;
/** Number of lines, one for each second of the hour. */
const STEPS = 3600;

const TRAINING = notebookOf(
	'with open("starts", "a") as file: file.write("1")\nprint("data loaded")',
	`import time
start = time.monotonic()
for step in range(${STEPS}):
    time.sleep(max(0, start + step * ${SECONDS / STEPS} - time.monotonic()))
    print(f"step {step} loss {${STEPS} - step}", flush=True)`,
	'with open("model", "w") as file: file.write("weights")\nprint("saved")',
);
const TEXT = `data loaded\n${Array.from({length: STEPS}, (_, step) => `step ${step} loss ${STEPS - step}\n`).join('')}saved\n`;
const outputsIn = (file: string): string =>
	(
		JSON.parse(readFileSync(file, 'utf8')) as {
			readonly cells: readonly {readonly outputs: readonly {readonly text?: readonly string[]}[]}[];
		}
	).cells
		.flatMap(({outputs}) => outputs.flatMap(({text = []}) => text))
		.join('');

/** A service that can be killed, and a detached training run on it. */
const startTraining = async (home: Home, engine: string) => {
	const data = join(home.folder, 'served');
	const serve = (port = '0') =>
		serveProcess(data, {args: ['--engine', engine, '--port', port], env: home.env});
	const service = serve();
	const url = await service.url();
	const env = {SVC_BASE_URL: url, SVC_API_KEY: readFileSync(join(data, 'key'), 'utf8').trim()};
	const run = async (...words: readonly string[]) => runCommand(words, {home, env});
	expect(await run('server', 'start', 'welcome', '--wait')).toMatchObject({code: 0});
	writeFileSync(join(home.folder, 'train.ipynb'), TRAINING);
	const {stdout} = await run('run', 'welcome', 'train.ipynb', '--detach', '-o', 'out.ipynb');
	const id = stdout.trim();
	const attached = () =>
		spawn(PROGRAM, ['run', '--attach', id], {env: {...home.env, ...env}, cwd: home.folder, stdio: 'ignore'});
	return {id, run, attached, service, again: () => serve(new URL(url).port)};
};

for (const engine of ['embedded', 'jupyter'])
	test.skipIf(engine === 'jupyter' && findJupyter(process.env) === null)(
		`${engine}: each line of a training run arrives once, whoever looked at it and was killed`,
		async () => {
			const random = createRandom(newSeed());
			await using home = await newHome();
			const {id, run, attached, service} = await startTraining(home, engine);
			await using _ = service;
			const until = performance.now() + 0.7 * SECONDS * 1000;
			while (performance.now() < until) {
				await random.pause(SECONDS * 150);
				const child = attached();
				const exit = once(child, 'exit');
				await random.pause(2000);
				child.kill('SIGKILL');
				await exit;
			}
			const ended = await run('run', '--attach', id);
			expect([ended.code, ended.stdout, ended.stderr], `seed ${random.seed}`).toEqual([0, '', '']);
			expect(outputsIn(join(home.folder, 'out.ipynb')), `seed ${random.seed}`).toBe(TEXT);
			expect((await run('files', 'list', 'welcome')).stdout).toContain('model');
			expect((await run('files', 'get', 'welcome', 'starts')).stdout).toBe('1');
		},
		SECONDS * 1000 + 300_000,
	);

test.skipIf(findJupyter(process.env) === null)(
	'jupyter: a training run whose service is killed says that its kernel has ended, and is not started again',
	async () => {
		await using home = await newHome();
		const {id, run, attached, service, again} = await startTraining(home, 'jupyter');
		await using first = service;
		const out = join(home.folder, 'out.ipynb');
		const child = attached();
		const exit = once(child, 'exit');
		await waitFor(() => expect(existsSync(out) && outputsIn(out)).toContain('data loaded'));
		child.kill('SIGKILL');
		await exit;
		first.child.kill('SIGKILL');
		await first.exited;
		await using second = again();
		await second.url();
		const {code, stderr} = await run('run', '--attach', id);
		expect([code, stderr]).toEqual([
			1,
			expect.stringMatching(/^welcome is offline, and the kernel of Run .* ended with it\./),
		]);
		await run('server', 'start', 'welcome', '--wait');
		const gone = await run('run', '--attach', id);
		expect([gone.code, gone.stderr]).toEqual([3, expect.stringMatching(/^The kernel of this run is gone/)]);
		// Outputs received so far remain.
		expect(outputsIn(out)).toContain('data loaded\n');
		expect((await run('files', 'get', 'welcome', 'starts')).stdout).toBe('1');
	},
);
