import {connect, type Socket} from 'node:net';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {capacity, createAdmission, fairShare} from '../../src/service/http/admission.ts';
import {ServiceFault} from '../../src/service/http/fault.ts';
import {localService, settings, type LocalService} from '../support/local-service.ts';
import {rawRequest, requestBytes} from '../support/raw-request.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {createTinyEngine} from '../support/tiny-engine.ts';
import {waitFor} from '../support/wait-for.ts';

const ann = {user: 'ann@example.com', key: 'key-of-ann'};
const bob = {user: 'bob@example.com', key: 'key-of-bob'};
const cat = {user: 'cat@example.com', key: 'key-of-cat'};

/** A service with three users and the default limits, except the given ones. */
const shared = async (options: Parameters<typeof localService>[0] = {}): Promise<LocalService> => {
	const temp = tempFolder();
	const keysFile = join(temp.path, 'keys.json');
	writeFileSync(
		keysFile,
		JSON.stringify(Object.fromEntries([ann, bob, cat].map(({user, key}) => [user, key]))),
		{mode: 0o600},
	);
	const local = await localService({keysFile, dataFolder: join(temp.path, 'data'), ...options});
	return {
		...local,
		async [Symbol.asyncDispose]() {
			await local[Symbol.asyncDispose]();
			temp[Symbol.dispose]();
		},
	};
};

type Crowd = AsyncDisposable & {
	/** Statuses received so far, on all connections. */
	readonly statuses: () => readonly number[];
	readonly open: () => number;
};

/** Opens `count` connections that send these bytes and then wait. */
const crowd = async (local: LocalService, count: number, bytes: Buffer): Promise<Crowd> => {
	const sockets = new Set<Socket>();
	const statuses: number[] = [];
	await Promise.all(
		Array.from(
			{length: count},
			() =>
				new Promise<void>(resolve => {
					const socket = connect(local.service.port, '127.0.0.1', () => {
						sockets.add(socket);
						socket.write(bytes, () => resolve());
					});
					socket.once('data', part => statuses.push(Number(String(part).split(' ')[1])));
					socket.on('error', () => {}).on('close', () => sockets.delete(socket));
				}),
		),
	);
	return {
		statuses: () => statuses,
		open: () => sockets.size,
		async [Symbol.asyncDispose]() {
			for (const socket of sockets) socket.destroy();
		},
	};
};

const head = (
	local: LocalService,
	line: string,
	key: string,
	more: Record<string, string | number> = {},
): Buffer => requestBytes(line, {Host: `127.0.0.1:${local.service.port}`, apiKey: key, ...more});
const count = (values: readonly number[], wanted: number): number =>
	values.filter(value => value === wanted).length;

const expectServed = async (local: LocalService, key: string): Promise<void> => {
	expect((await local.call('GET', '/api/servers', undefined, {key})).status).toBe(200);
	const lease = new AbortController();
	expect(
		(await fetch(`${local.service.url}/local/lease`, {headers: {apiKey: key}, signal: lease.signal})).status,
	).toBe(200);
	lease.abort();
	const name = `s${Math.random().toString(36).slice(2, 8)}`;
	expect((await local.call('POST', '/api/servers', {server_name: name, ...settings}, {key})).status).toBe(
		202,
	);
};

