import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {localService, readyService, settings} from '../support/local-service.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {memoryFor} from '../support/memory.ts';
import {createTinyEngine} from '../support/tiny-engine.ts';
import {waitFor} from '../support/wait-for.ts';

const messageOf = (body: Record<string, unknown>): string => (body['error'] as {message: string}).message;

test('a server is offline, then starting with its address pending, then ready', async () => {
	const gate = Promise.withResolvers<void>();
	await using local = await localService({openEngine: async () => createTinyEngine({opening: gate.promise})});
	await local.call('POST', '/api/servers', {server_name: 'trainer', ...settings});
	const {body} = await local.call('GET', '/api/servers');
	expect((body['servers'] as unknown[])[1]).toMatchObject({
		name: 'trainer',
		status: 'starting',
		port_forward_url: 'pending',
	});
	const early = await local.call('GET', '/api/servers/trainer/files/');
	expect([early.status, messageOf(early.body)]).toEqual([409, expect.stringContaining('still starting')]);
	const write = await local.call('PUT', '/api/servers/trainer/files/a.txt', {
		content: '',
		format: 'text',
		type: 'file',
	});
	expect([write.status, messageOf(write.body)]).toEqual([409, expect.stringContaining('still starting')]);
	const twice = await local.call('POST', '/api/servers/trainer/start', settings);
	expect([twice.status, messageOf(twice.body)]).toEqual([409, expect.stringContaining('already starting')]);
	gate.resolve();
	await local.until('trainer', 'ready');
	const later = await local.call('GET', '/api/servers');
	expect((later.body['servers'] as unknown[])[1]).toMatchObject({
		port_forward_url: `${local.service.url}/forward/trainer`,
	});
	const running = await local.call('POST', '/api/servers/trainer/start', settings);
	expect([running.status, messageOf(running.body)]).toEqual([409, expect.stringContaining('already ready')]);
});

test('a server beyond the memory limit is refused with the names of the live ones and a suggestion to stop one', async () => {
	const engine = createTinyEngine();
	await using local = await readyService({
		openEngine: async () => engine,
		memory: memoryFor(4, () => engine.sessions.size),
	});
	for (const server_name of ['a', 'b', 'c']) {
		expect((await local.call('POST', '/api/servers', {server_name, ...settings})).status).toBe(202);
		await local.until(server_name, 'ready');
	}
	const fifth = await local.call('POST', '/api/servers', {server_name: 'd', ...settings});
	expect(fifth.status).toBe(409);
	for (const name of ['welcome', 'a (', 'b (', 'c (']) expect(messageOf(fifth.body)).toContain(name);
	expect(messageOf(fifth.body)).toMatch(/Leave welcome unused: .* 30 min/);
	expect(await local.state('d')).toBeUndefined();
});

test('an unused server goes offline, with the reason, and starts again with its files', async () => {
	const engine = createTinyEngine();
	await using local = await readyService({openEngine: async () => engine, idleAfter: 2000});
	await local.call('PUT', '/api/servers/welcome/files/kept.txt', {
		content: 'kept',
		format: 'text',
		type: 'file',
	});
	await local.until('welcome', 'offline');
	const {body} = await local.call('GET', '/api/servers');
	expect((body['servers'] as unknown[])[0]).toMatchObject({
		status: 'offline',
		status_reason: expect.stringMatching(/without use/),
	});
	expect(engine.sessions.size).toBe(0);
	expect(readFileSync(join(local.folder, 'service.log'), 'utf8')).toContain('went offline: Stopped after');
	await local.call('POST', '/api/servers/welcome/start', settings);
	await local.until('welcome', 'ready');
	const again = await local.call('GET', '/api/servers');
	expect((again.body['servers'] as unknown[])[0]).not.toHaveProperty('status_reason');
	expect((await local.call('GET', '/api/servers/welcome/files/kept.txt')).body['content']).toMatchObject({
		content: 'kept',
	});
});

test('a server that runs code is not idle, however long it takes', {tags: 'long'}, async () => {
	const engine = createTinyEngine();
	await using local = await readyService({openEngine: async () => engine, idleAfter: 500});
	const run = local.call('POST', '/api/servers/welcome/run-code', {
		code: 'wait\nx = 1\nprint x',
		kernel_name: 'python3',
	});
	await waitFor(() => expect(engine.waiting()).toBe(1));
	// The test's requests take as long as three idle limits.
	const begun = Date.now();
	await waitFor(async () => {
		expect(await local.state('welcome')).toBe('ready');
		expect(Date.now() - begun).toBeGreaterThan(1500);
	});
	engine.release();
	expect((await run).body['content']).toMatchObject({outputs: [{text: '1\n'}]});
	await local.until('welcome', 'offline');
});

