import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {inspect} from 'node:util';
import {describe, expect, test} from 'vitest';
import {createClient} from '../../src/api/client.ts';
import type {Client, ClientSettings} from '../../src/api/client-types.ts';
import {
	answering,
	CANARY,
	connect,
	httpPeer,
	limited,
	rawPeer,
	streaming,
	type Peer,
} from '../support/peer.ts';
import {startStubService} from '../support/stub-service.ts';

const BODY_CANARY = 'canary-of-a-request-body';
const question = [{role: 'user', content: BODY_CANARY}];

const calls = (client: Client): Promise<unknown>[] => [
	client.servers(),
	client.compute(),
	client.environments(),
	client.createServer({environment: 'ai', port: 1, server_name: 's', server_request: 'r'}),
	client.startServer('s', {environment: 'ai', port: 1, server_request: 'r'}),
	client.getFile('s', 'a'),
	client.putFile('s', 'a', {content: BODY_CANARY, format: 'text', type: 'file'}),
	client.runCode('s', {code: BODY_CANARY, kernel_name: 'python3'}),
	client.chat('s', 'model_1', question),
	client.chat('s', 'model_2', question),
];

const text = (fragment: string): string => `0:${JSON.stringify(fragment)}\n`;
const CONFIG = {ok: false, failure: {kind: 'config'}};

describe('settings that cannot be used', () => {
	test.each([
		['F27 an empty key', {apiKey: ''}, 'empty'],
		['F27 a key with a newline', {apiKey: `${CANARY}\n`}, 'invalid characters'],
		['F27 a key with other letters', {apiKey: `${CANARY}é`}, 'invalid characters'],
		['a key that is too long', {apiKey: CANARY.repeat(50)}, 'invalid characters'],
		['no address', {baseUrl: 'not an address'}, 'not an address'],
		['another protocol', {baseUrl: 'file:///etc'}, 'https://'],
		['plain HTTP beyond this machine', {baseUrl: 'http://service.example'}, 'unencrypted'],
		['a name that only begins like this machine', {baseUrl: 'http://127.0.0.1.evil.example'}, 'unencrypted'],
		['a password in the address', {baseUrl: 'https://me:secret@service.example'}, 'password'],
		['a query in the address', {baseUrl: 'https://service.example?x=1'}, '?'],
		['a file of authorities that is not there', {caFile: '/no/such/file.pem'}, '/no/such/file.pem'],
	] satisfies readonly [string, Partial<ClientSettings>, string][])(
		'%s: every call reports it and sends nothing',
		async (_, settings, words) => {
			await using peer = await answering(200);
			for (const reply of await Promise.all(calls(connect(peer.url, undefined, settings)))) {
				expect(reply).toMatchObject({...CONFIG, failure: {message: expect.stringContaining(words)}});
				expect(inspect(reply)).not.toMatch(/canary|secret/);
				expect(reply).not.toHaveProperty('failure.ambiguous');
			}
			expect(peer.accepted()).toBe(0);
		},
	);

	test('a file of authorities that holds none', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'svc-ca-'));
		try {
			await writeFile(join(folder, 'ca.pem'), 'not a certificate');
			expect(
				await createClient({
					baseUrl: 'https://service.example',
					apiKey: 'k',
					caFile: join(folder, 'ca.pem'),
				}).servers(),
			).toMatchObject(CONFIG);
		} finally {
			await rm(folder, {recursive: true});
		}
	});

	test.each(['/', '', '/base', '/base/'])('the address %j has the endpoints below it', async path => {
		await using peer = await answering(500);
		await connect(peer.url + path).servers();
		expect(peer.asked).toEqual([`GET ${path.replace(/\/$/, '')}/api/servers`]);
	});
});

