import {expect, test} from 'vitest';
import {CLOCK} from '../support/clock.ts';
import {movingClock, openLease as program, sleepFor} from '../support/lease.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {localService, settings, type LocalService} from '../support/local-service.ts';
import {createTinyEngine} from '../support/tiny-engine.ts';
import {waitFor} from '../support/wait-for.ts';

const leases = {last: 50, look: 50};

const run = async (local: LocalService, server: string, code: string) =>
	(await local.call('POST', `/api/servers/${server}/run-code`, {code, kernel_name: 'python3'})).body;
const start = async (local: LocalService, server: string): Promise<void> => {
	expect(await local.call('POST', `/api/servers/${server}/start`, settings)).toMatchObject({status: 200});
	await local.until(server, 'ready');
};
const kept = async (local: LocalService) => (await local.call('GET', '/local/kept')).body;
const reasonOf = async (local: LocalService, server: string): Promise<unknown> => {
	const {body} = await local.call('GET', '/api/servers');
	return (body['servers'] as Array<Record<string, unknown>>).find(({name}) => name === server)?.[
		'status_reason'
	];
};

test('variables outlive the last program, and the next one finds them', async () => {
	await using local = await localService({leased: true, leases});
	const first = await program(local, 60_000);
	await start(local, 'welcome');
	await run(local, 'welcome', 'x = 41');
	expect(await kept(local)).toMatchObject({held: 1, until: null, servers: [{name: 'welcome'}]});
	first.leave();
	await waitFor(async () => expect(await kept(local)).toMatchObject({held: 0}));
	const {until} = await kept(local);
	expect(Date.parse(String(until)) - Date.now()).toBeGreaterThan(50_000);
	expect(Date.parse(String(until)) - Date.now()).toBeLessThanOrEqual(60_000);
	const second = await program(local, 60_000);
	expect(await run(local, 'welcome', 'print x')).toMatchObject({
		content: {outputs: [{output_type: 'stream', text: '41\n'}]},
	});
	second.leave();
});

test('the service ends at the time limit, and the next one gives the reason why the server is offline', async () => {
	using folder = tempFolder();
	{
		await using local = await localService({dataFolder: folder.path, leased: true, leases});
		const only = await program(local, 400);
		await start(local, 'welcome');
		await run(local, 'welcome', 'x = 41');
		only.leave();
		await local.service.closed;
	}
	await using next = await localService({dataFolder: folder.path});
	expect(await reasonOf(next, 'welcome')).toMatch(
		new RegExp(
			`^Its kernel was kept for 1 minute after the last program closed \\(until ${CLOCK}\\) and has stopped\\. Variables are lost, files are kept;`,
		),
	);
	await start(next, 'welcome');
	expect(await reasonOf(next, 'welcome')).toBeUndefined();
});

test('a machine that slept past the time ends the service when it wakes', async () => {
	await using local = await localService({leased: true, leases});
	const only = await program(local, 1_800_000);
	await start(local, 'welcome');
	await run(local, 'welcome', 'x = 41');
	only.leave();
	await waitFor(async () => expect(await kept(local)).toMatchObject({held: 0}));
	using _ = sleepFor(3_600_000);
	await local.service.closed;
});

