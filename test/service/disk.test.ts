import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {localService, readyService, settings} from '../support/local-service.ts';
import {serveProcess} from '../support/serve-process.ts';
import {noDisks, smallDisk} from '../support/small-disk.ts';
import {tempFolder} from '../support/temp-folder.ts';

const disk = test.skipIf(noDisks !== undefined);
const text = (content: string) => ({type: 'file', format: 'text', content});

disk(
	'on a full disk creating a server returns 507 and leaves nothing behind, and works once there is space',
	async () => {
		using small = smallDisk('size=2m');
		await using local = await localService({dataFolder: join(small.path, 'data')});
		const create = () => local.call('POST', '/api/servers', {server_name: 'trainer', ...settings});
		const folders = readdirSync(join(local.folder, 'servers'));
		// Frees one more page each time, until the start succeeds. Each write of the start then
		// fails once.
		let refused = 0;
		for (let pages = 0; ; pages++) {
			small.fill(pages * 4096);
			const answer = await create();
			if (answer.status === 202) break;
			refused++;
			expect(answer.body).toEqual({
				status: 'error',
				error: {code: 507, message: expect.stringMatching(/disk of the service is full.*\.$/)},
			});
			expect((await local.call('GET', '/api/servers')).body['servers']).toMatchObject([{name: 'welcome'}]);
			expect(readdirSync(join(local.folder, 'servers'))).toEqual(folders);
		}
		expect(refused).toBeGreaterThan(0);
		small.empty();
		await local.until('trainer', 'ready');
		expect((await create()).status).toBe(409);
	},
);

disk('starting a server on a full disk returns 507, and the server stays offline', async () => {
	using small = smallDisk('size=2m');
	await using local = await localService({dataFolder: join(small.path, 'data')});
	const start = () => local.call('POST', '/api/servers/welcome/start', {...settings, port: 4321});
	small.fill(0);
	expect((await start()).status).toBe(507);
	expect((await local.call('GET', '/api/servers')).body['servers']).toMatchObject([
		{name: 'welcome', status: 'offline', port: 8888},
	]);
	small.empty();
	expect((await start()).status).toBe(200);
	await local.until('welcome', 'ready');
});

disk(
	'on a full disk a save returns 507 and keeps the old file, reading works, and the log loses lines but stops nothing',
	async () => {
		using small = smallDisk('size=2m');
		await using local = await readyService({dataFolder: join(small.path, 'data')});
		const path = '/api/servers/welcome/files/a.txt';
		await local.call('PUT', path, text('old'));
		small.fill(0);
		const log = readFileSync(join(local.folder, 'service.log')).length;
		expect([(await local.call('PUT', path, text('n'.repeat(10_000)))).body]).toEqual([
			{
				status: 'error',
				error: {code: 507, message: expect.stringContaining('"a.txt" was not saved: the disk is full')},
			},
		]);
		// Writes more log than fits into the last page.
		for (let turn = 0; turn < 100; turn++)
			expect((await local.call('GET', path)).body['content']).toMatchObject({content: 'old'});
		expect(readFileSync(join(local.folder, 'service.log')).length - log).toBeLessThan(4096);
		expect(
			(
				await local.call('POST', '/api/servers/welcome/run-code', {
					code: 'x = 1\nprint x',
					kernel_name: 'python3',
				})
			).body['content'],
		).toMatchObject({outputs: [{text: '1\n'}]});
		small.empty();
		expect((await local.call('PUT', path, text('new'))).status).toBe(200);
	},
);

disk('on a disk that became read-only changes return 403 and reading works', async () => {
	using small = smallDisk('size=2m');
	await using local = await readyService({dataFolder: join(small.path, 'data')});
	small.empty();
	// Linux cannot remount a file system read-only while one of its files is open for writing. So
	// the test remounts the mount point instead.
	execFileSync('mount', ['--bind', small.path, small.path]);
	execFileSync('mount', ['-o', 'remount,bind,ro', small.path]);
	try {
		const put = await local.call('PUT', '/api/servers/welcome/files/a.txt', text('x'));
		expect([put.status, put.body]).toMatchObject([
			403,
			{error: {message: expect.stringContaining('read-only file system')}},
		]);
		const create = await local.call('POST', '/api/servers', {server_name: 'b', ...settings});
		expect([create.status, create.body]).toMatchObject([
			403,
			{error: {message: expect.stringContaining('may not write to its data folder')}},
		]);
		expect((await local.call('GET', '/api/servers/welcome/files/README.md')).body['content']).toMatchObject({
			writable: false,
		});
		expect(await local.state('b')).toBeUndefined();
		await local.service.close();
	} finally {
		execFileSync('umount', [small.path]);
	}
	// The service has ended despite the full disk, and the next one continues from its state.
	await using next = await localService({dataFolder: local.folder});
	expect(next.key).toBe(local.key);
	expect(await next.state('welcome')).toBe('offline');
});

