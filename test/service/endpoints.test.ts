import {expect, test} from 'vitest';
import {localService, readyService, settings} from '../support/local-service.ts';

const fields = (value: unknown): string[] => Object.keys(value as object).sort();
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

test('creating a server returns 202 with exactly the fields of the API, and the server becomes ready', async () => {
	await using local = await localService();
	const {status, body} = await local.call('POST', '/api/servers', {
		server_name: 'trainer',
		...settings,
		port: 9000,
	});
	expect(status).toBe(202);
	expect(fields(body)).toEqual([
		'assistant_editor_url',
		'environment',
		'hourly_rate',
		'port',
		'port_forward_url',
		'server_name',
		'server_request',
		'status',
		'url',
	]);
	const base = local.service.url;
	expect(body).toEqual({
		status: 'success',
		server_name: 'trainer',
		environment: 'ai',
		port: 9000,
		server_request: 'svc-medium',
		hourly_rate: 0,
		port_forward_url: 'pending',
		url: `${base}/user/local@localhost/trainer/`,
		assistant_editor_url: `${base}/editor/trainer`,
	});
	await local.until('trainer', 'ready');
});

test('a port that is not named is 8888, and two servers may share it', async () => {
	await using local = await localService();
	const {environment, server_request} = settings;
	const {body} = await local.call('POST', '/api/servers', {
		server_name: 'other',
		environment,
		server_request,
	});
	expect(body['port']).toBe(8888);
});

test('starting a server returns 200 with exactly the fields of the API', async () => {
	await using local = await localService();
	const {status, body} = await local.call('POST', '/api/servers/welcome/start', {
		...settings,
		environment: 'pytorch',
		port: 1234,
	});
	expect(status).toBe(200);
	expect(fields(body)).toEqual([
		'assistant_editor_url',
		'environment',
		'hourly_rate',
		'message',
		'port',
		'port_forward_url',
		'server_name',
		'server_request',
		'status',
		'token',
		'url',
	]);
	expect(body).toMatchObject({
		status: 'success',
		server_name: 'welcome',
		environment: 'pytorch',
		port: 1234,
		token: null,
		port_forward_url: 'pending',
	});
	expect(body['message']).toContain('welcome');
});

test('the first list holds one server, welcome, offline, with exactly the fields of the API', async () => {
	await using local = await localService();
	const {status, body} = await local.call('GET', '/api/servers');
	expect(status).toBe(200);
	expect(fields(body)).toEqual(['servers', 'status']);
	expect(body['servers']).toEqual([
		{
			name: 'welcome',
			environment: 'ai',
			port: 8888,
			server_request: 'svc-medium',
			status: 'offline',
			token: null,
			thumb: '/thumb/server.svg',
			url: `${local.service.url}/user/local@localhost/welcome/`,
			assistant_editor_url: `${local.service.url}/editor/welcome`,
			port_forward_url: `${local.service.url}/forward/welcome`,
		},
	]);
});

test('the compute catalogue starts with its own options, followed by the offers', async () => {
	await using local = await localService();
	const {status, body} = await local.call('GET', '/api/compute');
	expect(status).toBe(200);
	expect(fields(body)).toEqual(['compute', 'status']);
	const compute = body['compute'] as Array<Record<string, unknown>>;
	expect(compute.slice(0, 4).map(option => [option['name'], 'compute_id' in option])).toEqual([
		['Medium CPU', false],
		['Large CPU', false],
		['XL CPU', false],
		['T4 (1x)', false],
	]);
	expect(compute.length).toBeGreaterThan(100);
});

test('the nine environments of the API come first, and then data', async () => {
	await using local = await localService();
	const {status, body} = await local.call('GET', '/api/environments');
	expect(status).toBe(200);
	expect(fields(body)).toEqual(['environments', 'status']);
	const environments = body['environments'] as Array<Record<string, unknown>>;
	expect(environments).toHaveLength(10);
	expect(environments[0]).toMatchObject({environment_id: 'ai'});
	expect(environments[9]).toMatchObject({environment_id: 'data'});
});

const entry = [
	'content',
	'created',
	'format',
	'last_modified',
	'mimetype',
	'name',
	'path',
	'serverPath',
	'size',
	'type',
	'writable',
];

