// @module-tag long
// `sync` sends a local folder to a server. It sends only differences, and never deletes a server's
// file by mistake.
import {existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {fileEntry, folderEntry, json, startHostileService, success} from '../faults/hostile-service.ts';
import {serverFolder} from '../support/folders.ts';
import {newHome, PROGRAM, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import {openTerminal} from '../support/terminal.ts';
import {serve} from './support.ts';

const write = (root: string, files: Readonly<Record<string, string>>): void => {
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(root, path)), {recursive: true});
		writeFileSync(join(root, path), content);
	}
};

type Report = {
	readonly sent: readonly {readonly path: string}[];
	readonly same: number;
	readonly deleted: readonly string[];
};
test(
	'sends differences, leaves out files that git ignores, and deletes on request',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		await using service = await serve(home);
		expect(await service.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
		const here = join(home.folder, 'project');
		const there = join(serverFolder(join(home.folder, 'served')), 'code');
		write(home.folder, {'outside.txt': 'not yours\n'});
		write(here, {
			'.gitignore': '*.log\nout/\n',
			'.git/config': 'private\n',
			'a.py': 'print(1)\n',
			'src/b.py': 'b = 2\n',
			'run.log': 'long\n',
		});
		symlinkSync('../outside.txt', join(here, 'link.txt'));
		const sync = async (...more: readonly string[]) =>
			service.run(['files', 'sync', here, 'welcome:code', ...more]);
		const report = async (...more: readonly string[]): Promise<Report> => {
			const {code, stdout, stderr} = await sync('--json', ...more);
			expect({code, stderr}).toEqual({code: 0, stderr: ''});
			return JSON.parse(stdout) as Report;
		};

		expect(await sync('--dry-run')).toEqual({
			code: 0,
			signal: null,
			stdout:
				'send    .gitignore\nsend    a.py\nsend    src/b.py\nwelcome: 3 files to send, 26 bytes; 0 unchanged\n',
			stderr: 'Symbolic links skipped: link.txt.\n',
		});
		expect(existsSync(there)).toBe(false);
		expect(await sync()).toMatchObject({code: 0, stdout: 'welcome: 3 files sent, 26 bytes; 0 unchanged\n'});
		expect(readFileSync(join(there, 'src/b.py'), 'utf8')).toBe('b = 2\n');
		for (const name of ['.git', 'run.log', 'link.txt']) expect(existsSync(join(there, name))).toBe(false);

		// Files that exist only on the server are not changed. Files of equal size with different
		// content count as different.
		write(there, {'src/b.py': 'b = 3\n', 'old.txt': 'old\n', 'out/model.bin': 'kept\n'});
		expect(await report()).toMatchObject({sent: [{path: 'src/b.py', bytes: 6}], same: 2, deleted: []});
		expect(await report()).toMatchObject({sent: [], same: 3});
		renameSync(join(here, 'a.py'), join(here, 'c.py'));

		expect(await sync('--delete')).toMatchObject({
			code: 2,
			stdout: '',
			stderr: expect.stringMatching(
				/^Symbolic links [^]*|--delete would delete 2 files on welcome that do not exist locally: a\.py, old\.txt\.\n--yes [^]*Nothing was sent or deleted\.\n$/,
			) as string,
		});
		expect(existsSync(join(there, 'c.py'))).toBe(false);
		expect(await sync('--delete', '--dry-run')).toMatchObject({
			stdout:
				'send    c.py\ndelete  a.py\ndelete  old.txt\nwelcome: 1 file to send, 9 bytes; 2 to delete; 2 unchanged\n',
		});

		const ask = async (answer: string): Promise<string> => {
			await using terminal = await openTerminal({
				command: [PROGRAM, 'files', 'sync', here, 'welcome:code', '--delete'],
				env: {...home.env, ...service.env},
				cwd: home.folder,
			});
			await terminal.until(
				'Delete 2 files on welcome that do not exist locally: a.py, old.txt? This cannot be undone. [y/N]',
			);
			terminal.type(`${answer}\r`);
			await terminal.exit;
			return terminal.screen();
		};
		expect(await ask('n')).toContain('Nothing was sent or deleted.');
		expect([existsSync(join(there, 'old.txt')), existsSync(join(there, 'c.py'))]).toEqual([true, false]);
		expect(await ask('y')).toContain('welcome: 1 file sent, 9 bytes; 2 deleted; 2 unchanged');
		expect([existsSync(join(there, 'old.txt')), existsSync(join(there, 'a.py'))]).toEqual([false, false]);
		expect(readFileSync(join(there, 'out/model.bin'), 'utf8')).toBe('kept\n');
		rmSync(join(here, 'c.py'));
		expect(await report('--delete', '--yes')).toMatchObject({deleted: ['c.py'], sent: [], same: 2});
	},
);

