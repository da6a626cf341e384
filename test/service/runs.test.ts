import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readyService, settings, type Answer, type LocalService} from '../support/local-service.ts';
import {memoryFor} from '../support/memory.ts';
import {createTinyEngine} from '../support/tiny-engine.ts';
import {waitFor} from '../support/wait-for.ts';

const run = (local: LocalService, code: string, signal?: AbortSignal): Promise<Answer> =>
	local.call('POST', '/api/servers/welcome/run-code', {code, kernel_name: 'python3'}, signal ? {signal} : {});

test('runs of one server execute one after the other, in the order of their requests', async () => {
	const engine = createTinyEngine();
	await using local = await readyService({openEngine: async () => engine});
	const first = run(local, 'wait\nx = 1');
	await waitFor(() => expect(engine.waiting()).toBe(1));
	const second = run(local, 'print x');
	await waitFor(async () => expect((await local.call('GET', '/api/servers')).status).toBe(200));
	expect(engine.ran).toEqual(['wait\nx = 1']);
	engine.release();
	expect([(await first).body['content'], (await second).body['content']]).toMatchObject([
		{execution_count: 1},
		{execution_count: 2, outputs: [{text: '1\n'}]},
	]);
});

test('one run at a time on a server, and as many on the service as servers are live', async () => {
	const engine = createTinyEngine();
	await using local = await readyService({
		openEngine: async () => engine,
		memory: memoryFor(4, () => engine.sessions.size),
	});
	const names = ['welcome', 'b', 'c', 'd'];
	for (const server_name of names.slice(1)) {
		await local.call('POST', '/api/servers', {server_name, ...settings});
		await local.until(server_name, 'ready');
	}
	const runs = [...names, ...names].map(name =>
		local.call('POST', `/api/servers/${name}/run-code`, {code: 'wait', kernel_name: 'python3'}),
	);
	await waitFor(() => expect(engine.waiting()).toBe(4));
	expect((await local.call('POST', '/api/servers', {server_name: 'e', ...settings})).status).toBe(409);
	expect(engine.ran).toHaveLength(4);
	engine.release();
	await waitFor(() => expect([engine.waiting(), engine.ran.length]).toEqual([4, 8]));
	engine.release();
	expect((await Promise.all(runs)).map(({status}) => status)).toEqual(Array.from({length: 8}, () => 200));
});

test('sixteen runs may wait; the next one gets a Retry-After', async () => {
	const engine = createTinyEngine();
	await using local = await readyService({openEngine: async () => engine});
	const first = run(local, 'wait');
	await waitFor(() => expect(engine.waiting()).toBe(1));
	const others = Array.from({length: 17}, (_, index) => run(local, `print ${index}`));
	const refused = await Promise.race(others);
	expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
	expect(refused.body).toMatchObject({
		status: 'error',
		error: {code: 429, message: expect.stringContaining('welcome')},
	});
	engine.release();
	const statuses = (await Promise.all([first, ...others])).map(({status}) => status);
	expect(statuses.filter(status => status === 200)).toHaveLength(17);
	expect(engine.ran).toHaveLength(17);
});

test('disconnecting interrupts the code at once, and the next run is served', async () => {
	const engine = createTinyEngine();
	await using local = await readyService({openEngine: async () => engine});
	const client = new AbortController();
	const gone = run(local, 'wait', client.signal);
	await waitFor(() => expect(engine.waiting()).toBe(1));
	client.abort();
	await expect(gone).rejects.toThrow();
	await waitFor(() => expect(engine.waiting()).toBe(0));
	expect(await local.state('welcome')).toBe('ready');
	expect((await run(local, 'x = 7\nprint x')).body['content']).toMatchObject({outputs: [{text: '7\n'}]});
});

test('a client that disconnects while waiting is not run at all', async () => {
	const engine = createTinyEngine();
	await using local = await readyService({openEngine: async () => engine});
	const first = run(local, 'wait');
	await waitFor(() => expect(engine.waiting()).toBe(1));
	const client = new AbortController();
	const gone = run(local, 'print never', client.signal);
	await waitFor(async () => expect((await local.call('GET', '/api/servers')).status).toBe(200));
	client.abort();
	await expect(gone).rejects.toThrow();
	// The log proves that the service has also noticed the disconnection.
	await waitFor(() =>
		expect(readFileSync(join(local.folder, 'service.log'), 'utf8')).toContain('run-code gone'),
	);
	const last = run(local, 'print last');
	engine.release();
	await Promise.all([first, last]);
	expect(engine.ran).toEqual(['wait', 'print last']);
});

test('code that raises is a cell with an error output, and the status is 200', async () => {
	await using local = await readyService();
	const {status, body} = await run(local, 'raise ValueError no such thing');
	expect([status, body['content']]).toMatchObject([
		200,
		{outputs: [{output_type: 'error', ename: 'ValueError', evalue: 'no such thing'}]},
	]);
});

test('files and the assistant answer while a cell runs', async () => {
	const engine = createTinyEngine();
	await using local = await readyService({openEngine: async () => engine});
	const first = run(local, 'wait');
	await waitFor(() => expect(engine.waiting()).toBe(1));
	expect((await local.call('GET', '/api/servers/welcome/files/README.md')).status).toBe(200);
	expect(
		(await local.call('POST', '/api/assistant/welcome/model_1', {messages: [{role: 'user', content: 'len'}]}))
			.status,
	).toBe(200);
	expect(engine.waiting()).toBe(1);
	engine.release();
	await first;
});
