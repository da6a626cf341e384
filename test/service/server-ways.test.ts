import http, {type IncomingHttpHeaders} from 'node:http';
import type {AddressInfo} from 'node:net';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {serverPath} from '../../src/service/forward/server-routes.ts';
import {localService, settings, type LocalService} from '../support/local-service.ts';
import {rawRequest, requestBytes} from '../support/raw-request.ts';
import {createTinyEngine} from '../support/tiny-engine.ts';
import {waitFor} from '../support/wait-for.ts';

describe('the target of a path', () => {
	test.each([
		['/user/a@b.c/lab/api/status', {user: 'a@b.c', name: 'lab', rest: 'api/status'}],
		['/user/a%40b.c/lab/api', {user: 'a@b.c', name: 'lab', rest: 'api'}],
		[
			'/user/a/lab/api/contents/a%20b?content=0',
			{user: 'a', name: 'lab', rest: 'api/contents/a%20b?content=0'},
		],
		['/user/a/lab/terminals/websocket/1', {user: 'a', name: 'lab', rest: 'terminals/websocket/1'}],
	])('%s is of a server', (target, expected) => {
		expect(serverPath(target)).toEqual(expected);
	});

	test.each([
		'/user/a/lab/',
		'/user/a/lab/lab',
		'/user/a/lab/tree',
		'/user/a/lab/files/x.html',
		'/user/a/lab/apix',
		'/user/a/lab/terminals/1',
		'/user/a/lab/api/../lab',
		'/user/a/lab/api/%2e%2e/lab',
		'/user/a/lab/api/.%2E/lab',
		'/user/a/lab/api/..%2flab',
		'/user/a/lab/api/..%5clab',
		'/user/a/lab/api\\x',
		'/user/a/lab/api/%zz',
		'/user/a/api/status',
		'/user//lab/api/status',
		'//user/a/lab/api/status',
		'/x/user/a/lab/api/status',
	])('%s is not', target => {
		expect(serverPath(target)).toBeNull();
	});

	test('property: a forwarded path begins with its two folders and leads out of them in no reading', () => {
		const part = fc.constantFrom(
			'api',
			'terminals',
			'websocket',
			'..',
			'.',
			'%2e',
			'%2E%2e',
			'%2f',
			'\\',
			'%5C',
			'a',
			'',
			'?',
			'#',
		);
		fc.assert(
			fc.property(fc.array(part, {maxLength: 8}), parts => {
				const rest = serverPath(`/user/a/b/${parts.join('/')}`)?.rest;
				if (rest === undefined) return;
				for (const read of [rest, decodeURIComponent(rest), decodeURIComponent(rest).replaceAll('\\', '/')])
					expect(new URL(`http://x/user/a/b/${read}`).pathname).toMatch(
						/^\/user\/a\/b\/(?:api|terminals\/websocket)(?:\/|$)/,
					);
			}),
		);
	});
});

const TOKEN = 'the-token-of-this-server';
type Seen = {readonly url: string | undefined; readonly headers: IncomingHttpHeaders; readonly body: string};
type Here = AsyncDisposable & {
	readonly local: LocalService;
	/** Requests that the server's own Jupyter received. */
	readonly seen: readonly Seen[];
	readonly item: () => Promise<Record<string, unknown>>;
	readonly ask: (
		path: string,
		headers?: Record<string, string>,
		method?: string,
	) => Promise<{readonly status: number; readonly body: string}>;
};

/**
 * A service whose server `welcome` is ready. The server has its own address, at which a test
 * program responds.
 */
const withServer = async (publicUrl?: string): Promise<Here> => {
	const seen: Seen[] = [];
	const program = http.createServer((request, response) => {
		let body = '';
		request
			.setEncoding('utf8')
			.on('data', (part: string) => {
				body += part;
			})
			.on('end', () => {
				seen.push({url: request.url, headers: request.headers, body});
				response
					.writeHead(200, {'set-cookie': 'sid=1', 'content-type': 'application/json', 'content-length': 11})
					.end('{"of":"it"}');
			});
	});
	program.on('upgrade', ({url, headers}, socket) => {
		seen.push({url, headers, body: ''});
		socket.on('error', () => undefined);
		socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello');
	});
	await new Promise<void>(resolve => {
		program.listen(0, '127.0.0.1', resolve);
	});
	const url = `http://127.0.0.1:${(program.address() as AddressInfo).port}/user/local@localhost/welcome/`;
	const tiny = createTinyEngine();
	const local = await localService({
		publicUrl,
		openEngine: async () => ({
			...tiny,
			open: async options => ({...(await tiny.open(options)), address: {url, token: TOKEN, page: '/lab'}}),
		}),
	});
	await local.call('POST', '/api/servers/welcome/start', settings);
	await local.until('welcome', 'ready');
	return {
		local,
		seen,
		async item() {
			const {body} = await local.call('GET', '/api/servers');
			return (body['servers'] as Array<Record<string, unknown>>)[0] ?? {};
		},
		ask: (path, headers = {}, method = 'GET') =>
			rawRequest(
				local.service.port,
				requestBytes(`${method} ${path}`, {Host: 'nb.test', Connection: 'close', ...headers}),
			),
		async [Symbol.asyncDispose]() {
			await local[Symbol.asyncDispose]();
			program.closeAllConnections();
			await new Promise(resolve => {
				program.close(resolve);
			});
		},
	};
};
const AT = '/base/user/local@localhost/welcome/api';
const shown = {Authorization: `token ${TOKEN}`};