test('only idle time counts: running code is kept past the time, and its variables as long again', async () => {
	using folder = tempFolder();
	{
		const engine = createTinyEngine();
		await using local = await localService({
			dataFolder: folder.path,
			leased: true,
			leases,
			openEngine: async () => engine,
		});
		const only = await program(local, 60_000);
		await start(local, 'welcome');
		await run(local, 'welcome', 'x = 41');
		const running = run(local, 'welcome', 'wait\nprint x');
		await waitFor(() => expect(engine.waiting()).toBe(1));
		only.leave();
		await waitFor(async () => expect(await kept(local)).toMatchObject({held: 0}));
		using clock = movingClock();
		clock.move(3_600_000);
		await waitFor(async () =>
			expect(Date.parse(String((await kept(local))['until']))).toBeGreaterThan(Date.now()),
		);
		engine.release();
		expect(await running).toMatchObject({content: {outputs: [{text: '41\n'}]}});
		clock.move(30_000);
		expect(await kept(local)).toMatchObject({servers: [{name: 'welcome'}]});
		await clock.moveUntil(local.service.closed);
	}
	await using next = await localService({dataFolder: folder.path});
	expect(await reasonOf(next, 'welcome')).toMatch(
		/^Its kernel was kept for 1 minute after the last use, with no program open \(until /,
	);
});

test('a server on which no code has run keeps nothing alive', async () => {
	await using local = await localService({leased: true, leases});
	const only = await program(local, 60_000);
	await start(local, 'welcome');
	only.leave();
	await local.service.closed;
});

test('a program that wants nothing kept ends the service, but not what another one wanted', async () => {
	await using local = await localService({leased: true, leases});
	const other = await program(local, 60_000);
	await start(local, 'welcome');
	await run(local, 'welcome', 'x = 41');
	const mine = await program(local, 0);
	other.leave();
	await waitFor(async () => expect(await kept(local)).toMatchObject({held: 1}));
	mine.leave();
	await waitFor(async () => expect(await kept(local)).toMatchObject({held: 0}));
	expect((await kept(local))['until']).toEqual(expect.any(String));
	const again = await program(local, 0);
	expect(await run(local, 'welcome', 'print x')).toMatchObject({
		content: {outputs: [{output_type: 'stream', text: '41\n'}]},
	});
	again.leave();
});

test('only servers that ran code are retained', async () => {
	const engine = createTinyEngine();
	await using local = await localService({leased: true, leases, openEngine: async () => engine});
	const only = await program(local, 60_000);
	await start(local, 'welcome');
	await local.call('POST', '/api/servers', {server_name: 'idle', ...settings});
	await local.until('idle', 'ready');
	await run(local, 'welcome', 'x = 41');
	only.leave();
	await waitFor(() => expect(engine.sessions.size).toBe(1));
	expect(await reasonOf(local, 'idle')).toMatch(
		/^Stopped when the last program closed \(no code had run\)\./,
	);
	expect(await kept(local)).toMatchObject({servers: [{name: 'welcome'}]});
});

test('it can be ended at once on request', async () => {
	await using local = await localService({leased: true, leases});
	const only = await program(local, 60_000);
	await start(local, 'welcome');
	await run(local, 'welcome', 'x = 41');
	expect(await local.call('POST', '/local/stop', {})).toMatchObject({
		status: 200,
		body: {held: 1, servers: [{name: 'welcome'}]},
	});
	await local.service.closed;
	only.leave();
});

test('a service that was started by hand is not ended by its users', async () => {
	await using local = await localService();
	expect(await local.call('POST', '/local/stop', {})).toMatchObject({status: 409});
	expect(await local.call('GET', '/local/kept')).toMatchObject({status: 200});
});

test('retained servers without users are stopped for a server that lacks memory, the oldest first', async () => {
	const engine = createTinyEngine();
	const MIB = 2 ** 20;
	const total = 8192 * MIB;
	// Memory for three embedded servers, in addition to the part that is reserved for the machine.
	const memory = () => ({total, available: 512 * MIB + (3 - engine.sessions.size) * 230 * MIB});
	await using local = await localService({leased: true, leases, memory, openEngine: async () => engine});
	const create = async (name: string): Promise<number> => {
		const {status} = await local.call('POST', '/api/servers', {server_name: name, ...settings});
		if (status === 202) await local.until(name, 'ready');
		return status;
	};
	const first = await program(local, 60_000);
	await start(local, 'welcome');
	await create('second');
	await create('idle');
	await run(local, 'welcome', 'x = 1');
	await run(local, 'second', 'x = 2');
	// While a program is connected, no server is stopped to free memory.
	expect(await create('third')).toBe(409);
	first.leave();
	await waitFor(async () => expect(await local.state('idle')).toBe('offline'));
	const second = await program(local, 60_000);
	expect(await create('third')).toBe(202);
	expect(await local.state('welcome')).toBe('ready');
	expect(await create('fourth')).toBe(202);
	expect(await local.state('welcome')).toBe('offline');
	expect(await local.state('second')).toBe('ready');
	expect(await reasonOf(local, 'welcome')).toMatch(/^Stopped to free memory for fourth\./);
	// A server that was used after that is retained.
	await run(local, 'second', 'print x');
	expect(await create('fifth')).toBe(409);
	second.leave();
});