test('a file replaces a folder and the reverse with --delete; without it each gives the reason why it was not sent', async () => {
	await using home = await newHome();
	await using service = await serve(home);
	expect(await service.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
	const here = join(home.folder, 'project');
	const there = join(serverFolder(join(home.folder, 'served')), 'code');
	write(here, {
		'.gitignore': '*.log\n',
		'data/a.csv': 'a\n',
		model: 'weights\n',
		notes: 'text\n',
		held: 'file\n',
	});
	write(there, {
		data: 'was a file\n',
		'model/deep/part.bin': 'p\n',
		'model/other.bin': 'o\n',
		'held/run.log': 'ignored\n',
	});
	mkdirSync(join(there, 'notes/empty'), {recursive: true});
	const sync = async (...more: readonly string[]) => {
		const ran = await service.run(['files', 'sync', here, 'welcome:code', '--json', ...more]);
		return {
			code: ran.code,
			...(JSON.parse(ran.stdout) as Report & {failed: {path: string; message: string}[]}),
		};
	};
	const blocked = await sync();
	expect(blocked).toMatchObject({code: 1, sent: [{path: '.gitignore'}], deleted: []});
	expect(blocked.failed).toEqual([
		{path: 'data/a.csv', message: '"data" is a file on the server; --delete replaces it.'},
		...['held', 'model', 'notes'].map(path => ({
			path,
			message: 'it is a folder on the server; --delete replaces it.',
		})),
	]);
	const done = await sync('--delete', '--yes');
	expect(done.deleted.toSorted()).toEqual(['data', 'model/deep/part.bin', 'model/other.bin']);
	expect(done.sent.map(({path}) => path)).toEqual(['data/a.csv', 'model', 'notes']);
	// Ignored files are not deleted, so the folder with the ignored file remains.
	expect(done.failed).toEqual([{path: 'held', message: expect.stringContaining('"run.log"')}]);
	expect(readFileSync(join(there, 'data/a.csv'), 'utf8')).toBe('a\n');
	expect(readFileSync(join(there, 'model'), 'utf8')).toBe('weights\n');
	expect(readFileSync(join(there, 'notes'), 'utf8')).toBe('text\n');
	expect(readFileSync(join(there, 'held/run.log'), 'utf8')).toBe('ignored\n');
});

test('a name that is not UTF-8 is named with its bytes, by sync and put, and the rest is sent', async () => {
	await using home = await newHome();
	const here = await inHome(home, {'a.txt': 'plain\n'});
	writeFileSync(Buffer.concat([Buffer.from(`${here}/caf`), Buffer.from([0xe9]), Buffer.from('.txt')]), 'x');
	// Here the replacement character is part of the file's real name.
	writeFileSync(join(here, 'odd\uFFFD.txt'), 'plain\n');
	await using service = await startHostileService({});
	const run = async (...args: readonly string[]) => runHere(['files', ...args], {home, env: service.env});
	expect(await run('sync', here, 'calm:')).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('caf\\xE9.txt: its name is not UTF-8'),
		stdout: expect.stringContaining('2 files sent'),
	});
	expect(await run('sync', here, 'calm:', '--delete', '--yes')).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('caf\\xE9.txt'),
	});
	expect(await run('put', 'calm', here)).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('caf\\xE9.txt cannot be read: its name is not UTF-8'),
	});
});

const inHome = async (home: Home, files: Readonly<Record<string, string>>): Promise<string> => {
	const here = join(home.folder, 'project');
	write(here, files);
	return here;
};

