import {connect} from 'node:net';
import {expect, test} from 'vitest';
import {localService, readyService, settings} from '../support/local-service.ts';
import {rawRequest, requestBytes} from '../support/raw-request.ts';

const create = JSON.stringify({server_name: 'stolen', ...settings});
const form = 'server_name=stolen&environment=ai&port=8888&server_request=svc-medium';
const jsonType = {'Content-Type': 'application/json'};

/**
 * Requests that a web page in a browser on this machine can send. They have the headers that the
 * browser adds.
 */
test.each([
	[
		'a text/plain POST of JSON, which needs no permission',
		'POST /api/servers',
		{'Content-Type': 'text/plain', Origin: 'https://evil.test'},
		create,
		403,
	],
	[
		'the same from a browser that sends no Origin',
		'POST /api/servers',
		{'Content-Type': 'text/plain'},
		create,
		401,
	],
	[
		'a form',
		'POST /api/servers',
		{
			'Content-Type': 'application/x-www-form-urlencoded',
			Origin: 'https://evil.test',
			'Sec-Fetch-Site': 'cross-site',
		},
		form,
		403,
	],
	[
		'a form of a page without an origin',
		'POST /api/servers',
		{'Content-Type': 'application/x-www-form-urlencoded', Origin: 'null'},
		form,
		403,
	],
	[
		'the question whether it may send the key',
		'OPTIONS /api/servers',
		{
			Origin: 'https://evil.test',
			'Access-Control-Request-Method': 'POST',
			'Access-Control-Request-Headers': 'apikey,content-type',
		},
		'',
		403,
	],
	[
		'a POST by a name that now means this machine',
		'POST /api/servers',
		{...jsonType, Host: 'evil.test:PORT', Origin: 'http://evil.test:PORT'},
		create,
		403,
	],
	['a GET by such a name', 'GET /api/servers', {Host: 'evil.test:PORT'}, '', 403],
	['an image', 'GET /thumb/server.svg', {'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'image'}, '', 403],
	['an image of an old browser on a call', 'GET /api/servers', {}, '', 401],
	[
		'a script from another port of this machine',
		'GET /api/servers',
		{'Sec-Fetch-Site': 'same-site', Origin: 'http://127.0.0.1:3000'},
		'',
		403,
	],
	[
		'a key guessed by a page',
		'POST /api/servers',
		{...jsonType, apiKey: 'guess', Origin: 'https://evil.test'},
		create,
		403,
	],
])('a web page that sends %s changes nothing', async (_, line, headers, body, status) => {
	await using local = await localService();
	const {port} = local.service;
	const sent = Object.fromEntries(
		Object.entries({
			Host: '127.0.0.1:PORT',
			Connection: 'close',
			'Content-Length': body.length,
			...headers,
		}).map(([name, value]) => [name, String(value).replace('PORT', String(port))]),
	);
	const answer = await rawRequest(port, requestBytes(line, sent, body));
	expect(answer.status).toBe(status);
	expect(answer.head).not.toContain('access-control');
	expect((await local.call('GET', '/api/servers')).body['servers']).toMatchObject([
		{name: 'welcome', status: 'offline'},
	]);
});

test('with the right key a text/plain body is still refused', async () => {
	await using local = await localService();
	const answer = await rawRequest(
		local.service.port,
		requestBytes(
			'POST /api/servers',
			{
				Host: `127.0.0.1:${local.service.port}`,
				apiKey: local.key,
				Connection: 'close',
				'Content-Type': 'text/plain',
				'Content-Length': create.length,
			},
			create,
		),
	);
	expect(answer.status).toBe(415);
	expect(await local.state('stolen')).toBeUndefined();
});

test('a thousand wrong keys from another user of this machine get one text, and the owner is served all the time', async () => {
	await using local = await readyService();
	const texts = new Set<string>();
	const nearly = (turn: number): string =>
		[
			`${local.key.slice(0, -1)}${turn % 10}x`,
			local.key.slice(0, turn % 32),
			local.key.toUpperCase(),
			`${local.key} ${turn}`,
			'\u00ff',
		][turn % 5] ?? '';
	for (let turn = 0; turn < 1000; turn++) {
		const {status, text} = await local.call(
			'GET',
			['/api/servers', '/api/nope', '/local/lease', '/api/servers/welcome/files/README.md'][turn % 4] ?? '',
			undefined,
			{key: nearly(turn)},
		);
		expect(status).toBe(401);
		texts.add(text);
		if (turn % 100 === 0) expect((await local.call('GET', '/api/servers')).status).toBe(200);
	}
	expect([...texts]).toEqual([expect.stringContaining('The apiKey header is missing or wrong')]);
	expect((await local.call('GET', '/api/servers/welcome/files/README.md')).status).toBe(200);
});

test('a client that asks for another protocol and breaks the connection off ends nothing', async () => {
	await using local = await localService();
	const {port} = local.service;
	for (let round = 0; round < 40; round++) {
		for (const line of [
			'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
			'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
		]) {
			await new Promise<void>(resolve => {
				const socket = connect(port, '127.0.0.1', () => socket.write(line, () => socket.resetAndDestroy()));
				socket.on('error', () => undefined).on('close', () => resolve());
			});
		}
	}
	expect((await local.call('GET', '/api/servers')).status).toBe(200);
});
