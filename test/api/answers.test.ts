import {describe, expect, test} from 'vitest';
import type {Failure} from '../../src/api/failure.ts';
import {answering, connect, drip, httpPeer, limited, rawPeer} from '../support/peer.ts';
import {valueOf} from './describe-client.ts';

const CREATE = {environment: 'ai', port: 8888, server_name: 'trainer', server_request: 'svc-medium'};
const SERVER = {name: 'a', environment: 'ai', port: 1, server_request: 'svc-medium', status: 'ready', assistant_editor_url: 'https://e/a', port_forward_url: 'https://f', url: 'https://l/a', thumb: '/t.png', token: null};

/** What comes of the list of servers when the service answers so. */
const listed = async (...[status, body, headers]: Parameters<typeof answering>): Promise<Failure> => {
	await using peer = await answering(status, body, headers);
	const reply = await connect(peer.url).servers();
	if (reply.ok) throw new Error('the call did not fail');
	expect(peer.asked).toHaveLength(1);
	return {...reply.failure, message: reply.failure.message.replace(new URL(peer.url).host, 'HOST')};
};

test.each([
	[502, 'server', 'HOST is unavailable (502).'], [503, 'server', 'HOST is unavailable (503).'], [504, 'server', 'HOST is unavailable (504).'], [500, 'server', 'HOST failed (500).'],
	[401, 'auth', 'HOST rejects the key (401).'], [403, 'auth', 'HOST rejects the key (403).'], [404, 'not-found', 'HOST has nothing of that name (404).'],
	[409, 'conflict', 'HOST cannot do that now (409).'], [413, 'upload-too-large', 'HOST does not take that much (413).'], [429, 'rate-limited', 'HOST asks for fewer requests (429).'],
	[400, 'refused', 'HOST refuses the request (400).'], [422, 'refused', 'HOST refuses the request (422).'],
])('F6 F8 status %i is told as %s, once', async (status, kind, message) => {
	expect(await listed(status)).toEqual({kind, method: 'GET', path: '/api/servers', status, message});
});

test('F8 a file that is out of bounds does not put the key in question', async () => {
	await using peer = await answering(403, '{"message":"That is a link out of the folder."}');
	expect(await connect(peer.url).getFile('s', 'link')).toMatchObject({failure: {kind: 'refused', status: 403, message: expect.stringContaining('a link out of the folder.')}});
});

test.each([
	['5', 5], ['86400', 86_400], [' 7 ', 7], ['soon', undefined], ['-3', undefined], ['1e9', undefined], ['', undefined], [new Date(Date.now() - 60_000).toUTCString(), 0],
])('F7 a request to wait %j is understood', async (retryAfter, seconds) => {
	expect((await listed(429, '', {'retry-after': retryAfter})).retryAfter).toBe(seconds);
});

test('F7 a request to wait until a time is understood as seconds from now', async () => {
	const {retryAfter} = await listed(503, '', {'retry-after': new Date(Date.now() + 3_600_000).toUTCString()});
	expect(retryAfter).toBeGreaterThan(3500);
	expect(retryAfter).toBeLessThanOrEqual(3600);
});

describe('F12 a redirect', () => {
	test.each([301, 302, 303, 307, 308])('%i to another origin is not followed: it sees no request', async (status) => {
		await using other = await answering(200, '{"status":"success","servers":[]}');
		await using peer = await answering(status, '', {location: `${other.url}/login?token=secret`});
		const {host} = new URL(peer.url);
		for (const reply of [await connect(peer.url).servers(), await connect(peer.url).createServer(CREATE), await connect(peer.url).chat('s', 'model_2', [{role: 'user', content: 'hi'}])]) {
			expect(reply).toMatchObject({ok: false, failure: {kind: 'redirect', status, message: `${host} redirects to ${other.url} (${status}): not followed, since the key would go along.`}});
		}
		expect(other.accepted()).toBe(0);
	});

	test.each(['/elsewhere', undefined, 'http://['])('to %j is not followed either', async (location) => {
		const failure = await listed(302, '', location === undefined ? {} : {location});
		expect(failure).toMatchObject({kind: 'redirect', status: 302});
		expect(failure).not.toHaveProperty('body');
	});
});

describe('F13 an error', () => {
	test.each([
		['{"message":"The disk is full.\\nsecond line"}'], ['{"error":"The disk is full."}'], ['{"error":{"message":"The disk is full."}}'], ['{"detail":"The disk is full."}'],
	])('with the body %s is told in the service\'s words', async (body) => {
		expect(await listed(500, body)).toMatchObject({message: 'HOST failed (500): The disk is full.', body});
	});

	test.each(['<html>no</html>', '\u001b]0;title\u0007', '{"message":7}', '[]', 'null'])('with the body %j is told by its status, and keeps the body as it came', async (body) => {
		expect(await listed(500, body)).toMatchObject({message: 'HOST failed (500).', body});
	});

	test('with a large body keeps the first 2 KB', async () => {
		expect((await listed(500, 'x'.repeat(300_000))).body).toBe('x'.repeat(2048));
	});

	test('with an endless body does not hold the program up', async () => {
		await using peer = await httpPeer((response) => {
			response.writeHead(500);
			drip(response, 'x');
		});
		const reply = await connect(peer.url, limited({errorBody: 100})).runCode('s', {code: '1', kernel_name: 'python3'});
		expect(reply).toMatchObject({ok: false, failure: {kind: 'server', status: 500, body: expect.stringMatching(/^x+$/)}});
		await expect.poll(peer.open).toBe(0);
	});

	test('whose body breaks off is told by its status', async () => {
		await using peer = await httpPeer((response) => {
			response.writeHead(409, {'content-length': 100}).write('half', () => response.destroy());
		});
		expect(await connect(peer.url).servers()).toMatchObject({failure: {kind: 'conflict', status: 409}});
	});
});

