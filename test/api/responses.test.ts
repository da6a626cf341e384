import {describe, expect, test} from 'vitest';
import {explainFailure, type Failure} from '../../src/api/failure.ts';
import {answering, connect, drip, httpPeer, limited, rawPeer} from '../support/peer.ts';
import {valueOf} from './describe-client.ts';

const CREATE = {environment: 'ai', port: 8888, server_name: 'trainer', server_request: 'svc-medium'};
const SERVER = {
	name: 'a',
	environment: 'ai',
	port: 1,
	server_request: 'svc-medium',
	status: 'ready',
	assistant_editor_url: 'https://e/a',
	port_forward_url: 'https://f',
	url: 'https://l/a',
	thumb: '/t.png',
	token: null,
};

/** Failure of listing the servers if the service sends this response. */
const listed = async (...[status, body, headers]: Parameters<typeof answering>): Promise<Failure> => {
	await using peer = await answering(status, body, headers);
	const reply = await connect(peer.url).servers();
	if (reply.ok) throw new Error('the call did not fail');
	expect(peer.asked).toHaveLength(1);
	const {curl, message, ...failure} = reply.failure;
	expect(curl).toBe(`curl '${peer.url}/api/servers' -H "apiKey: $SVC_API_KEY"`);
	return {...failure, message: message.replace(new URL(peer.url).host, 'HOST')};
};

test.each([
	[502, 'server', 'HOST is unavailable (502).'],
	[503, 'server', 'HOST is unavailable (503).'],
	[504, 'server', 'HOST is unavailable (504).'],
	[500, 'server', 'HOST failed (500).'],
	[401, 'auth', 'HOST rejected the API key (401).'],
	[403, 'auth', 'HOST rejected the API key (403).'],
	[404, 'not-found', 'HOST has no /api/servers (404).'],
	[409, 'conflict', 'HOST cannot do that now (409).'],
	[413, 'upload-too-large', 'HOST rejected the request as too large (413).'],
	[429, 'rate-limited', 'HOST asks for fewer requests (429).'],
	[400, 'refused', 'HOST rejected the request (400).'],
	[422, 'refused', 'HOST rejected the request (422).'],
])('status %i is reported as %s, after a single request', async (status, kind, message) => {
	expect(await listed(status)).toEqual({
		kind,
		method: 'GET',
		path: '/api/servers',
		status,
		message,
		...(status === 404 && {advice: expect.stringContaining('base URL')}),
	});
});

test('a forbidden file does not put the key in question', async () => {
	await using peer = await answering(403, '{"message":"That is a link out of the folder."}');
	expect(await connect(peer.url).getFile('s', 'link')).toMatchObject({
		failure: {kind: 'refused', status: 403, message: expect.stringContaining('a link out of the folder.')},
	});
});

test('an action that a valid key may not do is named, and the key is not put in question', async () => {
	await using peer = await answering(403, '{"message":"Your plan ends here."}');
	const client = connect(peer.url);
	const {host} = new URL(peer.url);
	const replies = {
		'list the compute options': await client.compute(),
		'list the environments': await client.environments(),
		'create this server': await client.createServer(CREATE),
		'start my trainer': await client.startServer('my trainer', CREATE),
		'run code on trainer': await client.runCode('trainer', {code: '1', kernel_name: 'python3'}),
		'ask model_2 on trainer': await client.chat('trainer', 'model_2', [{role: 'user', content: 'hi'}]),
		'read a/b c.txt': await client.getFile('trainer', 'a/b c.txt'),
		'write a.txt': await client.putFile('trainer', 'a.txt', {content: '', format: 'text', type: 'file'}),
		'send GET /api/quota?x=1': await client.call({method: 'GET', path: '/api/quota?x=1'}),
		'send DELETE /api/servers/trainer': await client.call({method: 'DELETE', path: '/api/servers/trainer'}),
	};
	for (const [action, reply] of Object.entries(replies)) {
		expect(reply, action).toMatchObject({
			ok: false,
			failure: {
				kind: 'refused',
				message: `${host} does not allow you to ${action} (403): Your plan ends here.`,
			},
		});
		expect(reply.ok ? '' : explainFailure(reply.failure).next).not.toMatch(/\bkey\b/i);
	}
});

