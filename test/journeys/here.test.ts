// The current folder becomes a server after one question if the home is empty. The next start uses
// the same server.
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {newHome, openProgram, runCommand, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';

const projectIn = (home: Home): string => {
	const folder = join(home.folder, 'work/my project');
	mkdirSync(join(folder, '.git'), {recursive: true});
	for (const [name, content] of [
		['.git/config', '[core]\n'],
		['.gitignore', '*.log\n'],
		['train.py', 'print("mine")\n'],
		['run.log', 'long\n'],
	] as const)
		writeFileSync(join(folder, name), content);
	return folder;
};

const here = (home: Home, cwd: string): Promise<Terminal> => openProgram({home, args: ['--here'], cwd});

test('--here opens the folder after a question, runs code in it, and is the same server the next time', async () => {
	await using home = await newHome();
	const cwd = projectIn(home);
	{
		await using terminal = await here(home, cwd);
		const asked = await terminal.until('Open it? [y/N]');
		expect(asked.replaceAll('\n', '')).toContain(
			`Code will run in the embedded Python. It can read and change files in ${cwd}, except .git, and nothing else.`,
		);
		terminal.type('n\r');
		expect((await terminal.exit).code).not.toBe(0);
		expect(terminal.screen()).toContain('The folder was not opened.');
	}
	{
		await using terminal = await here(home, cwd);
		await terminal.until('Open it? [y/N]');
		terminal.type('y\r');
		await terminal.until(/my-project \S ready/);
		expect(await terminal.until('train.py')).not.toMatch(/run\.log|\.git/);
		terminal.press('.');
		expect(await terminal.until('run.log')).toContain('.gitignore');
		expect(terminal.screen()).not.toMatch(/\.git\b(?!ignore)/);
		terminal.press('5');
		await terminal.until('>>>');
		terminal.type(
			'import os; open("made.txt", "w").write(str(sorted(os.listdir()))); print("wri" + "tten")\r',
		);
		await terminal.until(/^ *written\b/m);
		terminal.press('alt+q');
		await terminal.exit;
	}
	expect(readFileSync(join(cwd, 'made.txt'), 'utf8')).toBe(
		"['.gitignore', 'made.txt', 'run.log', 'train.py']",
	);
	expect(readdirSync(cwd).sort()).toEqual(['.git', '.gitignore', 'made.txt', 'run.log', 'train.py']);
	{
		await using terminal = await here(home, cwd);
		await terminal.until(/my-project \S ready/);
		await terminal.until('made.txt');
		terminal.press('alt+q');
		await terminal.exit;
	}
	const {stdout} = await runCommand(['servers', '--json'], {home});
	expect((JSON.parse(stdout) as readonly {readonly name: string}[]).map(({name}) => name)).toEqual([
		'welcome',
		'my-project',
	]);
});

test(
	'server create --folder asks in a terminal only, and takes no folder that is not a project',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		const cwd = projectIn(home);
		const create = (...words: readonly string[]) =>
			runCommand(['server', 'create', '--folder', ...words], {home, cwd});
		expect(await create('.')).toMatchObject({
			code: 2,
			stdout: '',
			stderr: expect.stringMatching(/^This folder has not been opened yet\. [^]*\n--yes opens it/) as string,
		});
		expect(await create('.', '--yes')).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/^my-project is ready/) as string,
		});
		expect(await create('.')).toMatchObject({code: 0});
		expect(await runCommand(['files', 'get', 'my-project', 'train.py'], {home, cwd})).toMatchObject({
			code: 0,
			stdout: 'print("mine")\n',
		});
		for (const folder of ['/', home.folder, '~'])
			expect(await create(folder, '--yes'), folder).toMatchObject({
				code: 1,
				stderr: expect.stringContaining('home folder') as string,
			});
		expect(await create('nowhere', '--yes')).toMatchObject({code: 3});
		expect(await create('.', 'named')).toMatchObject({code: 2});
		expect(existsSync(join(cwd, '.svc'))).toBe(false);
	},
);
