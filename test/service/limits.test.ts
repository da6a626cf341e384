// Limits that the service enforces: idle stop, longest run time and daily budget.
import {once} from 'node:events';
import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import http from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {CLOCK} from '../support/clock.ts';
import {movingClock} from '../support/lease.ts';
import {localService, settings, type LocalService} from '../support/local-service.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {createTinyEngine} from '../support/tiny-engine.ts';
import {waitFor} from '../support/wait-for.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Interval of the checks, in ms: short, so that a check soon follows each move of the clock. */
const limitsLook = 20;

const listed = async (local: LocalService, name = 'welcome'): Promise<Record<string, unknown>> => {
	const {body} = await local.call('GET', '/api/servers');
	return (body['servers'] as readonly Record<string, unknown>[]).find(each => each['name'] === name) ?? {};
};
const start = async (local: LocalService, name = 'welcome', more: object = {}): Promise<void> => {
	expect(await local.call('POST', `/api/servers/${name}/start`, {...settings, ...more})).toMatchObject({
		status: 200,
	});
	await local.until(name, 'ready');
};
const limit = (local: LocalService, body: object) =>
	local.call('POST', '/local/limits', {server_name: 'welcome', ...body});
const soon = (local: LocalService, is: unknown) =>
	waitFor(async () => expect((await listed(local))['stops_soon']).toBe(is));

