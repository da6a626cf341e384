import {chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {ServeError} from '../../src/service/serve-error.ts';
import {localService, settings} from '../support/local-service.ts';
import {memoryFor} from '../support/memory.ts';
import {movingClock} from '../support/lease.ts';
import {rawRequest} from '../support/raw-request.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';

const refused = async (promise: Promise<unknown>): Promise<ServeError> => {
	const error = await promise.then(
		() => undefined,
		(reason: unknown) => reason,
	);
	if (!(error instanceof ServeError)) throw new Error(`not refused as expected: ${String(error)}`);
	return error;
};

test("two keys see two lists and cannot reach each other's servers on any call", async () => {
	using temp = tempFolder();
	const keysFile = join(temp.path, 'keys.json');
	writeFileSync(keysFile, JSON.stringify({'ann@example.com': 'ann-key', 'bob@example.com': 'bob-key'}), {
		mode: 0o600,
	});
	await using local = await localService({dataFolder: join(temp.path, 'data'), keysFile});
	const ann = {key: 'ann-key'};
	const bob = {key: 'bob-key'};
	const created = await local.call('POST', '/api/servers', {server_name: 'mine', ...settings}, ann);
	expect(created.body['url']).toBe(`${local.service.url}/user/ann@example.com/mine/`);
	expect((await local.call('GET', '/api/servers', undefined, bob)).body['servers']).toEqual([]);
	expect((await local.call('GET', '/api/servers', undefined, ann)).body['servers']).toMatchObject([
		{name: 'mine'},
	]);
	const calls: ReadonlyArray<readonly [string, string, unknown?]> = [
		['POST', '/api/servers/mine/start', settings],
		['GET', '/api/servers/mine/files/'],
		['PUT', '/api/servers/mine/files/a', {content: '', format: 'text', type: 'file'}],
		['POST', '/api/servers/mine/run-code', {code: '', kernel_name: 'python3'}],
		['POST', '/api/assistant/mine/model_1', {messages: [{role: 'user', content: 'hi'}]}],
	];
	for (const [method, path, body] of calls)
		expect((await local.call(method, path, body, bob)).status).toBe(404);
	// The other user can use the same name.
	const twin = await local.call('POST', '/api/servers', {server_name: 'mine', ...settings}, bob);
	expect(twin.status).toBe(202);
	expect(readdirSync(join(local.folder, 'servers'))).toHaveLength(2);
	expect((await local.call('GET', '/api/servers', undefined, {key: 'other'})).status).toBe(401);
	expect(existsSync(join(local.folder, 'key'))).toBe(false);
});

test('if servers of another user take the memory, the refusal counts them and names none', async () => {
	using temp = tempFolder();
	const keysFile = join(temp.path, 'keys.json');
	writeFileSync(keysFile, JSON.stringify({ann: 'ann-key', bob: 'bob-key'}), {mode: 0o600});
	let servers = 4;
	await using local = await localService({
		dataFolder: join(temp.path, 'data'),
		keysFile,
		memory: () => memoryFor(servers)(),
	});
	for (const server_name of ['s1', 's2'])
		await local.call('POST', '/api/servers', {server_name, ...settings}, {key: 'ann-key'});
	// Other programs use the remaining memory.
	servers = 0;
	const {status, text} = await local.call(
		'POST',
		'/api/servers',
		{server_name: 'x', ...settings},
		{key: 'bob-key'},
	);
	expect([status, text]).toEqual([409, expect.stringContaining('2 of other users')]);
	expect(text).not.toContain('s1');
});

test('a keys file that others can read, that is invalid JSON or lacks a user is refused without quoting it', async () => {
	using temp = tempFolder();
	const keysFile = join(temp.path, 'keys.json');
	const start = (): Promise<unknown> => localService({dataFolder: join(temp.path, 'data'), keysFile});
	writeFileSync(keysFile, '{"ann": "the-key"}', {mode: 0o600});
	chmodSync(keysFile, 0o644);
	expect(await refused(start())).toMatchObject({exitCode: 77, message: expect.stringContaining('chmod 600')});
	chmodSync(keysFile, 0o600);
	for (const text of [
		'{"ann": "the-key"',
		'{}',
		'["the-key"]',
		'{"ann": "the-key", "bob": "the-key"}',
		'{"a/b": "the-key"}',
		'{"ann": "the-key with blanks"}',
	]) {
		writeFileSync(keysFile, text);
		const error = await refused(start());
		expect(error.exitCode).toBe(2);
		expect(error.message).not.toContain('the-key');
	}
});

test('a key from outside is written nowhere, and the instance file names its source', async () => {
	await using local = await localService({apiKey: 'canary-of-the-environment'});
	expect((await local.call('GET', '/api/servers')).status).toBe(200);
	await local.call('GET', '/api/servers', undefined, {key: 'wrong'});
	const files = readdirSync(local.folder, {recursive: true, withFileTypes: true}).filter(entry =>
		entry.isFile(),
	);
	expect(files.length).toBeGreaterThan(4);
	for (const file of files)
		expect(readFileSync(join(file.parentPath, file.name)).includes('canary-of-the-environment')).toBe(false);
	expect(JSON.parse(readFileSync(join(local.folder, 'instance.json'), 'utf8'))).toMatchObject({
		keyFrom: 'environment',
		pid: process.pid,
		port: local.service.port,
		url: local.service.url,
		leased: false,
	});
});

test('everything in the data folder is closed to others', async () => {
	await using local = await localService();
	expect(statSync(local.folder).mode & 0o777).toBe(0o700);
	expect(local.key).toMatch(/^[\w-]{32}$/);
	for (const entry of readdirSync(local.folder, {recursive: true, withFileTypes: true})) {
		const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
		expect([entry.name, mode.toString(8)]).toEqual([entry.name, entry.isDirectory() ? '700' : '600']);
	}
});

test('the log holds method, route, status, time and size, and neither names nor keys', async () => {
	await using local = await localService();
	await local.call('GET', '/api/servers/private-name/files/private-file?private=query');
	await local.call('GET', '/api/servers', undefined, {key: 'private-key'});
	await local.call(
		'POST',
		'/api/servers',
		{server_name: 'private-server', code: 'private-code'},
		{headers: {'x-private': 'private-header', cookie: 'private=cookie'}},
	);
	await rawRequest(local.service.port, 'private noise\r\n\r\n');
	const log = readFileSync(join(local.folder, 'service.log'), 'utf8');
	expect(log.trim().split('\n').slice(1)).toEqual(
		[404, 401, 400, 400].map(status =>
			expect.stringMatching(new RegExp(`^\\S+Z \\S+ \\S+ ${status} \\d+ms \\d+b$`)),
		),
	);
	expect(log).toMatch(/GET \/api\/servers\/\{server_name\}\/files\/\{path\} 404 \d+ms \d+b/);
	expect(log).not.toContain('private');
	expect(log).not.toContain(local.key);
});

test('a host beyond this machine is refused with a way to do it', async () => {
	const error = await refused(localService({host: '0.0.0.0'}));
	expect(error).toMatchObject({exitCode: 2, message: expect.stringContaining('ssh -L')});
});

test('keys are replaced while the service runs: a second one is added, the first one expires or goes, and a broken file changes nothing', async () => {
	using clock = movingClock();
	using temp = tempFolder();
	const keysFile = join(temp.path, 'keys.json');
	const write = (keys: unknown): void =>
		writeFileSync(keysFile, typeof keys === 'string' ? keys : JSON.stringify(keys), {mode: 0o600});
	write({ann: 'first-key', bob: 'bob-key'});
	await using local = await localService({dataFolder: join(temp.path, 'data'), keysFile});
	const list = (key: string) => local.call('GET', '/api/servers', undefined, {key});
	const statuses = async (...keys: readonly string[]) =>
		Promise.all(keys.map(async key => (await list(key)).status));
	const log = (): string => readFileSync(join(local.folder, 'service.log'), 'utf8');
	expect(await statuses('first-key', 'second-key', 'bob-key')).toEqual([200, 401, 200]);

	const expires = new Date(Date.now() + 3_600_000).toISOString();
	write({ann: ['second-key', {key: 'first-key', expires}], bob: 'bob-key'});
	expect(await statuses('second-key', 'first-key', 'bob-key')).toEqual([200, 200, 200]);
	expect(log()).toContain('the keys file was read again');
	clock.move(3_600_001);
	const {status, text} = await list('first-key');
	expect([status, text]).toEqual([401, expect.stringContaining(`expired on ${expires.slice(0, 10)}`)]);
	expect(text).not.toContain('first-key');

	write('{"ann": "third');
	expect(await statuses('third-key', 'second-key')).toEqual([401, 200]);
	write({ann: ['second-key', {key: 'third-key', expires: 'soon'}]});
	expect(await statuses('third-key', 'second-key', 'bob-key')).toEqual([401, 200, 200]);
	expect(log()).toContain('the keys file was not read again');
	expect(log()).not.toContain('third-key');
	write({bob: 'bob-key'});
	await waitFor(async () => expect(await statuses('second-key', 'bob-key')).toEqual([401, 200]));
});