describe('a name from outside', () => {
	test.each(['', '.', '..', '\ud800'])('as %j is refused: no address is called', async name => {
		await using peer = await answering(200);
		const client = connect(peer.url);
		const {startServer, getFile, putFile, runCode, chat} = client;
		const replies = [
			startServer(name, {environment: 'ai', port: 1, server_request: 'r'}),
			getFile(name, 'a'),
			getFile('s', `a/${name}/b`),
			putFile('s', `${name}/a`, {content: '', format: 'text', type: 'file'}),
			runCode(name, {code: '', kernel_name: 'k'}),
			chat(name, 'model_1', question),
			chat('s', name, question),
		];
		for (const reply of await Promise.all<unknown>(replies)) expect(reply).toMatchObject(CONFIG);
		expect(peer.accepted()).toBe(0);
	});

	test.each([
		['a/b', 'a%2Fb'],
		['a?b#c', 'a%3Fb%23c'],
		['%2e%2e', '%252e%252e'],
		['__proto__', '__proto__'],
		['\u001b[2J', '%1B%5B2J'],
		['http://evil', 'http%3A%2F%2Fevil'],
		['x'.repeat(5000), 'x'.repeat(5000)],
	])('as %j stays one name in the address', async (name, encoded) => {
		await using peer = await answering(404);
		const reply = await connect(peer.url).runCode(name, {code: '1', kernel_name: 'k'});
		expect(peer.asked).toEqual([`POST /api/servers/${encoded}/run-code`]);
		expect(reply).toMatchObject({failure: {kind: 'not-found', path: `/api/servers/${encoded}/run-code`}});
	});

	test('as a path keeps its folders, and the empty path is the root', async () => {
		await using peer = await answering(404);
		const client = connect(peer.url);
		await client.getFile('s', 'data/a b.csv');
		await client.getFile('s', '');
		expect(peer.asked).toEqual(['GET /api/servers/s/files/data/a%20b.csv', 'GET /api/servers/s/files/']);
	});
});

describe('the key and the request', () => {
	const echo = (type: string, status: number, wrap: (key: string, body: string) => string) =>
		httpPeer((response, request) => {
			const key = String(request.headers['apikey']);
			const body = wrap(key, JSON.stringify(key).slice(1, -1));
			response
				.writeHead(status, {
					'content-type': type,
					location: `/?key=${encodeURIComponent(key)}`,
					'x-echo': key,
				})
				.end(body);
		});
	const peers: readonly [string, () => Promise<Peer>][] = [
		['is reset', () => rawPeer(socket => socket.once('data', () => socket.resetAndDestroy()))],
		[
			'breaks off',
			() =>
				httpPeer(response =>
					response.writeHead(200, {'content-length': 9}).write('{', () => response.destroy()),
				),
		],
		['is mute', () => httpPeer(() => {})],
		['is no HTTP', () => rawPeer(socket => socket.once('data', bytes => socket.end(bytes)))],
		['redirects', () => echo('text/plain', 302, key => key)],
		[
			'fails with the key as words',
			() => echo('application/json', 500, (_, key) => `{"message":"bad key ${key}"}`),
		],
		[
			'refuses with the key as words',
			() => echo('application/json', 401, (_, key) => `{"error":"${key} is unknown"}`),
		],
		[
			'fails with a page of the key',
			() => echo('text/html', 503, key => `${'x'.repeat(2040)}${key}${encodeURIComponent(key)}`),
		],
		[
			'succeeds with another status',
			() => echo('application/json', 200, (_, key) => `{"status":"${key}","message":"${key}"}`),
		],
		['succeeds with a page', () => echo('text/html', 200, key => `<html>${key}`)],
		['streams the key as an error', () => streaming([`3:${JSON.stringify(CANARY)}\n`])],
		[
			'streams the key as garbage',
			() =>
				streaming([
					`${CANARY}\n`,
					`${'x'.repeat(70)}${CANARY}\n`,
					text('hm'),
					`0:${JSON.stringify(CANARY).slice(0, -1)}`,
				]),
		],
		['sends too much', () => answering(200, 'x'.repeat(40 << 10))],
		['sends too large headers', () => answering(200, '', {'x-large': 'x'.repeat(40_000)})],
	];

	test.each(peers)('are in nothing that comes back when the service %s', async (_, start) => {
		await using peer = await start();
		const quick = {timeout: {response: 200}, cap: 30 << 10};
		const client = connect(
			peer.url,
			limited({
				list: quick,
				file: quick,
				change: quick,
				upload: quick,
				run: quick,
				chat: {timeout: {response: 200}},
			}),
		);
		for (const reply of [client, ...(await Promise.all(calls(client)))]) {
			for (const shown of [
				inspect(reply, {depth: null, showHidden: true, getters: true}),
				JSON.stringify(reply),
			]) {
				expect(shown).not.toContain('canary');
				expect(shown).not.toContain('4711');
			}
		}
	});

	test('are sent: the key in its header only, to every endpoint', async () => {
		const heads: string[] = [];
		await using peer = await httpPeer((response, request) => {
			heads.push([request.url, ...request.rawHeaders].join('\n'));
			response.end();
		});
		await Promise.all(calls(connect(peer.url)));
		expect(heads).toHaveLength(10);
		for (const head of heads) expect(head.split(CANARY)).toHaveLength(2);
		await using stub = await startStubService();
		expect(await connect(stub.baseUrl).servers()).toMatchObject({failure: {kind: 'auth'}});
	});
});
