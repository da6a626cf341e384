// @module-tag long
// Renaming, creating and deleting files through the API of a server's own address, on each
// engine that has one.
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {startHostileService} from '../faults/hostile-service.ts';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {newHome, runCommand, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';

const files = async (home: Home, engine: string, ...words: readonly string[]) =>
	runCommand(['files', ...words], {home, env: {SVC_ENGINE: engine}});

describe.each(['pyodide', 'jupyter'])('on %s', engine => {
	const missing = engine === 'jupyter' && findJupyter(process.env) === null;
	if (missing) console.warn('\n*** SKIPPED: no files are moved: jupyter-server is not installed ***\n');

	test.skipIf(missing)(
		'mv, mkdir and rm change the files, and what would lose one changes none',
		async () => {
			await using home = await newHome({keeps: true});
			const run = async (...words: readonly string[]) => files(home, engine, ...words);
			expect(await run('mkdir', 'welcome', 'runs/first')).toMatchObject({
				code: 0,
				stdout: 'Created folder runs/first\n',
			});
			const folder = serverFolder(serviceFolder(home));
			const at = (path: string): string => join(folder, path);
			for (const name of ['a.txt', 'b c.txt']) writeFileSync(at(name), name);

			expect(await run('mkdir', 'welcome', 'runs')).toMatchObject({
				code: 1,
				stdout: '',
				stderr: expect.stringContaining('"runs" already exists') as string,
			});
			expect(await run('mv', 'welcome', 'a.txt', 'runs')).toMatchObject({
				code: 0,
				stdout: 'a.txt is now runs/a.txt\n',
			});
			expect(await run('mv', 'welcome', 'runs/a.txt', 'b c.txt')).toMatchObject({code: 1, stdout: ''});
			expect(readFileSync(at('b c.txt'), 'utf8')).toBe('b c.txt');
			const {stdout} = await run('mv', 'welcome', 'runs/a.txt', 'b c.txt', 'runs/first', '--json');
			expect(JSON.parse(stdout)).toEqual({
				moved: [
					{from: 'runs/a.txt', to: 'runs/first/a.txt'},
					{from: 'b c.txt', to: 'runs/first/b c.txt'},
				],
			});
			expect(await run('mv', 'welcome', 'runs', 'runs/first')).toMatchObject({
				code: 2,
				stderr: expect.stringContaining('A folder cannot be moved into itself.') as string,
			});

			expect(await run('rm', 'welcome', 'README.md', 'runs')).toMatchObject({
				code: 2,
				stderr: expect.stringContaining('runs is a folder.\n-r deletes it') as string,
			});
			expect(existsSync(at('README.md'))).toBe(true);
			expect(await run('rm', 'welcome', 'README.md', 'no.txt')).toMatchObject({
				code: 3,
				// Each command may first have to start a service and report that, if the machine is
				// busy.
				stderr: expect.stringMatching(/(?:^|\n)There is no "no\.txt"\.\nNothing was deleted\.\n$/) as string,
			});
			expect(existsSync(at('README.md'))).toBe(true);
			expect(await run('rm', 'welcome', 'runs', 'README.md', '-r')).toMatchObject({
				code: 0,
				stdout: 'runs deleted\nREADME.md deleted\n',
			});
			expect([existsSync(at('runs')), existsSync(at('README.md'))]).toEqual([false, false]);
		},
	);
});

test(
	'on a server without an interface of its own, the error names an alternative',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		await using service = await startHostileService({});
		const {code, stdout, stderr} = await runHere(['files', 'rm', 'calm', 'a'], {home, env: service.env});
		expect({code, stdout}).toEqual({code: 1, stdout: ''});
		expect(stderr).toMatch(
			/The service does not support deleting, and the server's own address cannot be used: [^]+\nPython can do it: svc-tui run calm -c /,
		);
	},
);
