// @module-tag long
// `variables` on servers of both engines of the local service.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {firstOutput} from '../support/first-output.ts';
import {newHome, PROGRAM} from '../support/program.ts';
import {serve} from './support.ts';

const missing = findJupyter(process.env) === null;

const OBJECTS = `
import os
class Red:
	def __repr__(self): return "\\x1b[31mred"
red = Red(); big = list(range(50000)); word = "long"
`;

/** Code that runs until a file exists. */
const GATE = 'print("on", flush=True)\nimport time\nwhile not os.path.exists("go"): time.sleep(0.01)\n';

for (const engine of ['embedded', 'jupyter'])
	describe.skipIf(engine === 'jupyter' && missing)(engine, () => {
		test('variables lists names, types, shapes and sizes, and waits for a running cell', async () => {
			await using home = await newHome();
			await using served = await serve(home, ['--engine', engine]);
			const list = (...words: readonly string[]) => served.run(['variables', 'welcome', ...words]);
			expect(await list()).toMatchObject({
				code: 1,
				stderr: expect.stringMatching(/"welcome" is offline[^]*Start it first: /),
			});
			expect(await served.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
			expect(await list()).toMatchObject({code: 3, stderr: expect.stringContaining('No kernel is running')});
			expect(await served.run(['run', 'welcome', '-c', OBJECTS])).toMatchObject({code: 0});
			const {stdout} = await list();
			expect(stdout).toMatch(/^NAME +TYPE +SHAPE +SIZE +VALUE *\nbig +list +50,000 +\d\.\d M +\[0, 1, 2/);
			expect(stdout).toMatch(/^red +Red +\d+ +\^\[\[31mred$/m);
			expect(stdout).not.toMatch(/^(?:os|Red) /m);
			expect(JSON.parse((await list('--json')).stdout)).toEqual(
				expect.arrayContaining([
					{name: 'word', type: 'str', shape: [4], size: expect.any(Number), value: "'long'"},
					{name: 'red', type: 'Red', shape: [], size: expect.any(Number), value: '\u001B[31mred'},
				]),
			);
			expect(await list('--notebook', 'nowhere.ipynb')).toMatchObject({code: 3});

			const spawned = (...words: readonly string[]) =>
				spawn(PROGRAM, words, {env: {...home.env, ...served.env}, stdio: ['ignore', 'pipe', 'pipe']});
			const cell = spawned('run', 'welcome', '-c', `${GATE}late = 1`);
			await firstOutput(cell);
			const waiting = spawned('variables', 'welcome', '--jsonl');
			const rows = waiting.stdout.toArray();
			const [notice] = (await once(waiting.stderr, 'data')) as [Buffer];
			expect(notice.toString()).toContain('The kernel is running a cell: waiting for it to end');
			await served.run(['files', 'put', 'welcome', '-', 'go'], {input: ''});
			expect((await rows).join('')).toContain('{"name":"late","type":"int"');
		});
	});