test.each([
	['5', 5],
	['86400', 86_400],
	[' 7 ', 7],
	['soon', undefined],
	['-3', undefined],
	['1e9', undefined],
	['', undefined],
	[new Date(Date.now() - 60_000).toUTCString(), 0],
])('a request to wait %j is understood', async (retryAfter, seconds) => {
	expect((await listed(429, '', {'retry-after': retryAfter})).retryAfter).toBe(seconds);
});

test('a request to wait until a time is understood as seconds from now', async () => {
	const {retryAfter} = await listed(503, '', {'retry-after': new Date(Date.now() + 3_600_000).toUTCString()});
	expect(retryAfter).toBeGreaterThan(3500);
	expect(retryAfter).toBeLessThanOrEqual(3600);
});

describe('a redirect', () => {
	test.each([301, 302, 303, 307, 308])(
		'%i to another origin is not followed: it sees no request',
		async status => {
			await using other = await answering(200, '{"status":"success","servers":[]}');
			await using peer = await answering(status, '', {location: `${other.url}/login?token=secret`});
			const {host} = new URL(peer.url);
			for (const reply of [
				await connect(peer.url).servers(),
				await connect(peer.url).createServer(CREATE),
				await connect(peer.url).chat('s', 'model_2', [{role: 'user', content: 'hi'}]),
			]) {
				expect(reply).toMatchObject({
					ok: false,
					failure: {
						kind: 'redirect',
						status,
						message: `${host} redirects to ${other.url} (${status}). Not followed: the API key would be sent there.`,
					},
				});
			}
			expect(other.accepted()).toBe(0);
		},
	);

	test.each(['/api/servers/', 'servers/', '?'])(
		'to itself as %j puts the base URL in question, not a name',
		async location => {
			await using peer = await answering(307, '', {location});
			const reply = await connect(peer.url).servers();
			const {host} = new URL(peer.url);
			expect(reply).toMatchObject({
				failure: {kind: 'redirect', message: `${host} redirects /api/servers to itself (307).`},
			});
			expect(reply.ok ? '' : explainFailure(reply.failure).next).toBe(
				`The base URL ${peer.url} is probably wrong. Give the service address without /api, e.g. https://host or https://host/base.`,
			);
		},
	);

	test.each(['/elsewhere', undefined, 'http://['])('to %j is not followed either', async location => {
		const failure = await listed(302, '', location === undefined ? {} : {location});
		expect(failure).toMatchObject({kind: 'redirect', status: 302});
		expect(failure).not.toHaveProperty('body');
	});
});

describe('an error', () => {
	test.each([
		['{"message":"The disk is\\nfull."}'],
		['{"error":"The disk is full."}'],
		['{"error":{"message":"The disk is full."}}'],
		['{"detail":"The disk is full."}'],
	])("with the body %s is reported in the service's words", async body => {
		expect(await listed(500, body)).toMatchObject({message: 'HOST failed (500): The disk is full.', body});
	});

	test.each([
		['The disk is full.', 'text/plain'],
		['<p>The disk is <b>full</b>.</p>', 'text/html'],
		['{"detail":[{"msg":"The disk is full."}]}', 'application/json'],
	])('with the body %s gives the reason as text', async (body, type) => {
		expect(await listed(500, body, {'content-type': type})).toMatchObject({
			message: 'HOST failed (500): The disk is full.',
			reason: 'The disk is full.',
			body,
		});
	});

	test('without a body is explained by the status phrase, where it is not the usual one', async () => {
		await using peer = await rawPeer(socket =>
			socket.once('data', () => socket.end('HTTP/1.1 402 Add a card first\r\ncontent-length: 0\r\n\r\n')),
		);
		expect(await connect(peer.url).createServer(CREATE)).toMatchObject({
			failure: {kind: 'refused', status: 402, reason: 'Add a card first'},
		});
	});

	test.each(['\u001b]0;title\u0007', '{"message":7}', '[]', 'null'])(
		'with the body %j is reported by its status, and keeps the body as it came',
		async body => {
			expect(await listed(500, body)).toMatchObject({message: 'HOST failed (500).', body});
		},
	);

	test('with a large body keeps the first 2 KB', async () => {
		expect((await listed(500, 'x'.repeat(300_000))).body).toBe('x'.repeat(2048));
	});

	test('with an endless body does not hold the program up', async () => {
		await using peer = await httpPeer(response => {
			response.writeHead(500);
			drip(response, 'x');
		});
		const reply = await connect(peer.url, limited({errorBody: 100})).runCode('s', {
			code: '1',
			kernel_name: 'python3',
		});
		expect(reply).toMatchObject({
			ok: false,
			failure: {kind: 'server', status: 500, body: expect.stringMatching(/^x+$/)},
		});
		await expect.poll(peer.open).toBe(0);
	});

	test('whose body breaks off is explained by its status', async () => {
		await using peer = await httpPeer(response => {
			response.writeHead(409, {'content-length': 100}).write('half', () => response.destroy());
		});
		expect(await connect(peer.url).servers()).toMatchObject({failure: {kind: 'conflict', status: 409}});
	});
});