test('a server whose Python ends goes offline with the reason, and can be started again', async () => {
	await using local = await readyService();
	const dead = await local.call('POST', '/api/servers/welcome/run-code', {
		code: 'die',
		kernel_name: 'python3',
	});
	expect([dead.status, dead.body['content']]).toMatchObject([200, {outputs: [{ename: 'DeadKernelError'}]}]);
	await local.until('welcome', 'offline');
	const {body} = await local.call('GET', '/api/servers');
	expect((body['servers'] as unknown[])[0]).toMatchObject({status_reason: 'Its Python ended.'});
	expect((await local.call('POST', '/api/servers/welcome/start', settings)).status).toBe(200);
	await local.until('welcome', 'ready');
});

test('an engine that cannot be opened leaves the server offline with a reason, and the next start retries', async () => {
	let tries = 0;
	await using local = await localService({
		openEngine: async () => {
			if (++tries === 1) throw new Error('no snapshot');
			return createTinyEngine();
		},
	});
	expect((await local.call('POST', '/api/servers/welcome/start', settings)).status).toBe(200);
	await local.until('welcome', 'offline');
	const {body} = await local.call('GET', '/api/servers');
	expect((body['servers'] as unknown[])[0]).toMatchObject({
		status_reason: expect.stringContaining('Failed to start'),
	});
	const run = await local.call('POST', '/api/servers/welcome/run-code', {code: '', kernel_name: 'python3'});
	expect([run.status, messageOf(run.body)]).toEqual([503, expect.stringContaining('Failed to start')]);
	await local.call('POST', '/api/servers/welcome/start', settings);
	await local.until('welcome', 'ready');
});

test('after a restart every server is offline, with its settings and files, and the key is the same', async () => {
	using temp = tempFolder();
	const dataFolder = join(temp.path, 'data');
	const first = await localService({dataFolder});
	await first.call('POST', '/api/servers', {
		server_name: 'trainer',
		...settings,
		environment: 'jax',
		port: 4321,
	});
	await first.until('trainer', 'ready');
	await first.call('PUT', '/api/servers/trainer/files/a.txt', {content: 'a', format: 'text', type: 'file'});
	await first[Symbol.asyncDispose]();
	await using second = await localService({dataFolder});
	expect(second.key).toBe(first.key);
	const {body} = await second.call('GET', '/api/servers');
	expect(body['servers']).toMatchObject([
		{name: 'welcome', status: 'offline'},
		{name: 'trainer', status: 'offline', environment: 'jax', port: 4321},
	]);
	// A start without a port keeps the server's previous one.
	const started = await second.call('POST', '/api/servers/trainer/start', {
		environment: 'ai',
		server_request: 'svc-medium',
	});
	expect(started.body).toMatchObject({port: 4321, environment: 'ai'});
	await second.until('trainer', 'ready');
	expect((await second.call('GET', '/api/servers/trainer/files/a.txt')).body['content']).toMatchObject({
		content: 'a',
	});
	expect(((await second.call('GET', '/api/servers')).body['servers'] as unknown[])[1]).toMatchObject({
		environment: 'ai',
	});
});

test('closing ends every session and the engine, removes the instance file and keeps the files', async () => {
	using temp = tempFolder();
	const engine = createTinyEngine();
	const dataFolder = join(temp.path, 'data');
	const local = await readyService({dataFolder, openEngine: async () => engine});
	const run = local
		.call('POST', '/api/servers/welcome/run-code', {code: 'wait', kernel_name: 'python3'})
		.catch(() => 'cut off');
	await waitFor(() => expect(engine.waiting()).toBe(1));
	await local.service.close();
	expect(await run).toBe('cut off');
	expect([engine.sessions.size, engine.closed()]).toEqual([0, true]);
	expect(existsSync(join(dataFolder, 'instance.json'))).toBe(false);
	const [id = ''] = readdirSync(join(dataFolder, 'servers'));
	expect(existsSync(join(dataFolder, 'servers', id, 'README.md'))).toBe(true);
	await expect(fetch(local.service.url)).rejects.toThrow();
});

test('during shutdown, the service says so to new requests', async () => {
	const gate = Promise.withResolvers<void>();
	const local = await localService({openEngine: async () => createTinyEngine({opening: gate.promise})});
	await local.call('POST', '/api/servers/welcome/start', settings);
	const closed = local.service.close();
	for (const [method, path] of [
		['GET', '/api/servers'],
		['GET', '/local/lease'],
		['POST', '/api/servers/welcome/start'],
		['GET', '/editor/welcome'],
	] as const) {
		const {status, body, headers} = await local.call(method, path);
		expect([status, messageOf(body), headers.get('connection')]).toEqual([
			503,
			expect.stringContaining('shutting down'),
			'close',
		]);
	}
	gate.resolve();
	await closed;
	await local[Symbol.asyncDispose]();
});
