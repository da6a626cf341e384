// @module-tag long
// A folder of the user as a server: who may grant it, which folders are allowed, and which parts of
// it code can reach.
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {homedir} from 'node:os';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {grantFolder} from '../../src/settings/folder-grant.ts';
import {localService, settings, type LocalService} from '../support/local-service.ts';
import {tempFolder} from '../support/temp-folder.ts';

/** A service with the options with which the program starts it. */
const ownService = (dataFolder?: string): Promise<LocalService> =>
	localService({leased: true, leases: {first: 600_000}, ...(dataFolder !== undefined && {dataFolder})});

const handOver = async (local: LocalService, folder: string, engine?: string) => {
	using granted = grantFolder(local.folder, folder);
	return await local.call('POST', '/local/project', {
		grant: granted.grant,
		...(engine !== undefined && {engine}),
	});
};
const opened = async (local: LocalService, folder: string): Promise<string> => {
	const {status, body} = await handOver(local, folder, 'pyodide');
	expect({status, body}).toMatchObject({status: 200, body: {folder, engine: 'pyodide'}});
	return String(body['server_name']);
};
const started = async (local: LocalService, folder: string): Promise<string> => {
	const name = await opened(local, folder);
	expect((await local.call('POST', `/api/servers/${name}/start`, settings)).status).toBe(200);
	await local.until(name, 'ready');
	return name;
};
const write = (root: string, files: Readonly<Record<string, string>>): void => {
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(root, path)), {recursive: true});
		writeFileSync(join(root, path), content);
	}
};
const text = (content: string) => ({content, format: 'text', type: 'file'});

test('only a client that can write to the data folder of a personal service opens a folder', async () => {
	using temp = tempFolder();
	const folder = join(realpathSync(temp.path), 'My project!');
	write(folder, {'a.txt': 'a'});
	await using local = await ownService();
	const ask = (body: object) => local.call('POST', '/local/project', body);
	for (const grant of [folder, '../key', 'a'.repeat(32), ''])
		expect(await ask({grant, engine: 'pyodide', folder}), grant).toMatchObject({status: 403});
	using granted = grantFolder(local.folder, folder);
	// A grant that other users could have written is refused.
	chmodSync(join(local.folder, 'granted', granted.grant), 0o644);
	expect(await ask({grant: granted.grant, engine: 'pyodide'})).toMatchObject({status: 403});

	// The server is not created without the user's consent to this engine.
	expect(await handOver(local, folder)).toMatchObject({
		status: 200,
		body: {server_name: null, engine: 'pyodide'},
	});
	expect(await handOver(local, folder, 'jupyter')).toMatchObject({body: {server_name: null}});
	expect(await opened(local, folder)).toBe('My-project');
	expect(await handOver(local, folder)).toMatchObject({body: {server_name: 'My-project'}});
	expect(await handOver(local, `${folder}/../My project!`)).toMatchObject({
		body: {server_name: 'My-project'},
	});
	const other = join(realpathSync(temp.path), 'more/My project');
	mkdirSync(other, {recursive: true});
	expect(await opened(local, other)).toBe('My-project-2');

	await using shared = await localService();
	expect(await handOver(shared, folder, 'pyodide')).toMatchObject({status: 409});
});

test('the home folder, its parents, our own folders and files are refused', async () => {
	using temp = tempFolder();
	write(temp.path, {'file.txt': ''});
	symlinkSync(homedir(), join(temp.path, 'home'));
	await using local = await ownService();
	for (const folder of [
		'/',
		homedir(),
		join(temp.path, 'home'),
		dirname(homedir()),
		local.folder,
		join(local.folder, 'servers'),
		dirname(local.folder),
	])
		expect(await handOver(local, folder, 'pyodide'), folder).toMatchObject({status: 400});
	for (const folder of [join(temp.path, 'file.txt'), join(temp.path, 'nowhere')])
		expect(await handOver(local, folder, 'pyodide'), folder).toMatchObject({status: 404});
	expect(await handOver(local, 'relative', 'pyodide')).toMatchObject({status: 400});
});

