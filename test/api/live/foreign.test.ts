// Other programs may respond at a server's address. The client must not mistake them for Jupyter,
// and must send secrets no further than needed.
import type http from 'node:http';
import {expect, test} from 'vitest';
import {restrictedClient} from '../../../src/api/read-only.ts';
import {verdictOnAddress} from '../../../src/api/live/address.ts';
import {answering, CANARY, connect, httpPeer, rawPeer} from '../../support/peer.ts';

const TOKEN = 'server-token-0815';
const NONE: ReadonlySet<string> = new Set();
const STATUS = JSON.stringify({
	started: '2026-11-22T10:00:00Z',
	kernels: 0,
	connections: 0,
	last_activity: '',
});

/** Looks for Jupyter at an address that a service on this machine reports. */
const find = async (url: string | null, token: string | null = TOKEN) =>
	connect('http://127.0.0.1:9').live({url, token}, NONE);

const OTHER = 'its address is not a Jupyter server';
test.each([
	['404', 404, 'not here', {}, OTHER],
	['a login page', 200, '<html>Sign in</html>', {'content-type': 'text/html'}, OTHER],
	['another program', 200, '{"ok":true}', {}, OTHER],
	['a refusal', 403, '{"message":"Forbidden"}', {}, "its address rejected the service's token (403)"],
	[
		'a way elsewhere',
		302,
		'',
		{location: 'http://127.0.0.1:9/login'},
		'its address redirects, as to a login page',
	],
	['an error', 500, '{"message":"no"}', {}, 'its address responds with an error now (500)'],
	['a proxy with nothing behind it', 424, '', {}, 'its address responds with an error now (424)'],
] as const)('%s at the address of a server is no link', async (_, status, body, headers, says) => {
	await using peer = await answering(status, body, headers);
	expect(await find(`${peer.url}/user/u/welcome/`)).toEqual({
		says,
		mayPass: status === 500 || status === 424,
	});
	expect(peer.asked).toEqual(['GET /user/u/welcome/api/status']);
});

test('an empty and an endless response at the address of a server is not a link', async () => {
	expect(await find('http://127.0.0.1:9/')).toMatchObject({
		says: 'its address does not respond',
		mayPass: true,
	});
	await using hangsUp = await rawPeer(socket => socket.end('SSH-2.0-x\r\n'));
	expect(await find(`${hangsUp.url}/`)).toHaveProperty('says');
	await using endless = await httpPeer(response => {
		response.writeHead(200, {'content-type': 'application/json'});
		const more = (): void => {
			while (!response.destroyed && response.write('x'.repeat(1 << 16)));
		};
		response.on('drain', more);
		more();
	});
	expect(await find(`${endless.url}/`)).toHaveProperty('says');
	expect(await find(null)).toHaveProperty('says');
	expect(await find('http://127.0.0.1:9/', null)).toHaveProperty('says');
});

test('the token is sent in a header and in no address; the key, and secrets in the address, are not sent', async () => {
	const seen: http.IncomingMessage[] = [];
	await using peer = await httpPeer((response, request) => {
		seen.push(request);
		response.writeHead(200, {'content-type': 'application/json'}).end(STATUS);
	});
	const found = await find(`${peer.url}/a?token=${TOKEN}`);
	expect(found).toHaveProperty('live');
	expect(peer.asked).toEqual(['GET /a/api/status']);
	expect(seen[0]?.headers.authorization).toBe(`token ${TOKEN}`);
	expect(JSON.stringify(seen[0]?.rawHeaders)).not.toContain(JSON.stringify(CANARY).slice(1, -1));
});

test('a redirect gets no token', async () => {
	await using elsewhere = await answering(200, STATUS);
	await using peer = await answering(302, '', {location: `${elsewhere.url}/api/status`});
	expect(await find(`${peer.url}/`)).toHaveProperty('says');
	expect(elsewhere.asked).toEqual([]);
});

test('neither a read-only profile nor one with "live": false opens a link', async () => {
	await using peer = await answering(200, STATUS);
	const client = connect('http://127.0.0.1:9');
	for (const facts of [
		{serviceName: 'work', readOnly: true, live: true},
		{serviceName: 'work', readOnly: false, live: false},
	])
		expect(
			await restrictedClient(client, facts).live({url: `${peer.url}/`, token: TOKEN}, NONE),
		).toHaveProperty('says');
	expect(peer.asked).toEqual([]);
});

const SERVICE = 'https://nb.example.com/base';
const placeOf = (url: string, service = SERVICE, allowed: ReadonlySet<string> = NONE) =>
	verdictOnAddress(service, {url, token: TOKEN}, allowed);

test('an address of the service itself is spoken with, another origin once the user has allowed it', () => {
	expect(placeOf('https://nb.example.com/user/u/s?token=x#y')).toMatchObject({
		place: {url: new URL('https://nb.example.com/user/u/s/')},
	});
	const other = 'https://servers.example.net/s/';
	expect(placeOf(other)).toEqual({asks: 'https://servers.example.net'});
	expect(placeOf(other, SERVICE, new Set(['https://servers.example.net']))).toHaveProperty('place');
	expect(placeOf('https://nb.example.com:8443/')).toEqual({asks: 'https://nb.example.com:8443'});
	expect(placeOf('http://127.0.0.1:8888/', 'http://localhost:8765')).toHaveProperty('place');
});

test.each([
	'http://nb.example.com/user/u/s/',
	'https://127.0.0.1/',
	'https://localhost:8888/',
	'https://welcome.localhost/',
	'https://[::1]/',
	'https://[::ffff:127.0.0.1]/',
	'https://[fe80::1]/',
	'https://[fd00::1]/',
	'https://10.1.2.3/',
	'https://172.20.0.1/',
	'https://192.168.1.1/',
	'https://169.254.169.254/latest/',
	'https://0x7f.1/',
	'https://2130706433/',
	'ftp://nb.example.com/',
	'file:///etc/passwd',
	'not an address',
])('a service on the network cannot lead to %s', url => {
	expect(placeOf(url, SERVICE, new Set([URL.parse(url)?.origin ?? '']))).toHaveProperty('says');
});
