// @module-tag long
// Kernels of `run`: a file runs in its own kernel, other code in the kernel of the REPL.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {firstOutput} from '../support/first-output.ts';
import {newHome, PROGRAM} from '../support/program.ts';
import {waitFor} from '../support/wait-for.ts';
import {serve, shell} from './support.ts';

const noJupyter = findJupyter(process.env) === null;

const parallel = {
	cells: [
		{source: 'n = 0', tags: ['parameters']},
		{source: 'begun = n\nimport time; time.sleep(1)', tags: []},
		{source: 'print("started with", begun, "now", n)', tags: []},
	].map(({source, tags}, at) => ({
		cell_type: 'code',
		execution_count: null,
		id: `cell-${at}`,
		metadata: {tags},
		outputs: [],
		source,
	})),
	metadata: {kernelspec: {display_name: 'Python 3', language: 'python', name: 'python3'}},
	nbformat: 4,
	nbformat_minor: 5,
};

test.for(noJupyter ? ['embedded'] : ['embedded', 'jupyter'])(
	'%s: files run in kernels of their own, which end with the command; -c and --kernel shared use that of the REPL',
	async engine => {
		await using home = await newHome();
		await using served = await serve(home, ['--engine', engine]);
		await served.run(['server', 'start', 'welcome', '--wait']);
		const put = (name: string, text: string): void => writeFileSync(join(home.folder, name), text);
		const run = async (...args: readonly string[]) => {
			const {code, stdout, stderr} = await served.run(['run', 'welcome', ...args]);
			return {code, stdout, stderr};
		};
		const [{url: address = '', token = ''} = {}] = JSON.parse(
			(await served.run(['servers', '--json'])).stdout,
		) as readonly {url?: string; token?: string}[];
		/** Paths of the sessions on the server. */
		const sessions = async (): Promise<readonly string[]> => {
			const answer = await fetch(new URL('api/sessions', address), {
				headers: {authorization: `token ${token}`},
			});
			return ((await answer.json()) as readonly {path: string}[]).map(({path}) => path);
		};

		expect(await run('-c', 'x = 41')).toMatchObject({code: 0});
		expect(await run('-c', 'print(x)')).toMatchObject({stdout: '41\n'});

		put('par.ipynb', JSON.stringify(parallel));
		const {stdout, stderr} = await shell(
			'for n in 1 2 3; do svc-tui run welcome par.ipynb -p n=$n & done; wait',
			{home, env: served.env},
		);
		expect([stdout.toString().split('\n').toSorted(), stderr]).toEqual([
			['', ...[1, 2, 3].map(n => `started with ${n} now ${n}`)],
			'',
		]);

		put('s.py', 'print("x" in globals())\ny = 5\n');
		expect(await run('s.py')).toEqual({code: 0, stdout: 'False\n', stderr: ''});
		expect(JSON.parse((await run('s.py', '--json')).stdout)).toMatchObject({outputs: [{text: 'False\n'}]});
		put('bad.py', 'y = 5\nraise ValueError(1)\n');
		expect(await run('bad.py')).toMatchObject({code: 6});
		put('long.py', 'import time\nprint("runs", flush=True)\ntime.sleep(600)\n');
		for (const signal of ['SIGINT', 'SIGTERM'] as const) {
			const child = spawn(PROGRAM, ['run', 'welcome', 'long.py'], {
				env: {...home.env, ...served.env},
				cwd: home.folder,
				stdio: ['ignore', 'pipe', 'ignore'],
			});
			expect(await firstOutput(child)).toBe('runs\n');
			expect(await sessions()).toHaveLength(2);
			child.kill(signal);
			await once(child, 'exit');
			await waitFor(async () => expect(await sessions()).toEqual(['svc-tui-python3']));
		}

		expect(await run('-c', 'print("y" in globals(), x)')).toMatchObject({stdout: 'False 41\n'});
		expect(await run('s.py', '--kernel', 'shared')).toEqual({code: 0, stdout: 'True\n', stderr: ''});
		expect(await run('-c', 'print(y)')).toMatchObject({stdout: '5\n'});
		expect(await sessions()).toEqual(['svc-tui-python3']);
	},
);