test('the status phrase is never shown', async () => {
	await using peer = await rawPeer(socket =>
		socket.once('data', () => socket.end('HTTP/1.1 500 \x1b]0;evil\x07oops\r\ncontent-length: 0\r\n\r\n')),
	);
	const reply = await connect(peer.url).servers();
	expect(reply).toMatchObject({ok: false});
	expect(JSON.stringify(reply)).not.toMatch(/evil|oops|u001b/);
});

describe('an answer of 200', () => {
	test.each([
		[
			'F15 that is a web page',
			'<!doctype html><p>Log in',
			{'content-type': 'text/html; charset=utf-8'},
			'HOST sent a web page instead of JSON.',
		],
		['F15 that is a web page by its looks', '\n<html>', {}, 'HOST sent a web page instead of JSON.'],
		['F16 that is empty', '', {}, 'HOST sent an empty response.'],
		[
			'F16 that is half of its JSON',
			'{"status":"success","servers":[',
			{},
			'HOST sent something that is not JSON.',
		],
		[
			'F16 that is no object',
			'[1]',
			{},
			'HOST sent an unexpected response: response (Invalid input: expected object, received array).',
		],
		[
			'F16 without its list',
			'{"status":"success"}',
			{},
			'HOST sent an unexpected response: servers (Invalid input: expected array, received undefined).',
		],
		[
			'that is no success',
			'{"status":"error","message":"Not today.","servers":[]}',
			{},
			'HOST responded with status "error" instead of "success": Not today.',
		],
	])('%s is off the contract', async (_, body, headers, message) => {
		expect(await listed(200, body, headers)).toEqual({
			kind: 'off-contract',
			method: 'GET',
			path: '/api/servers',
			status: 200,
			message,
			...(body && {body}),
			...(body.includes('Not today') && {
				reason: 'Not today.',
				advice: 'Correct the request, then try again.',
			}),
		});
	});

	test.each([
		[
			'{"status":"Payment required: add a card"}',
			'responded with status "Payment required: add a card" instead of "success".',
		],
		['{"status":"failed"}', 'responded with status "failed" instead of "success".'],
		[
			'{"status":"failed","detail":"no card"}',
			'responded with status "failed" instead of "success": no card',
		],
		['{"error":"no card"}', 'responded with an error: no card'],
		['{"status":null,"errors":[{"message":"no card"}]}', 'responded with an error: no card'],
		['{"success":false,"message":"no card"}', 'responded that it did not succeed: no card'],
		['{"status":402,"message":"no card"}', 'responded with status 402 in its body: no card'],
	])(
		'%s is a refusal in the words of the service, and puts no address in question',
		async (body, message) => {
			await using peer = await answering(200, body);
			const {host} = new URL(peer.url);
			const client = connect(peer.url);
			for (const reply of [await client.servers(), await client.createServer(CREATE)]) {
				if (reply.ok) throw new Error('the call did not fail');
				expect(reply.failure.message).toBe(`${host} ${message}`);
				const {what, next} = explainFailure(reply.failure);
				expect(what).not.toContain('taken effect');
				expect(next).not.toContain('base URL');
			}
			const asked = await client.chat('s', 'model_2', [{role: 'user', content: 'hi'}]);
			if (message.includes('card')) expect(asked).toMatchObject({failure: {message: `${host} ${message}`}});
			else expect(asked).toMatchObject({ok: false});
		},
	);

	test('with an error field that is empty is none', async () => {
		for (const error of ['null', '""', '[]', '{}', 'false']) {
			await using peer = await answering(200, `{"error":${error},"servers":[]}`);
			expect(valueOf(await connect(peer.url).servers()).items).toEqual([]);
			expect(await connect(peer.url).createServer(CREATE)).toMatchObject({ok: true});
		}
	});

	test('with one unreadable server of fifty shows the others', async () => {
		const servers = Array.from({length: 50}, (_, index) =>
			index === 7 ? {port: 1} : {...SERVER, name: `s${index}`},
		);
		await using peer = await answering(200, JSON.stringify({status: 'success', servers}));
		const {items, unreadable, raw} = valueOf(await connect(peer.url).servers());
		expect(items.map(item => item.name)).toEqual(
			servers.map(server => ('name' in server ? server.name : undefined)).filter(name => name !== undefined),
		);
		expect(unreadable).toBe(1);
		expect(raw).toEqual(servers);
	});

	test('with unknown states, missing addresses, strange names and new fields is shown unchanged', async () => {
		const {url: _, token: __, thumb: ___, ...less} = SERVER;
		const servers = [
			{...less, status: 'hibernating', port_forward_url: null, gpu: {new: true}},
			{...SERVER, name: '__proto__'},
			{...SERVER, name: '\u001b[2J'},
		];
		await using peer = await answering(200, JSON.stringify({status: 'success', servers, next: null}));
		expect(valueOf(await connect(peer.url).servers())).toEqual({items: servers, unreadable: 0, raw: servers});
	});

	test('with two regions that differ in case keeps both', async () => {
		const availability = [
			{available: true, region: 'eu'},
			{available: false, region: 'EU'},
		];
		const compute = [
			{
				name: 'H100',
				cloud_host: 'h',
				compute_id: 'h-H100x1',
				cpus: 1,
				memory: '1G',
				num_gpus: 1,
				vram_per_gpu: '80G',
				total_vram: '80G',
				hourly_price: 1,
				availability,
			},
		];
		await using peer = await answering(200, JSON.stringify({status: 'success', compute}));
		expect(valueOf(await connect(peer.url).compute()).items[0]?.availability).toEqual(availability);
	});

	test('with a byte order mark or in gzip is read', async () => {
		await using peer = await answering(200, '\ufeff{"status":"success","servers":[]}');
		expect(valueOf(await connect(peer.url).servers()).items).toEqual([]);
	});
});