test('a file that was put comes back with its text; the answer to the put holds no content', async () => {
	await using local = await readyService();
	const put = await local.call('PUT', '/api/servers/welcome/files/notes/a%20b.txt', {
		content: 'abcd',
		format: 'text',
		type: 'file',
	});
	expect(put.status).toBe(200);
	expect(fields(put.body)).toEqual(['content', 'status']);
	expect(fields(put.body['content'])).toEqual(entry);
	expect(put.body['content']).toMatchObject({
		name: 'a b.txt',
		path: 'notes/a b.txt',
		serverPath: 'notes/a b.txt',
		type: 'file',
		content: null,
		format: null,
		mimetype: 'text/plain',
		size: 4,
		writable: true,
	});
	const got = await local.call('GET', '/api/servers/welcome/files/notes/a%20b.txt');
	expect(got.status).toBe(200);
	expect(fields(got.body['content'])).toEqual(entry);
	expect(got.body['content']).toMatchObject({
		content: 'abcd',
		format: 'text',
		created: expect.stringMatching(timestamp),
		last_modified: expect.stringMatching(timestamp),
	});
});

test('the empty path lists the files of the welcome server', async () => {
	await using local = await readyService();
	const {status, body} = await local.call('GET', '/api/servers/welcome/files/');
	expect(status).toBe(200);
	const {content} = body['content'] as {content: Array<{name: string}>};
	expect(content.map(({name}) => name).sort()).toEqual(['README.md', 'data', 'prices.ipynb', 'src']);
	const notebook = await local.call('GET', '/api/servers/welcome/files/prices.ipynb');
	expect(JSON.stringify(notebook.body['content'])).toContain('nbformat');
});

test('running code answers the executed cell', async () => {
	await using local = await readyService();
	const {status, body} = await local.call('POST', '/api/servers/welcome/run-code', {
		code: 'x = 42\nprint x',
		kernel_name: 'python3',
	});
	expect(status).toBe(200);
	expect(body).toEqual({
		status: 'success',
		content: {
			cell_type: 'code',
			execution_count: 1,
			metadata: {},
			source: 'x = 42\nprint x',
			outputs: [{output_type: 'stream', name: 'stdout', text: '42\n'}],
		},
	});
});

test('every address handed out responds without a key, reveals nothing and is not a web page', async () => {
	await using local = await localService();
	const {body} = await local.call('GET', '/api/servers');
	const [server] = body['servers'] as Array<Record<string, string>>;
	for (const field of ['url', 'assistant_editor_url', 'port_forward_url']) {
		const answer = await fetch(server?.[field] ?? '');
		expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
		const text = await answer.text();
		expect(text).toContain('svc-tui run');
		expect(text).toBe(await (await fetch(`${local.service.url}/editor/no-such-server`)).text());
	}
	const thumb = await fetch(local.service.url + server?.['thumb']);
	expect([thumb.status, thumb.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
});

test('every response, regardless of status, forbids caching, guessing, framing and sharing, never redirects and is never a web page', async () => {
	await using local = await readyService();
	const text = {type: 'file', format: 'text', content: 'x'};
	const calls: ReadonlyArray<readonly [status: number, method: string, path: string, body?: unknown]> = [
		[200, 'GET', '/api/servers'],
		[200, 'GET', '/api/compute'],
		[200, 'GET', '/api/environments'],
		[200, 'GET', '/api/servers/welcome/files/README.md'],
		[200, 'PUT', '/api/servers/welcome/files/a.html', text],
		[200, 'GET', '/api/servers/welcome/files/a.html'],
		[202, 'POST', '/api/servers', {server_name: 'another', ...settings}],
		[409, 'POST', '/api/servers/welcome/start', settings],
		[200, 'POST', '/api/servers/welcome/run-code', {code: 'x = 1', kernel_name: 'python3'}],
		[400, 'POST', '/api/servers/welcome/run-code', {}],
		[200, 'POST', '/api/assistant/welcome/model_2', {messages: [{role: 'user', content: 'len'}]}],
		[404, 'POST', '/api/assistant/welcome/model_9', {messages: [{role: 'user', content: 'len'}]}],
		[200, 'GET', '/user/a/b/'],
		[200, 'GET', '/editor/welcome'],
		[200, 'GET', '/forward/welcome'],
		[200, 'GET', '/thumb/server.svg'],
		[404, 'GET', '/api/nope'],
		[404, 'GET', '/'],
		[404, 'GET', '/favicon.ico'],
		[404, 'GET', '/user/a/b'],
		[405, 'DELETE', '/api/servers'],
	];
	for (const [status, method, path, body] of calls) {
		const {headers, status: answered} = await local.call(method, path, body);
		expect([method, path, answered]).toEqual([method, path, status]);
		expect(headers.get('content-type')).toMatch(/^(application\/json|text\/plain|image\/svg\+xml)\b/);
		for (const name of ['location', 'set-cookie', 'refresh', 'server', 'x-powered-by'])
			expect([name, headers.get(name)]).toEqual([name, null]);
		expect(headers.get('cache-control')).toBe('no-store');
		expect(headers.get('x-content-type-options')).toBe('nosniff');
		expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
		expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
		expect(headers.get('access-control-allow-origin')).toBeNull();
	}
});