test('without a whole list nothing is deleted, and without any list each file is compared', async () => {
	await using home = await newHome();
	const here = await inHome(home, {'a.txt': 'plain\n', 'b.txt': 'mine\n'});
	await using service = await startHostileService({});
	const sync = async (...more: readonly string[]) =>
		runHere(['files', 'sync', here, 'calm:', ...more], {home, env: service.env});
	const refused = {
		code: 1,
		stdout: '',
		stderr: expect.stringMatching(
			/^--delete needs complete listings, but [^]*could not be listed: [^]*\nNothing was sent or deleted\./,
		) as string,
	};
	const writes = (): readonly string[] => service.asked.filter(line => !line.startsWith('GET '));

	for (const entry of [
		fileEntry('x', {name: '../x'}),
		fileEntry('x', {name: '..'}),
		{type: 'file'},
		folderEntry('sub', []),
	]) {
		service.answer({
			file: ({path}) =>
				path === ''
					? success({content: folderEntry('', [fileEntry('a.txt'), entry])})
					: path === 'sub'
						? json({error: 'broken'}, 500)
						: success({content: fileEntry(path)}),
		});
		expect(await sync('--delete', '--yes'), JSON.stringify(entry)).toMatchObject(refused);
	}
	// A service that lists no folders, only files.
	service.answer({
		file: ({path}) => (path === '' ? json({error: 'no list'}, 404) : success({content: fileEntry(path)})),
	});
	expect(await sync('--delete', '--yes')).toMatchObject(refused);
	expect(writes()).toEqual([]);
	expect(await sync()).toMatchObject({code: 0, stdout: 'calm: 1 file sent, 5 bytes; 1 unchanged\n'});
	expect(writes()).toEqual([expect.stringContaining('b.txt')]);
});

test('a stopped sync reports its progress, and continues', async () => {
	await using home = await newHome();
	const here = await inHome(home, {'a.txt': 'plain\n', 'b.txt': 'two\n', 'c.txt': 'three\n'});
	const stored = new Map<string, string>();
	await using service = await startHostileService({
		file: ({path}) =>
			path === ''
				? success({
						content: folderEntry(
							'',
							[...stored].map(([name, content]) => fileEntry(name, {content, size: content.length})),
						),
					})
				: stored.has(path)
					? success({content: fileEntry(path, {content: stored.get(path)})})
					: json({error: 'no such file'}, 404),
		upload: ({path, body}) => {
			if (path === 'b.txt' && !stored.has('seen')) {
				stored.set('seen', '');
				return json({error: 'key expired'}, 401);
			}
			stored.set(path, (JSON.parse(body) as {readonly content: string}).content);
			return success({content: fileEntry(path, {content: null, format: null})});
		},
	});
	const sync = async () => runHere(['files', 'sync', here, 'calm:'], {home, env: service.env});
	expect(await sync()).toMatchObject({
		code: 4,
		stdout: '',
		stderr: expect.stringContaining('1 of 3 files were sent; run the same command to continue.') as string,
	});
	expect(await sync()).toMatchObject({code: 0, stdout: 'calm: 2 files sent, 10 bytes; 1 unchanged\n'});
	expect(stored.get('b.txt')).toBe('two\n');
});

test('nonsensical arguments are refused with the right form', async () => {
	await using home = await newHome();
	const here = await inHome(home, {'a.txt': 'plain\n'});
	await using service = await startHostileService({});
	const sync = async (...words: readonly string[]) =>
		runHere(['files', 'sync', ...words], {home, env: service.env});
	expect(await sync(here, 'calm')).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('SERVER:PATH') as string,
	});
	expect(await sync(here, 'calm:../x')).toMatchObject({code: 2});
	expect(await sync(join(here, 'nowhere'), 'calm:')).toMatchObject({code: 2});
	expect(await sync(join(here, 'a.txt'), 'calm:x')).toMatchObject({
		code: 2,
		stderr: expect.stringMatching(/ is a file\.\nTo upload one file: svc-tui files put calm /) as string,
	});
	for (const folder of ['/', home.folder])
		expect(await sync(folder, 'calm:x')).toMatchObject({
			code: 2,
			stderr: expect.stringContaining('contains your whole home folder') as string,
		});
	expect(service.asked).toEqual([]);
});