describe('a list that is not there', () => {
	test('puts the base URL in question, a missing server does not', async () => {
		await using peer = await answering(404);
		const client = connect(`${peer.url}/wrong`);
		for (const reply of [await client.servers(), await client.compute(), await client.createServer(CREATE)]) {
			expect(reply.ok ? '' : explainFailure(reply.failure).next).toContain(
				`The base URL ${peer.url}/wrong is probably wrong`,
			);
		}
		const reply = await client.getFile('s', 'a');
		expect(reply.ok ? '' : explainFailure(reply.failure)).toEqual({
			what: expect.stringContaining('does not know that name'),
			next: expect.not.stringContaining('base URL'),
		});
	});
});

test.each([
	[400, false],
	[402, false],
	[408, false],
	[409, false],
	[413, false],
	[429, false],
	[499, false],
	[500, true],
	[501, false],
	[502, true],
	[503, true],
	[504, true],
	[505, false],
	[507, false],
	[508, false],
	[511, false],
	[520, true],
	[521, false],
	[524, true],
	[526, false],
])('a change that is answered with %i may have been carried out: %s', async (status, maybe) => {
	await using peer = await answering(status);
	const reply = await connect(peer.url).createServer(CREATE);
	expect(reply.ok ? '' : explainFailure(reply.failure).what.includes('taken effect')).toBe(maybe);
});

test('a change that is answered with 503 and a time to wait was not carried out', async () => {
	await using peer = await answering(503, '', {'retry-after': '5'});
	expect(await connect(peer.url).createServer(CREATE)).not.toHaveProperty('failure.ambiguous');
});