disk(
	'serve on a full or read-only disk says so in one line and exits 77, regardless of the step',
	{tags: 'long'},
	async () => {
		using small = smallDisk('size=2m');
		const dataFolder = join(small.path, 'data');
		let refused = 0;
		for (let pages = 0; ; pages += 4) {
			small.fill(pages * 4096);
			await using serve = serveProcess(dataFolder);
			const outcome = await Promise.race([
				serve.exited,
				serve.url().then(
					() => 'answers',
					() => 'silent',
				),
			]);
			if (outcome === 'answers') break;
			refused++;
			expect([outcome, serve.stderr(), serve.stdout()]).toEqual([
				77,
				expect.stringMatching(/^The data folder \S+ cannot be (?:used|made)[^\n]*\n$/),
				'',
			]);
		}
		expect(refused).toBeGreaterThan(0);
		small.empty();
		small.readOnly(true);
		await using serve = serveProcess(dataFolder);
		const code = await serve.exited;
		expect([code, serve.stderr()]).toEqual([
			77,
			expect.stringMatching(/^The data folder \S+ cannot be used: it is on a read-only file system[^\n]*\n$/),
		]);
	},
);

test('a registry that is not a database is named with a remedy, and stays unchanged', async () => {
	using temp = tempFolder();
	await using first = await localService({dataFolder: join(temp.path, 'data')});
	await first.service.close();
	const file = join(first.folder, 'registry.sqlite');
	writeFileSync(file, 'this was a registry once '.repeat(400));
	await using serve = serveProcess(first.folder);
	const code = await serve.exited;
	expect([code, serve.stderr()]).toEqual([
		77,
		expect.stringMatching(/^The data folder \S+ cannot be used: its registry \S+ is damaged; [^\n]*\n$/),
	]);
	expect(readFileSync(file, 'utf8')).toContain('this was a registry once');
});

test('a registry that was emptied or lost beside the files of servers is an error, and comes back from its copy', async () => {
	using temp = tempFolder();
	await using first = await localService({dataFolder: join(temp.path, 'data')});
	expect(await first.call('POST', '/api/servers', {server_name: 'trainer', ...settings})).toMatchObject({
		status: 202,
	});
	await first.until('trainer', 'ready');
	expect((await first.call('PUT', '/api/servers/trainer/files/a.txt', text('mine'))).status).toBe(200);
	await first.service.close();
	const file = join(first.folder, 'registry.sqlite');
	const copy = readFileSync(file);
	for (const spoil of [() => writeFileSync(file, ''), () => rmSync(file)]) {
		spoil();
		for (const extra of ['-wal', '-shm']) rmSync(file + extra, {force: true});
		await using serve = serveProcess(first.folder);
		expect([await serve.exited, serve.stderr()]).toEqual([
			77,
			expect.stringMatching(
				/^The registry \S+ lists no servers, but \S+servers holds the files of \S+: the registry was emptied or replaced\. Restore it from a backup, or move \S+servers away [^\n]*\n$/,
			),
		]);
	}
	writeFileSync(file, copy);
	for (const extra of ['-wal', '-shm']) rmSync(file + extra, {force: true});
	await using again = await localService({dataFolder: first.folder});
	const listed = await again.call('GET', '/api/servers');
	expect(listed.body).toMatchObject({
		servers: expect.arrayContaining([expect.objectContaining({name: 'trainer'})]),
	});
	await again.service.close();
	// The second remedy is to start without these files.
	rmSync(file);
	renameSync(join(first.folder, 'servers'), join(temp.path, 'servers moved away'));
	await using anew = await localService({dataFolder: first.folder});
	expect((await anew.call('GET', '/api/servers')).status).toBe(200);
});

test('a registry without its table is named with a remedy', async () => {
	using temp = tempFolder();
	await using first = await localService({dataFolder: join(temp.path, 'data')});
	await first.service.close();
	const database = new DatabaseSync(join(first.folder, 'registry.sqlite'));
	database.exec('drop table servers');
	database.close();
	await using serve = serveProcess(first.folder);
	expect([await serve.exited, serve.stderr()]).toEqual([
		77,
		expect.stringMatching(
			/^The data folder \S+ cannot be used: its registry \S+ cannot be used [^\n]*from a backup[^\n]*\n$/,
		),
	]);
});

test('if a file replaces the folder of servers, create reports it and the log names the path', async () => {
	await using local = await localService();
	const folder = join(local.folder, 'servers');
	rmSync(folder, {recursive: true});
	writeFileSync(folder, 'a file');
	const create = await local.call('POST', '/api/servers', {server_name: 'b', ...settings});
	expect([create.status, create.body]).toMatchObject([
		500,
		{error: {message: expect.stringMatching(/^Failed: a file or folder is in the way .* Move it away/)}},
	]);
	expect(readFileSync(join(local.folder, 'service.log'), 'utf8')).toContain(folder);
});
