import {readFileSync} from 'node:fs';
import https from 'node:https';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createClient} from '../../src/api/client.ts';
import {localService, settings, type LocalService} from '../support/local-service.ts';
import {nginxMissing, startNginx, type Nginx} from '../support/nginx.ts';
import {rawRequest, requestBytes} from '../support/raw-request.ts';
import {createTinyEngine} from '../support/tiny-engine.ts';

if (nginxMissing !== null)
	console.warn(`*** NOT TESTED: the service behind a real proxy, since ${nginxMissing}. ***`);

/** Methods by which a proxy forwards requests. `to`: address of the service without a path. */
const kinds = {
	'keeps the path and sends its own name': (to: string) =>
		`location /base/ { proxy_pass ${to}; proxy_set_header Host $host; }`,
	'keeps the path and sends its own name and port': (to: string) =>
		`location /base/ { proxy_pass ${to}; proxy_set_header Host $http_host; }`,
	'takes the path away and sends its own name': (to: string) =>
		`location /base/ { proxy_pass ${to}/; proxy_set_header Host $host; }`,
	'keeps the path and sends our private address': (to: string) => `location /base/ { proxy_pass ${to}; }`,
	'takes the path away and sends our private address': (to: string) =>
		`location /base/ { proxy_pass ${to}/; proxy_http_version 1.1; proxy_set_header Connection ""; }`,
};

type Proxied = AsyncDisposable & {
	readonly nginx: Nginx;
	readonly local: LocalService;
	readonly publicUrl: string;
};

const proxied = async (location: (to: string) => string): Promise<Proxied> => {
	const {promise, resolve} = Promise.withResolvers<Pick<Proxied, 'local' | 'publicUrl'>>();
	const nginx = await startNginx(async port => {
		const publicUrl = `https://127.0.0.1:${port}/base`;
		const local = await localService({publicUrl, trustedProxies: ['127.0.0.1']});
		resolve({local, publicUrl});
		return location(`http://127.0.0.1:${local.service.port}`);
	});
	const {local, publicUrl} = await promise;
	return {
		nginx,
		local,
		publicUrl,
		async [Symbol.asyncDispose]() {
			await nginx[Symbol.asyncDispose]();
			await local[Symbol.asyncDispose]();
		},
	};
};

const ask = (
	{nginx}: Proxied,
	path: string,
	headers: Record<string, string> = {},
): Promise<{readonly status: number | undefined; readonly text: string}> =>
	new Promise((resolve, reject) => {
		https
			.get(
				{host: '127.0.0.1', port: nginx.port, path, ca: readFileSync(nginx.certFile), agent: false, headers},
				response => {
					let text = '';
					response
						.setEncoding('utf8')
						.on('data', (part: string) => {
							text += part;
						})
						.on('end', () => resolve({status: response.statusCode, text}));
				},
			)
			.on('error', reject);
	});