test('F14 the words beside a status are never told', async () => {
	await using peer = await rawPeer((socket) => socket.once('data', () => socket.end('HTTP/1.1 500 \x1b]0;evil\x07oops\r\ncontent-length: 0\r\n\r\n')));
	const reply = await connect(peer.url).servers();
	expect(reply).toMatchObject({ok: false});
	expect(JSON.stringify(reply)).not.toMatch(/evil|oops|u001b/);
});

describe('an answer of 200', () => {
	test.each([
		['F15 that is a web page', '<!doctype html><p>Log in', {'content-type': 'text/html; charset=utf-8'}, 'HOST sent a web page instead of JSON.'],
		['F15 that is a web page by its looks', '\n<html>', {}, 'HOST sent a web page instead of JSON.'],
		['F16 that is empty', '', {}, 'HOST sent an empty answer.'],
		['F16 that is half of its JSON', '{"status":"success","servers":[', {}, 'HOST sent something that is not JSON.'],
		['F16 that is no object', '[1]', {}, 'HOST sent an unexpected answer: the whole (Invalid input: expected object, received array).'],
		['F16 without its list', '{"status":"success"}', {}, 'HOST sent an unexpected answer: servers (Invalid input: expected array, received undefined).'],
		['that is no success', '{"status":"error","message":"Not today.","servers":[]}', {}, 'HOST answered with status "error" instead of "success": Not today.'],
		['without a status', '{"servers":[]}', {}, 'HOST sent an unexpected answer: status (Invalid input: expected "success").'],
	])('%s is off the contract', async (_, body, headers, message) => {
		expect(await listed(200, body, headers)).toEqual({kind: 'off-contract', method: 'GET', path: '/api/servers', status: 200, message, ...(body && {body})});
	});

	test('F16 with many fields that do not fit names the first three, and no value', async () => {
		await using peer = await answering(202, '{"status":"success","server_name":1,"environment":2,"port":"secret","server_request":4,"hourly_rate":"5"}');
		const reply = await connect(peer.url).createServer(CREATE);
		expect(reply).toMatchObject({ok: false, failure: {kind: 'off-contract', ambiguous: true, message: expect.stringMatching(/server_name .*, environment .*, port /)}});
		expect(!reply.ok && reply.failure.message).not.toMatch(/secret|server_request|hourly_rate/);
	});

	test('F17 with one server of fifty that cannot be read shows the other ones', async () => {
		const servers = Array.from({length: 50}, (_, index) => (index === 7 ? {name: 'broken'} : {...SERVER, name: `s${index}`}));
		await using peer = await answering(200, JSON.stringify({status: 'success', servers}));
		const {items, unreadable, raw} = valueOf(await connect(peer.url).servers());
		expect(items.map((item) => item.name)).toEqual(servers.map((server) => server.name).filter((name) => name !== 'broken'));
		expect(unreadable).toBe(1);
		expect(raw).toEqual(servers);
	});

	test('F18 F26 with unknown states, missing addresses, strange names and new fields is shown as it is', async () => {
		const {url: _, token: __, thumb: ___, ...less} = SERVER;
		const servers = [{...less, status: 'hibernating', port_forward_url: null, gpu: {new: true}}, {...SERVER, name: '__proto__'}, {...SERVER, name: '\u001b[2J'}];
		await using peer = await answering(200, JSON.stringify({status: 'success', servers, next: null}));
		expect(valueOf(await connect(peer.url).servers())).toEqual({items: servers, unreadable: 0, raw: servers});
	});

	test('F19 with two regions that differ in case keeps both', async () => {
		const availability = [{available: true, region: 'eu'}, {available: false, region: 'EU'}];
		const compute = [{name: 'H100', cloud_host: 'h', compute_id: 'h-H100x1', cpus: 1, memory: '1G', num_gpus: 1, vram_per_gpu: '80G', total_vram: '80G', hourly_price: 1, availability}];
		await using peer = await answering(200, JSON.stringify({status: 'success', compute}));
		expect(valueOf(await connect(peer.url).compute()).items[0]?.availability).toEqual(availability);
	});

	test('with a byte order mark or in gzip is read', async () => {
		await using peer = await answering(200, '\ufeff{"status":"success","servers":[]}');
		expect(valueOf(await connect(peer.url).servers()).items).toEqual([]);
	});
});