/** A web server that records the requests it receives. */
const webhook = async () => {
	const events: Record<string, unknown>[] = [];
	const server = http.createServer((request, response) => {
		const parts: Buffer[] = [];
		request.on('data', (part: Buffer) => parts.push(part));
		request.on('end', () => {
			events.push(JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>);
			response.end();
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/secret`,
		events,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
};

test('without limits nothing is counted, and the list has no more fields than before', async () => {
	using clock = movingClock();
	await using local = await localService({limitsLook});
	await start(local);
	clock.move(20 * HOUR);
	for (const field of ['idle_stop', 'max_run', 'stops_at', 'stops_soon'])
		expect(await listed(local)).not.toHaveProperty(field);
	expect((await local.call('GET', '/local/limits')).body).toEqual({
		status: 'success',
		servers: [{name: 'welcome', idle_stop: null, max_run: null, stops_at: null}],
		daily_budget: null,
		spent_today: 0,
	});
	expect(await local.state('welcome')).toBe('ready');
});

test('an unused server is announced and stopped; a busy one is in use, and so is one that is used after the warning', async () => {
	using clock = movingClock();
	await using hook = await webhook();
	const engine = createTinyEngine();
	await using local = await localService({
		openEngine: async () => engine,
		limitsLook,
		limits: {idleStop: HOUR, notify: hook.url},
	});
	await start(local);
	const running = local.call('POST', '/api/servers/welcome/run-code', {code: 'wait', kernel_name: 'python3'});
	await waitFor(() => expect(engine.waiting()).toBe(1));
	clock.move(5 * HOUR);
	// The service checks the limits before it responds to the request.
	expect((await limit(local, {})).body['servers']).toMatchObject([{stops_at: null}]);
	expect(await local.state('welcome')).toBe('ready');
	engine.release();
	expect(await running).toMatchObject({status: 200});

	clock.move(55 * MINUTE);
	await soon(local, true);
	expect(await listed(local)).toMatchObject({idle_stop: '1h', stop_cause: 'idle', status: 'ready'});
	await local.call('GET', '/api/servers/welcome/files/');
	await soon(local, false);
	clock.move(55 * MINUTE);
	await soon(local, true);
	clock.move(6 * MINUTE);
	await local.until('welcome', 'offline');
	expect((await listed(local))['status_reason']).toBe(
		'Stopped: 1 hour without use. Files are kept; start it again to continue.',
	);
	await waitFor(() => expect(hook.events.map(({event}) => event)).toEqual(['warning', 'warning', 'stopped']));
	expect(hook.events[0]).toEqual({
		event: 'warning',
		server: 'welcome',
		user: 'local@localhost',
		cause: 'idle',
		at: expect.any(String) as string,
		text: expect.stringMatching(new RegExp(`^welcome stops at ${CLOCK}: 1 hour without use\\.$`)) as string,
	});
	expect(readFileSync(join(local.folder, 'service.log'), 'utf8')).not.toContain('secret');
});

test('a longest run time ends a server that is busy; off switches a default off, and a restart keeps all of it', async () => {
	using clock = movingClock();
	using folder = tempFolder();
	const program = join(folder.path, 'notify');
	const told = join(folder.path, 'told');
	writeFileSync(program, `#!/bin/sh\ncat >> '${told}'\n`);
	chmodSync(program, 0o700);
	const options = {
		dataFolder: join(folder.path, 'data'),
		limitsLook,
		limits: {maxRun: 8 * HOUR, notify: program},
	};
	{
		const engine = createTinyEngine();
		await using local = await localService({...options, openEngine: async () => engine});
		await start(local);
		const run = local.call('POST', '/api/servers/welcome/run-code', {code: 'wait', kernel_name: 'python3'});
		await waitFor(() => expect(engine.waiting()).toBe(1));
		expect(await listed(local)).toMatchObject({max_run: '8h', status: 'ready'});
		clock.move(7 * HOUR + 55 * MINUTE);
		await soon(local, true);
		clock.move(6 * MINUTE);
		await local.until('welcome', 'offline');
		engine.release();
		await run;
		await waitFor(() => expect(readFileSync(told, 'utf8').trim().split('\n')).toHaveLength(2));
		expect(JSON.parse(readFileSync(told, 'utf8').split('\n')[1] ?? '')).toMatchObject({
			event: 'stopped',
			cause: 'run-time',
		});
	}
	{
		await using local = await localService(options);
		expect((await listed(local))['status_reason']).toMatch(/^Stopped: its longest run time is 8 hours\./);
		expect((await limit(local, {max_run: '8 hours'})).status).toBe(400);
		expect((await limit(local, {server_name: 'nowhere', max_run: '1h'})).status).toBe(404);
		expect((await limit(local, {max_run: 'off', idle_stop: '90m'})).body['servers']).toMatchObject([
			{idle_stop: '90m', max_run: null},
		]);
	}
	await using local = await localService(options);
	expect(await listed(local)).toMatchObject({idle_stop: '90m'});
	expect(await listed(local)).not.toHaveProperty('max_run');
	expect((await limit(local, {max_run: null})).body['servers']).toMatchObject([{max_run: '8h'}]);
});

test('a daily budget is announced, stops servers that cost money, refuses their start, and survives a restart', async () => {
	using clock = movingClock();
	using folder = tempFolder();
	// Starts at noon, so that midnight does not fall into the test.
	clock.move((36 * HOUR - (Date.now() - new Date().setHours(0, 0, 0, 0))) % (24 * HOUR));
	const catalogueFile = join(folder.path, 'catalogue.json');
	const option = {
		...{name: 'Paid', cloud_host: 'here', compute_id: 'paid', cpus: 1, memory: '1G', num_gpus: 0},
		...{vram_per_gpu: '0G', total_vram: '0G', hourly_price: 2},
		availability: [{region: 'default', available: true}],
	};
	writeFileSync(catalogueFile, JSON.stringify({compute: [option]}));
	await using hook = await webhook();
	const options = {
		...{dataFolder: join(folder.path, 'data'), catalogueFile, limitsLook},
		limits: {dailyBudget: 5, notify: hook.url},
	};
	const paid = {server_request: 'paid'};
	const spent = async (local: LocalService) =>
		Number((await local.call('GET', '/local/limits')).body['spent_today']);
	{
		await using local = await localService(options);
		await start(local, 'welcome', paid);
		clock.move(HOUR);
		expect(await spent(local)).toBeCloseTo(2, 1);
	}
	{
		await using local = await localService(options);
		expect(await spent(local)).toBeCloseTo(2, 1);
		await start(local, 'welcome', paid);
		clock.move(65 * MINUTE);
		await soon(local, true);
		expect(await listed(local)).toMatchObject({stop_cause: 'budget'});
		await local.call('POST', '/api/servers', {server_name: 'free', ...settings});
		clock.move(30 * MINUTE);
		await local.until('welcome', 'offline');
		expect((await listed(local))['status_reason']).toBe(
			'Stopped: the daily budget of 5.00 is spent. Files are kept; it can start again tomorrow.',
		);
		await local.until('free', 'ready');
		await waitFor(() => expect(hook.events.map(({event}) => event)).toEqual(['warning', 'stopped']));
	}
	await using local = await localService(options);
	const refused = await local.call('POST', '/api/servers/welcome/start', {...settings, ...paid});
	expect([refused.status, refused.text]).toEqual([
		409,
		expect.stringContaining('Your daily budget of 5.00 is spent'),
	]);
	await start(local);
	clock.move(13 * HOUR);
	expect(await spent(local)).toBe(0);
});