test(
	'its files are the folder itself, without .git and what lies behind links',
	{tags: 'short'},
	async () => {
		using temp = tempFolder();
		const top = realpathSync(temp.path);
		const folder = join(top, 'project');
		write(top, {'secret.txt': 'outside'});
		write(folder, {
			'.git/config': '[core]\n',
			'.gitignore': '*.log\nout/\n',
			'a.py': 'print(1)\n',
			'run.log': '',
			'out/big.bin': '',
			'sub/.git/config': '',
			'sub/b.txt': 'b',
		});
		symlinkSync(top, join(folder, 'up'));
		symlinkSync('.git', join(folder, 'git'));
		symlinkSync('../secret.txt', join(folder, 'secret.txt'));
		await using local = await ownService();
		const name = await started(local, folder);
		const file = (path: string, body?: object) =>
			local.call(body ? 'PUT' : 'GET', `/api/servers/${name}/files/${path}`, body);
		const {body} = await file('');
		const content = (
			body['content'] as {readonly content: readonly {readonly name: string; readonly ignored?: boolean}[]}
		).content;
		expect(content.map(entry => [entry.name, entry.ignored === true])).toEqual([
			['out', true],
			['sub', false],
			['.gitignore', false],
			['a.py', false],
			['git', false],
			['run.log', true],
			['secret.txt', false],
			['up', false],
		]);
		expect((await file('sub')).text).not.toContain('.git');
		expect(await file('a.py')).toMatchObject({status: 200, body: {content: {content: 'print(1)\n'}}});
		expect(await file('new/c.txt', text('c'))).toMatchObject({status: 200});
		expect(readFileSync(join(folder, 'new/c.txt'), 'utf8')).toBe('c');
		for (const path of [
			'.git',
			'.git/config',
			'.GIT/config',
			'sub/.git/config',
			'git/config',
			'up/secret.txt',
			'secret.txt',
			'up/project/.git/config',
		]) {
			expect((await file(path)).status, path).toBe(403);
			expect((await file(path, text('x'))).status, path).toBe(403);
		}
		for (const path of ['sub/.git/hooks/pre-commit', 'new/.git', 'git/new/x'])
			expect((await file(path, text('x'))).status, path).toBe(403);
		for (const path of ['..%2fsecret.txt', 'sub%2f..%2f..%2fsecret.txt'])
			expect((await file(path)).status, path).toBe(400);
		expect(readFileSync(join(top, 'secret.txt'), 'utf8')).toBe('outside');
		expect(readFileSync(join(folder, '.git/config'), 'utf8')).toBe('[core]\n');
		// Files that our program stores about the folder are elsewhere.
		expect(readdirSync(folder).sort()).toEqual(
			['.git', '.gitignore', 'a.py', 'git', 'new', 'out', 'run.log', 'secret.txt', 'sub', 'up'].sort(),
		);
		const {body: list} = await local.call('GET', '/api/servers');
		expect(list['servers']).toContainEqual(expect.objectContaining({name, folder}));
	},
);

test('a vanished folder is not replaced by another, and works again once restored', async () => {
	using temp = tempFolder();
	using data = tempFolder();
	const folder = join(realpathSync(temp.path), 'project');
	write(folder, {'a.txt': 'a'});
	write(temp.path, {'elsewhere/a.txt': 'other'});
	{
		await using local = await ownService(join(data.path, 'data'));
		const name = await started(local, folder);
		renameSync(folder, `${folder}-away`);
		const {status} = await local.call('GET', `/api/servers/${name}/files/a.txt`);
		expect(status).toBe(404);
		expect((await local.call('PUT', `/api/servers/${name}/files/b.txt`, text('b'))).status).toBe(404);
		expect(existsSync(folder)).toBe(false);
	}
	await using local = await ownService(join(data.path, 'data'));
	const start = () => local.call('POST', '/api/servers/project/start', settings);
	expect(await start()).toMatchObject({status: 409});
	symlinkSync(join(temp.path, 'elsewhere'), folder);
	expect(await start()).toMatchObject({status: 409});
	rmSync(folder);
	renameSync(`${folder}-away`, folder);
	expect(await start()).toMatchObject({status: 200});
	// A read-only file system refuses root too.
	if (process.platform === 'linux') {
		const name = await started(local, '/sys/kernel');
		expect((await local.call('GET', `/api/servers/${name}/files/`)).status).toBe(200);
		expect((await local.call('PUT', `/api/servers/${name}/files/x.txt`, text('x'))).status).toBe(403);
	}
});