describe('with the real limits', () => {
	test('300 leases of one key: it gets half of all, the rest must wait, and other users are unaffected', async () => {
		await using local = await shared();
		await using leases = await crowd(local, 300, head(local, 'GET /local/lease', ann.key));
		await waitFor(() => expect(leases.statuses()).toHaveLength(300));
		expect([count(leases.statuses(), 200), count(leases.statuses(), 429)]).toEqual([
			capacity.lease / 2,
			300 - capacity.lease / 2,
		]);
		await expectServed(local, bob.key);
		// The same key may still make other requests.
		expect((await local.call('GET', '/api/servers', undefined, {key: ann.key})).status).toBe(200);
		const refused = await local.call('GET', '/local/lease', undefined, {key: ann.key});
		expect([refused.status, refused.headers.get('retry-after'), refused.text]).toEqual([
			429,
			'2',
			expect.stringContaining('Wait for one to finish'),
		]);
	});

	test('200 endless uploads of one key block no other user', async () => {
		await using local = await shared();
		const upload = head(local, 'PUT /api/servers/x/files/a.txt', ann.key, {
			'Content-Type': 'application/json',
			'Content-Length': 1000,
		});
		await using uploads = await crowd(local, 200, Buffer.concat([upload, Buffer.from('{')]));
		await waitFor(() => expect(count(uploads.statuses(), 429)).toBe(200 - capacity.upload / 2));
		await expectServed(local, bob.key);
	});

	test('two keys that take all they may leave as much for a third', async () => {
		await using local = await shared();
		await using first = await crowd(local, 260, head(local, 'GET /local/lease', ann.key));
		await waitFor(() => expect(first.statuses()).toHaveLength(260));
		await using second = await crowd(local, 260, head(local, 'GET /local/lease', bob.key));
		await waitFor(() => expect(second.statuses()).toHaveLength(260));
		await expectServed(local, cat.key);
	});

	test('400 clients at once are all answered', {tags: 'long'}, async () => {
		await using local = await shared();
		const answers = await Promise.all(
			Array.from({length: 400}, (_, index) =>
				rawRequest(
					local.service.port,
					head(local, 'GET /api/servers', [ann, bob, cat][index % 3]?.key ?? '', {Connection: 'close'}),
				),
			),
		);
		expect(
			answers.filter(
				({status, head: lines}) =>
					status !== 200 && !((status === 503 || status === 429) && lines.includes('retry-after: ')),
			),
		).toEqual([]);
		expect(
			count(
				answers.map(({status}) => status),
				200,
			),
		).toBeGreaterThan(0);
	});
});

test('when everything is at work, 200 clients get 503 with Retry-After and no cut connection', async () => {
	const engine = createTinyEngine();
	await using local = await shared({
		openEngine: async () => engine,
		listenerLimits: {capacity: {...capacity, request: 2}},
	});
	await local.call('POST', '/api/servers', {server_name: 'x', ...settings}, {key: ann.key});
	await local.call('POST', '/api/servers', {server_name: 'x', ...settings}, {key: bob.key});
	const ready = async (key: string): Promise<unknown> =>
		(await local.call('GET', '/api/servers', undefined, {key})).body;
	for (const {key} of [ann, bob])
		await waitFor(async () => expect(await ready(key)).toMatchObject({servers: [{status: 'ready'}]}));
	const running = local.call(
		'POST',
		'/api/servers/x/run-code',
		{code: 'wait', kernel_name: 'python3'},
		{key: ann.key},
	);
	await waitFor(() => expect(engine.waiting()).toBe(1));
	// All slots of Ann's key are in use; the remaining ones are for other users.
	expect((await local.call('GET', '/api/servers', undefined, {key: ann.key})).status).toBe(429);
	expect((await local.call('GET', '/api/servers', undefined, {key: bob.key})).status).toBe(200);
	const second = local.call(
		'POST',
		'/api/servers/x/run-code',
		{code: 'wait', kernel_name: 'python3'},
		{key: bob.key},
	);
	await waitFor(() => expect(engine.waiting()).toBe(2));
	const answers = await Promise.all(
		Array.from({length: 200}, () =>
			rawRequest(local.service.port, head(local, 'GET /api/servers', cat.key, {Connection: 'close'})),
		),
	);
	for (const answer of answers)
		expect(answer).toMatchObject({
			status: 503,
			head: expect.stringContaining('retry-after: 2'),
			body: expect.stringContaining('at its limit of running requests. Try again in a moment.'),
		});
	engine.release();
	expect([(await running).status, (await second).status]).toEqual([200, 200]);
	expect((await local.call('GET', '/api/servers', undefined, {key: cat.key})).status).toBe(200);
});

