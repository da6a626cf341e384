// @module-tag long
// `files grep` on servers of both engines of the local service.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {newHome, PROGRAM} from '../support/program.ts';
import {onTerminal, serve} from './support.ts';

const missing = findJupyter(process.env) === null;

for (const engine of ['embedded', 'jupyter'])
	describe.skipIf(engine === 'jupyter' && missing)(engine, () => {
		test('grep prints matching lines, as JSON too, and exits with 1 if there are none', async () => {
			await using home = await newHome();
			await using served = await serve(home, ['--engine', engine]);
			expect(await served.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
			const put = async (path: string, input: string): Promise<void> => {
				expect(await served.run(['files', 'put', 'welcome', '-', path], {input})).toMatchObject({code: 0});
			};
			await put('src/zeta.py', 'import os\ndef zeta(x):\n\treturn x\n');
			await put('node_modules/zeta.js', 'zeta\n');
			await put('zeta_token.txt', 'zeta\n');
			const grep = (...words: readonly string[]) => served.run(['files', 'grep', 'welcome', ...words]);
			expect(await grep('ZETA', '-i')).toEqual(
				expect.objectContaining({code: 0, stdout: 'src/zeta.py:2:def zeta(x):\n', stderr: ''}),
			);
			expect(JSON.parse((await grep('return x', 'src/zeta.py', '--jsonl')).stdout)).toEqual({
				path: 'src/zeta.py',
				line: 3,
				text: '\treturn x',
				start: 1,
				end: 9,
				before: [],
				after: [],
			});
			await put('near.txt', '1\n2\nzeta\n4\nzeta\n6\n7\n8\nzeta\n');
			expect(await grep('zeta', 'near.txt', '-C', '1')).toMatchObject({
				code: 0,
				stdout: [
					'near.txt-2-2\nnear.txt:3:zeta\nnear.txt-4-4\nnear.txt:5:zeta\nnear.txt-6-6\n--\n',
					'near.txt-8-8\nnear.txt:9:zeta\n',
				].join(''),
			});
			expect(await grep('zeta', '--context', '21')).toMatchObject({code: 2});
			expect(await grep('zeta(y', '--fixed')).toMatchObject({code: 1, stdout: '', stderr: ''});
			expect(await grep('(')).toMatchObject({code: 2, stderr: expect.stringContaining('not a regular')});
			expect(await grep('a', 'nowhere')).toMatchObject({code: 3});
			const shown = await onTerminal(['files', 'grep', 'welcome', 'z.ta'], {home, env: served.env});
			expect(shown.text).toContain('\u001B[1;31mzeta\u001B[m(x):');

			if (engine === 'embedded') return;
			// A running cell does not delay the search, and a slow pattern does not block the
			// kernel.
			const cell = spawn(
				PROGRAM,
				['run', 'welcome', '-c', 'print("on", flush=True)\nimport time\ntime.sleep(600)'],
				{env: {...home.env, ...served.env}, stdio: ['ignore', 'pipe', 'inherit']},
			);
			const closed = once(cell, 'close');
			await once(cell.stdout, 'data');
			await put('slow.txt', `${'a'.repeat(5000)}!\n`);
			expect(await grep('def zeta', 'src')).toMatchObject({code: 0, stdout: 'src/zeta.py:2:def zeta(x):\n'});
			expect(await grep('(a+)+$', 'slow.txt')).toMatchObject({
				code: 5,
				stderr: expect.stringContaining('took too long in slow.txt'),
			});
			cell.kill('SIGINT');
			await closed;
		});
	});
