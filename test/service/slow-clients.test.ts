import {once} from 'node:events';
import {connect, type Socket} from 'node:net';
import {expect, test} from 'vitest';
import {listenerLimits} from '../../src/service/http/listener.ts';
import {busyFor} from '../support/busy.ts';
import {localService, readyService, type LocalService} from '../support/local-service.ts';
import {rawRequest, requestBytes, type RawAnswer} from '../support/raw-request.ts';
import {createTinyEngine} from '../support/tiny-engine.ts';
import {waitFor} from '../support/wait-for.ts';

/** The service's time limits, divided by a hundred because the test waits until they expire. */
const short = {head: 200, request: 400, check: 20, keepAlive: 100};

/** Time that Node waits in addition, in ms (`keepAliveTimeoutBuffer`). */
const NODES_OWN = 1000;

const head = (local: LocalService, more: Readonly<Record<string, string | number>> = {}): Buffer =>
	requestBytes('POST /api/servers', {
		Host: `127.0.0.1:${local.service.port}`,
		apiKey: local.key,
		'Content-Type': 'application/json',
		...more,
	});

const expectTooLate = ({status, head: lines, body}: RawAnswer): void => {
	expect([status, JSON.parse(body)]).toEqual([
		408,
		{status: 'error', error: {code: 408, message: expect.stringMatching(/took too long.*\.$/)}},
	]);
	expect(lines).toContain('connection: close');
	expect(lines).toContain('cache-control: no-store');
};

test('headers may take 10 s, a request 30 s, a connection may be silent for 5 s, and there are at most 1024', () => {
	expect(listenerLimits).toMatchObject({
		head: 10_000,
		request: 30_000,
		check: 2000,
		keepAlive: 5000,
		connections: 1024,
	});
});

test.each([
	['a head that never ends', (local: LocalService) => head(local).subarray(0, -2)],
	['a body that does not come', (local: LocalService) => head(local, {'Content-Length': 100})],
	[
		'a body that stops in its middle',
		(local: LocalService) => Buffer.concat([head(local, {'Content-Length': 100}), Buffer.from('{"server_')]),
	],
	[
		'a chunk that does not come',
		(local: LocalService) =>
			Buffer.concat([head(local, {'Transfer-Encoding': 'chunked'}), Buffer.from('5\r\n{')]),
	],
	['a connection that says nothing', () => Buffer.alloc(0)],
])('%s is ended with 408', async (_, bytes) => {
	await using local = await localService({listenerLimits: short});
	expectTooLate(await rawRequest(local.service.port, bytes(local)));
	expect((await local.call('GET', '/api/servers')).body['servers']).toHaveLength(1);
});

test('a connection that stays silent after its response is closed', {tags: 'long'}, async () => {
	await using local = await localService({listenerLimits: short});
	const answer = await rawRequest(
		local.service.port,
		requestBytes('GET /api/servers', {Host: `127.0.0.1:${local.service.port}`, apiKey: local.key}),
	);
	expect([answer.status, answer.head.includes('connection: keep-alive')]).toEqual([200, true]);
});

test(
	'a request that came while the service was stopped is answered, though the time of its connection is over',
	{tags: 'long'},
	async () => {
		await using local = await localService({listenerLimits: short});
		const request = requestBytes('GET /api/servers', {
			Host: `127.0.0.1:${local.service.port}`,
			apiKey: local.key,
		});
		const socket = connect(local.service.port, '127.0.0.1');
		let answers = '';
		socket
			.setEncoding('utf8')
			.on('data', (part: string) => (answers += part))
			.on('error', () => {});
		socket.write(request);
		await waitFor(() => expect(answers).toMatch(/\}$/));
		const first = answers;
		// Blocks the process, in which the service runs too. After the block the service handles
		// its timers before it reads, as after a SIGSTOP.
		await new Promise<void>(resolve =>
			setImmediate(() => {
				socket.write(request);
				busyFor(short.keepAlive + NODES_OWN + 200);
				resolve();
			}),
		);
		await waitFor(() => expect(answers.slice(first.length)).toMatch(/^HTTP\/1.1 200 [\s\S]*\}$/));
		// The idle time is then counted from zero.
		await once(socket, 'close');
	},
);