test('bytes that one key has sent and that wait for an answer are bounded, and given back', async () => {
	await using local = await shared({listenerLimits: {capacity: {...capacity, bytes: 2000}}});
	const upload = (key: string, size: number) =>
		local.call('POST', '/api/servers', {server_name: `x${size}`, more: 'x'.repeat(size), ...settings}, {key});
	expect((await upload(ann.key, 3000)).status).toBe(503);
	const unfinished = head(local, 'POST /api/servers', ann.key, {
		'Content-Type': 'application/json',
		'Content-Length': 1500,
	});
	await using slow = await crowd(local, 1, Buffer.concat([unfinished, Buffer.from('x'.repeat(1200))]));
	await waitFor(async () => expect((await upload(ann.key, 600)).status).toBe(429));
	expect((await upload(bob.key, 600)).status).toBe(202);
	await slow[Symbol.asyncDispose]();
	await waitFor(async () => expect((await upload(ann.key, 700)).status).toBe(202));
});

test('a body of nothing but brackets is refused before it is parsed, also by the thread for large ones', async () => {
	await using local = await localService();
	for (const levels of [2000, 2_000_000]) {
		const body = `{"content":${'['.repeat(levels)}`;
		const answer = await fetch(`${local.service.url}/api/servers/welcome/files/a`, {
			method: 'PUT',
			headers: {apiKey: local.key, 'content-type': 'application/json'},
			body,
		});
		expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('nested too deeply')]);
	}
});

test('two requests on one connection: while the second is at work the connection is not taken for a silent one', async () => {
	const engine = createTinyEngine();
	await using local = await localService({openEngine: async () => engine, listenerLimits: {connections: 2}});
	await local.call('POST', '/api/servers/welcome/start', settings);
	await local.until('welcome', 'ready');
	const body = JSON.stringify({code: 'wait\nx = 7\nprint x', kernel_name: 'python3'});
	const run = head(local, 'POST /api/servers/welcome/run-code', local.key, {
		'Content-Type': 'application/json',
		'Content-Length': body.length,
		Connection: 'close',
	});
	const answered = rawRequest(
		local.service.port,
		Buffer.concat([head(local, 'GET /api/environments', local.key), run, Buffer.from(body)]),
	);
	await waitFor(() => expect(engine.waiting()).toBe(1));
	await using others = await crowd(local, 6, Buffer.alloc(0));
	await waitFor(() => expect(others.open()).toBeLessThan(2));
	engine.release();
	expect((await answered).body).toContain('7\\n');
});

test('property: counts stay right for any order of requests, and a key without slots is refused only when all are taken', () => {
	const step = fc.record({user: fc.constantFrom('a', 'b', 'c', 'd'), end: fc.boolean()});
	fc.assert(
		fc.property(fc.integer({min: 1, max: 12}), fc.array(step, {maxLength: 80}), (most, steps) => {
			const admission = createAdmission({...capacity, request: most});
			const held = new Map<string, Array<() => void>>();
			for (const {user, end} of steps) {
				const mine = held.get(user) ?? [];
				const all = [...held.values()].flat().length;
				if (end) {
					const last = mine.pop();
					last?.();
					last?.();
					continue;
				}
				let status = 0;
				try {
					mine.push(admission.admit(user).end);
				} catch (error) {
					if (!(error instanceof ServiceFault)) throw error;
					({status} = error);
				}
				held.set(user, mine);
				const wanted = mine.length + (status === 0 ? 0 : 1);
				expect(status).toBe(all === most ? 503 : fairShare(wanted, {taken: all, most}) ? 0 : 429);
				if (wanted === 1) expect(status).toBe(all === most ? 503 : 0);
			}
		}),
	);
});