test("behind a public address a server's API is announced and reachable below it, and its pages are neither", async () => {
	await using here = await withServer('https://nb.test/base');
	expect(await here.item()).toMatchObject({
		url: `https://nb.test/base/user/local@localhost/welcome/?token=${TOKEN}`,
		token: TOKEN,
		assistant_editor_url: 'https://nb.test/base/editor/welcome',
	});
	for (const [path, headers] of [
		[`${AT}/status`, shown],
		[`/user/local@localhost/welcome/api/status`, {Authorization: `Bearer ${TOKEN}`}],
		[`${AT}/status?token=${TOKEN}&x=1`, {}],
	] as const)
		expect([path, await here.ask(path, headers)]).toMatchObject([path, {status: 200, body: '{"of":"it"}'}]);
	expect(here.seen.map(({url}) => url)).toEqual([
		'/user/local@localhost/welcome/api/status',
		'/user/local@localhost/welcome/api/status',
		'/user/local@localhost/welcome/api/status?x=1',
	]);
	expect(here.seen.every(({headers}) => headers.authorization === `token ${TOKEN}`)).toBe(true);
	for (const page of ['', 'lab', 'tree', 'files/x.html', 'login', 'static/x.js'])
		await here.ask(`/base/user/local@localhost/welcome/${page}`, shown);
	expect(here.seen).toHaveLength(3);
});

test('the forwarding path opens to the token alone, and reveals to others not even that the server exists', async () => {
	await using here = await withServer('https://nb.test/base');
	const {local} = here;
	const refused = await here.ask(`${AT}/status`);
	expect(refused).toMatchObject({status: 403, body: expect.stringContaining('its token')});
	for (const [path, headers] of [
		[`${AT}/status`, {Authorization: 'token wrong'}],
		[`${AT}/status`, {apiKey: local.key}],
		[`${AT}/status`, {Authorization: `token ${local.key}`}],
		[`${AT}/status`, {Cookie: `token=${TOKEN}`}],
		['/base/user/local@localhost/none/api/status', shown],
		['/base/user/other@localhost/welcome/api/status', shown],
		['/base/user/local@localhost/none/api/status', {Authorization: 'token '}],
		['/base/user/local@localhost/none/api/status', {}],
	] as const)
		expect([path, headers, await here.ask(path, headers)]).toMatchObject([
			path,
			headers,
			{status: 403, body: refused.body},
		]);
	for (const headers of [
		{Origin: 'https://evil.test'},
		{Origin: 'null'},
		{'Sec-Fetch-Site': 'cross-site'},
		{Host: 'evil.test'},
	])
		expect([headers, (await here.ask(`${AT}/status`, {...shown, ...headers})).status]).toEqual([
			headers,
			403,
		]);
	const upgrade = {Connection: 'Upgrade', Upgrade: 'websocket'};
	expect((await here.ask(`${AT}/kernels/1/channels`, upgrade)).status).toBe(403);
	expect(here.seen).toEqual([]);
});

test('a WebSocket is forwarded, and keys and cookies are not; no token reaches the log', async () => {
	await using here = await withServer('https://nb.test/base');
	const {local} = here;
	const answer = await here.ask(`${AT}/kernels/1/channels?session_id=s&token=${TOKEN}`, {
		Connection: 'Upgrade',
		Upgrade: 'websocket',
		apiKey: local.key,
		Cookie: 'mine=1',
	});
	expect([answer.status, here.seen[0]?.url]).toEqual([
		101,
		'/user/local@localhost/welcome/api/kernels/1/channels?session_id=s',
	]);
	expect(JSON.stringify(here.seen)).not.toMatch(new RegExp(`mine=1|${local.key}`));
	const log = (): string => readFileSync(join(local.folder, 'service.log'), 'utf8');
	await waitFor(() => expect(log()).toMatch(/GET jupyter 101 /));
	expect(log()).not.toContain(TOKEN);
});

test('a service of this machine hands out the own address, and passes nothing on', async () => {
	await using here = await withServer();
	const {url} = await here.item();
	expect(url).toMatch(
		new RegExp(`^http://127\\.0\\.0\\.1:\\d+/user/local@localhost/welcome/\\?token=${TOKEN}$`),
	);
	const host = `127.0.0.1:${here.local.service.port}`;
	expect(new URL(String(url)).host).not.toBe(host);
	expect(
		(await here.ask(AT.slice('/base'.length), {...shown, Host: host, apiKey: here.local.key})).status,
	).toBe(404);
	expect(here.seen).toEqual([]);
});