test('code may run longer than a request may take to arrive', async () => {
	const engine = createTinyEngine();
	await using local = await readyService({listenerLimits: short, openEngine: async () => engine});
	const run = local.call('POST', '/api/servers/welcome/run-code', {code: 'wait', kernel_name: 'python3'});
	await waitFor(() => expect(engine.waiting()).toBe(1));
	// A later connection has expired, so the time for this request has passed too.
	expectTooLate(await rawRequest(local.service.port, head(local, {'Content-Length': 1})));
	expect(engine.waiting()).toBe(1);
	engine.release();
	expect((await run).status).toBe(200);
});

type Crowd = AsyncDisposable & {readonly open: () => number};

/** Connections that send these bytes and then remain silent. */
const crowd = async (port: number, count: number, bytes = ''): Promise<Crowd> => {
	const open = new Set<Socket>();
	await Promise.all(
		Array.from(
			{length: count},
			() =>
				new Promise<void>(resolve => {
					const socket = connect(port, '127.0.0.1', () => {
						open.add(socket);
						socket.write(bytes);
						resolve();
					});
					socket
						.on('error', () => {})
						.on('close', () => open.delete(socket))
						.resume();
				}),
		),
	);
	return {
		open: () => open.size,
		async [Symbol.asyncDispose]() {
			for (const socket of open) socket.destroy();
		},
	};
};

test('with 200 silent connections and 50 slow requests the program is served, its lease stays and its code keeps running', async () => {
	const engine = createTinyEngine();
	await using local = await readyService({
		openEngine: async () => engine,
		listenerLimits: {connections: 128},
	});
	const lease = await fetch(`${local.service.url}/local/lease`, {headers: {apiKey: local.key}});
	const run = local.call('POST', '/api/servers/welcome/run-code', {
		code: 'wait\nx = 1\nprint x',
		kernel_name: 'python3',
	});
	await waitFor(() => expect(engine.waiting()).toBe(1));
	await using idle = await crowd(local.service.port, 200);
	await using slow = await crowd(local.service.port, 50, 'GET /api/servers HTTP/1.1\r\nHost:');
	// The oldest connections are closed at once, so new clients need not wait until they expire.
	await waitFor(() => expect(idle.open() + slow.open()).toBeLessThanOrEqual(128));
	const answer = await rawRequest(
		local.service.port,
		requestBytes('GET /api/servers', {
			Host: `127.0.0.1:${local.service.port}`,
			apiKey: local.key,
			Connection: 'close',
		}),
	);
	expect(answer.status).toBe(200);
	expect(slow.open()).toBeGreaterThan(0);
	engine.release();
	expect((await run).body['content']).toMatchObject({outputs: [{text: '1\n'}]});
	const reader = lease.body?.getReader();
	expect(
		await Promise.race([
			reader?.read().then(() => 'ended'),
			local.call('GET', '/api/servers').then(() => 'held'),
		]),
	).toBe('held');
	await reader?.cancel();
});

test('when every connection is busy a new one is refused with the reason, and accepted once one of them is free', async () => {
	const engine = createTinyEngine();
	await using local = await readyService({openEngine: async () => engine, listenerLimits: {connections: 3}});
	const body = '{"code":"wait","kernel_name":"python3"}';
	const run = requestBytes(
		'POST /api/servers/welcome/run-code',
		{
			Host: `127.0.0.1:${local.service.port}`,
			apiKey: local.key,
			'Content-Type': 'application/json',
			'Content-Length': body.length,
			Connection: 'close',
		},
		body,
	);
	const runs = Array.from({length: 3}, () => rawRequest(local.service.port, run));
	await waitFor(() => expect(engine.waiting()).toBe(1));
	const list = requestBytes('GET /api/servers', {
		Host: `127.0.0.1:${local.service.port}`,
		apiKey: local.key,
		Connection: 'close',
	});
	await waitFor(async () =>
		expect(await rawRequest(local.service.port, list)).toMatchObject({
			status: 503,
			head: expect.stringContaining('retry-after: 2'),
		}),
	);
	for (let round = 0; round < 3; round++) {
		await waitFor(() => expect(engine.waiting()).toBe(1));
		engine.release();
	}
	expect((await Promise.all(runs)).map(({status}) => status)).toEqual([200, 200, 200]);
	expect((await rawRequest(local.service.port, list)).status).toBe(200);
});
