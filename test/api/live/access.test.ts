// When a server's own address rejects the token, the client requests a new one from the service.
import {expect, test} from 'vitest';
import type {Live} from '../../../src/api/client-types.ts';
import {json, serverItem, startHostileService, success} from '../../faults/hostile-service.ts';
import {connect, httpPeer, type Peer} from '../../support/peer.ts';

const STATUS = {started: '2026-11-22T10:00:00Z', kernels: 0, connections: 0, last_activity: ''};

/**
 * A Jupyter Server that accepts one token, which can change. It records the token of each request.
 */
const changing = async (): Promise<Peer & {token: string; readonly came: string[]}> => {
	const came: string[] = [];
	const peer = await httpPeer((response, {method, headers}) => {
		const token = String(headers.authorization).replace(/^token /, '');
		came.push(`${method} ${token}`);
		response.writeHead(token === server.token ? 200 : 403, {'content-type': 'application/json'});
		response.end(JSON.stringify(token === server.token ? STATUS : {message: 'Forbidden'}));
	});
	const server = Object.assign(peer, {token: 'first', came});
	return server;
};
const linkTo = async (service: string, url: string): Promise<Live> => {
	const found = await connect(service).live({url, token: 'first'}, new Set());
	if (!('live' in found)) throw new Error(JSON.stringify(found));
	return found.live;
};
const listing = (url: string, token: string | null, more: object = {}) =>
	success({
		servers: [
			serverItem('other', {url: `${url}/other/`, token: 'of-another'}),
			serverItem('a', {url, token, ...more}),
		],
	});

test('the service gives the next token, and the rejected request is sent once more with it', async () => {
	await using server = await changing();
	const url = `${server.url}/user/a/`;
	await using service = await startHostileService({servers: () => listing(url, 'second')});
	const live = await linkTo(service.baseUrl, url);
	expect(service.asked).toEqual([]);
	server.token = 'second';
	expect(await live.kernels.interrupt('k')).toEqual({ok: true, value: null});
	expect(server.came.slice(1)).toEqual(['POST first', 'POST second']);
	expect(await live.kernels.interrupt('k')).toEqual({ok: true, value: null});
	expect(server.came.slice(3)).toEqual(['POST second']);
	expect(service.asked).toEqual(['GET /api/servers']);
	live.close();
});

test.each([
	['has no other', (url: string) => listing(url, 'first')],
	['has none', (url: string) => listing(url, null)],
	['calls it offline', (url: string) => listing(url, 'second', {status: 'offline'})],
	['tells the token of another place', (url: string) => listing(`${url}x`, 'second')],
	['cannot answer', () => json({}, 503)],
] as const)(
	'if the service %s the rejection stays, and the service is not asked at each',
	async (_, answer) => {
		await using server = await changing();
		const url = `${server.url}/user/a/`;
		await using service = await startHostileService({servers: () => answer(url)});
		const live = await linkTo(service.baseUrl, url);
		server.token = 'second';
		for (let times = 0; times < 3; times++)
			expect(await live.kernels.interrupt('k')).toMatchObject({
				ok: false,
				failure: {kind: 'refused', status: 403},
			});
		expect(new Set(server.came)).toEqual(new Set(['GET first', 'POST first']));
		expect(service.asked).toEqual(['GET /api/servers']);
		live.close();
	},
);
