// Metrics and the event log of a service with several users.
import {readFileSync, statSync, chmodSync, writeFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {eventOf} from '../../src/service/events.ts';
import type {RequestRecord} from '../../src/service/http/request-record.ts';
import {localService, settings} from '../support/local-service.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';

const SECRET = 'secret';

const record = (more: Partial<RequestRecord>): RequestRecord => ({
	...{method: 'GET', route: '/api/servers', status: 200, user: 'ann', server: undefined},
	...{client: '127.0.0.1', isUpgrade: false, ms: 3, bytes: 90},
	...more,
});

test('listing and polling are no events; a refused key, a write and a WebSocket are', () => {
	const nameOf = (more: Partial<RequestRecord>): string | undefined => eventOf(record(more))?.event;
	expect(nameOf({})).toBeUndefined();
	expect(nameOf({route: '/api/compute'})).toBeUndefined();
	expect(nameOf({route: 'jupyter'})).toBeUndefined();
	expect(nameOf({route: 'forward:8888'})).toBeUndefined();
	expect(nameOf({status: 401})).toBe('key.refused');
	expect(nameOf({route: 'jupyter', method: 'DELETE'})).toBe('server.jupyter');
	expect(nameOf({route: 'jupyter', isUpgrade: true})).toBe('server.jupyter');
	expect(nameOf({route: 'forward:8888', isUpgrade: true})).toBe('server.forward');
	expect(nameOf({route: '/local/attach', method: 'POST'})).toBe('server.attach');
	expect(nameOf({route: '/api/servers/{server_name}/files/{path}', method: 'PUT'})).toBe('file.write');
});

test('metrics count without names; events tell who did what, without code and content', async () => {
	using temp = tempFolder();
	const eventsFile = join(temp.path, 'events.jsonl');
	const keysFile = join(temp.path, 'keys.json');
	writeFileSync(keysFile, JSON.stringify({'ann@example.com': 'key-of-ann', bob: 'key-of-bob'}));
	chmodSync(keysFile, 0o600);
	const events = (): readonly Record<string, unknown>[] =>
		readFileSync(eventsFile, 'utf8')
			.split('\n')
			.filter(line => line !== '')
			.map(line => JSON.parse(line) as Record<string, unknown>);
	let metricsUrl = '';
	{
		await using local = await localService({
			...{eventsFile, keysFile, metrics: {address: '127.0.0.1', port: 0}},
		});
		metricsUrl = local.service.metricsUrl ?? '';
		const ann = {key: 'key-of-ann'};
		await local.call('POST', '/api/servers', {...settings, server_name: 'trainer'}, ann);
		await waitFor(async () => {
			const {body} = await local.call('GET', '/api/servers', undefined, ann);
			expect(body['servers']).toMatchObject([{status: 'ready'}]);
		});
		await local.call(
			'POST',
			'/api/servers/trainer/run-code',
			{code: `${SECRET} = 7`, kernel_name: 'python3'},
			ann,
		);
		const file = {content: SECRET, format: 'text', type: 'file'};
		await local.call('PUT', `/api/servers/trainer/files/${SECRET}.txt`, file, ann);
		await local.call('GET', `/api/servers/trainer/files/${SECRET}.txt`, undefined, ann);
		await local.call('GET', '/api/servers', undefined, {key: SECRET});
		await local.call('POST', '/api/servers/trainer/start', settings, {key: 'key-of-bob'});

		const text = await (await fetch(metricsUrl)).text();
		expect(text).toMatch(/^svc_tui_requests_total\{method="POST",route="\/api\/servers",status="202"\} 1$/m);
		expect(text).toMatch(
			/^svc_tui_request_duration_seconds_count\{route="\/api\/servers\/\{server_name\}\/run-code"\} 1$/m,
		);
		expect(text).toMatch(/^svc_tui_requests_total\{method="GET",route="-",status="401"\} 1$/m);
		expect(text).toMatch(/^svc_tui_running_servers 1$/m);
		expect(text).toMatch(/^svc_tui_slots\{kind="run"\} 256$/m);
		expect(text).toMatch(/^svc_tui_slots_used\{kind="request"\} 0$/m);
		expect(text).toMatch(/^svc_tui_info\{engine="pyodide"\} 1$/m);
		expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
		expect(text).not.toMatch(/ann|bob|trainer|secret/);
		// Pages of other sites cannot read the metrics, and this port serves nothing else.
		const page = {headers: {'sec-fetch-site': 'cross-site'}};
		expect((await fetch(metricsUrl, page)).status).toBe(403);
		expect((await fetch(new URL('/', metricsUrl))).status).toBe(404);
		expect((await fetch(metricsUrl, {method: 'POST'})).status).toBe(405);
	}
	expect(events()).toMatchObject([
		{event: 'service.start', engine: 'pyodide'},
		{event: 'server.create', user: 'ann@example.com', server: 'trainer', status: 202, client: '127.0.0.1'},
		{event: 'code.run', user: 'ann@example.com', server: 'trainer', status: 200},
		{event: 'file.write', user: 'ann@example.com', server: 'trainer'},
		{event: 'file.read', user: 'ann@example.com', server: 'trainer', status: 200},
		{event: 'key.refused', status: 401},
		{event: 'server.start', user: 'bob', server: 'trainer', status: 404},
		{event: 'service.end'},
	]);
	expect(events()[5]).not.toHaveProperty('user');
	expect(readFileSync(eventsFile, 'utf8')).not.toContain(SECRET);
	expect(statSync(eventsFile).mode & 0o777).toBe(0o600);
	await expect(fetch(metricsUrl)).rejects.toThrow('fetch failed');
});

test('an event log that was moved away is begun anew, and one that cannot be written stops nobody', async () => {
	using temp = tempFolder();
	const eventsFile = join(temp.path, 'events.jsonl');
	await using local = await localService({eventsFile});
	rmSync(eventsFile);
	await local.call('POST', '/api/servers', {...settings, server_name: 'one'});
	expect(readFileSync(eventsFile, 'utf8')).toContain('"server":"one"');
	rmSync(temp.path, {recursive: true});
	expect(await local.call('POST', '/api/servers', {...settings, server_name: 'two'})).toMatchObject({
		status: 202,
	});
	await expect(localService({eventsFile})).rejects.toThrow('The event log cannot be written');
});