describe.skipIf(nginxMissing !== null)('behind nginx, which ends TLS', () => {
	test.each(Object.entries(kinds))(
		'and %s, our own client does everything by the public address, and no private one is handed out',
		async (_, location) => {
			await using here = await proxied(location);
			const {local, publicUrl, nginx} = here;
			const client = createClient({baseUrl: publicUrl, apiKey: local.key, caFile: nginx.certFile});
			const started = await client.startServer('welcome', settings);
			expect(started).toMatchObject({ok: true, value: {assistant_editor_url: `${publicUrl}/editor/welcome`}});
			await expect
				.poll(async () => client.servers())
				.toMatchObject({
					ok: true,
					value: {
						items: [
							{
								status: 'ready',
								url: `${publicUrl}/user/local@localhost/welcome/`,
								port_forward_url: `${publicUrl}/forward/welcome`,
							},
						],
					},
				});
			expect(await client.createServer({server_name: 'second', ...settings})).toMatchObject({
				ok: true,
				value: {url: `${publicUrl}/user/local@localhost/second/`},
			});
			expect(
				await client.putFile('welcome', 'a b/ä.txt', {
					type: 'file',
					format: 'text',
					content: 'x'.repeat(300_000),
				}),
			).toMatchObject({ok: true});
			expect(await client.getFile('welcome', 'a b/ä.txt')).toMatchObject({
				ok: true,
				value: {content: 'x'.repeat(300_000)},
			});
			expect(await client.runCode('welcome', {code: 'x = 5\nprint x', kernel_name: 'python3'})).toMatchObject(
				{ok: true, value: {outputs: [{text: '5\n'}]}},
			);
			expect(await client.chat('welcome', 'model_2', [{role: 'user', content: 'len'}])).toMatchObject({
				ok: true,
				value: {complete: true},
			});
			const {text} = await ask(here, '/base/api/servers', {apiKey: local.key});
			expect(text).not.toContain(`:${local.service.port}`);
			for (const page of [
				'/base/user/local@localhost/welcome/',
				'/base/editor/welcome',
				'/base/forward/welcome',
				'/base/healthz',
				'/base/readyz',
			])
				expect([page, (await ask(here, page)).status]).toEqual([page, 200]);
			expect(await ask(here, '/base/api/servers')).toMatchObject({status: 401});
			expect(
				await ask(here, '/base/api/servers', {apiKey: local.key, Origin: 'https://evil.test'}),
			).toMatchObject({status: 403});
			expect(
				await ask(here, '/base/api/servers', {apiKey: local.key, Origin: new URL(publicUrl).origin}),
			).toMatchObject({status: 200});
		},
	);

	test("the client's address is known from the proxy alone, and no other forwarded header means anything", async () => {
		await using here = await proxied(
			to => `location /base/ { proxy_pass ${to}; proxy_set_header X-Forwarded-For 203.0.113.9; }`,
		);
		const headers = {
			apiKey: here.local.key,
			'X-Forwarded-Host': 'evil.test',
			'X-Forwarded-Proto': 'http',
			'X-Forwarded-Port': '1',
			'X-Forwarded-Prefix': '/evil',
			Forwarded: 'for=198.51.100.1;host=evil.test;proto=http',
			'X-Real-IP': '198.51.100.1',
		};
		const {status, text} = await ask(here, '/base/api/servers', headers);
		expect(status).toBe(200);
		expect(text).toContain(`"url":"${here.publicUrl}/user/`);
		expect(text).not.toContain('evil');
		await expect
			.poll(() => readFileSync(join(here.local.folder, 'service.log'), 'utf8'))
			.toMatch(/GET \/api\/servers 200 \d+ms \d+b from 203\.0\.113\.9\n/);
		expect(readFileSync(join(here.local.folder, 'service.log'), 'utf8')).not.toContain('198.51.100.1');
	});

	test('an answer of the assistant comes through as it is made, not at its end', async () => {
		await using here = await proxied(
			to => `location /base/ { proxy_pass ${to}; proxy_set_header Host $host; }`,
		);
		await here.local.call('POST', '/api/servers/welcome/start', settings);
		await here.local.until('welcome', 'ready');
		const client = createClient({
			baseUrl: here.publicUrl,
			apiKey: here.local.key,
			caFile: here.nginx.certFile,
		});
		let pieces = 0;
		const answer = await client.chat('welcome', 'model_1', [{role: 'user', content: 'len'}], {
			onText: () => pieces++,
		});
		expect(answer).toMatchObject({ok: true});
		expect(pieces).toBeGreaterThan(1);
	});
});

const probe = (
	local: LocalService,
	line: string,
	host: string | null,
): Promise<{readonly status: number; readonly body: string}> =>
	rawRequest(local.service.port, requestBytes(line, {Host: host, Connection: 'close'}));

test('/healthz and /readyz answer the same few bytes to any Host, without a key, to probes of every kind', async () => {
	await using local = await localService();
	for (const path of ['/healthz', '/readyz', '/healthz?x=1']) {
		for (const host of ['evil.test', '10.2.3.4:8080', '', 'a b', `127.0.0.1:${local.service.port}`])
			expect([host, await probe(local, `GET ${path}`, host)]).toMatchObject([
				host,
				{status: 200, body: 'ok\n'},
			]);
	}
	expect(await rawRequest(local.service.port, 'GET /readyz HTTP/1.0\r\n\r\n')).toMatchObject({
		status: 200,
		body: 'ok\n',
	});
	expect(await probe(local, 'HEAD /healthz', 'evil.test')).toMatchObject({status: 200, body: ''});
	for (const path of ['/healthz/', '/healthz/x', '//healthz', '/HEALTHZ', '/base/healthz', '/api/../healthz'])
		expect([path, (await probe(local, `GET ${path}`, 'evil.test')).status]).toEqual([
			path,
			path === '//healthz' ? 400 : 403,
		]);
	expect(
		(
			await rawRequest(
				local.service.port,
				requestBytes('POST /healthz', {Host: 'x', Connection: 'close', 'Content-Length': 0}),
			)
		).status,
	).toBe(405);
});

test('while the service ends, /healthz still reports that it lives and /readyz that it accepts no requests', async () => {
	const gate = Promise.withResolvers<void>();
	await using local = await localService({openEngine: async () => createTinyEngine({opening: gate.promise})});
	await local.call('POST', '/api/servers/welcome/start', settings);
	const closed = local.service.close();
	expect([
		(await probe(local, 'GET /healthz', 'x')).status,
		(await probe(local, 'GET /readyz', 'x')).status,
	]).toEqual([200, 503]);
	gate.resolve();
	await closed;
});
