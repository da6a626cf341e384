import {readFileSync} from 'node:fs';
import http, {type IncomingHttpHeaders} from 'node:http';
import https from 'node:https';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {bindingOf} from '../../src/service/http/binding.ts';
import {createForwardHosts, forwardHostOf} from '../../src/service/forward/host.ts';
import {publicUrlOf} from '../../src/service/http/public-url.ts';
import {serviceEnvironment} from '../../src/settings/service-environment.ts';
import {localService, settings, type LocalService} from '../support/local-service.ts';
import {nginxMissing, startNginx, type Nginx} from '../support/nginx.ts';
import {rawRequest} from '../support/raw-request.ts';
import {createTinyEngine} from '../support/tiny-engine.ts';
import {waitFor} from '../support/wait-for.ts';

describe('--forward-host', () => {
	const publicUrl = 'https://nb.example.com:8443/base';

	test('takes a wildcard, and gives each label an address with the scheme and port of the public one', () => {
		const host = forwardHostOf('*.NB.example.com', publicUrlOf(publicUrl), []);
		expect([
			host.originOf('a1'),
			host.labelOf('a1.nb.example.com'),
			host.labelOf('a1.nb.example.com:8000'),
		]).toEqual(['https://a1.nb.example.com:8443', 'a1', 'a1']);
		expect(forwardHostOf('*.apps.test', publicUrlOf('https://nb.example.com'), []).originOf('a1')).toBe(
			'https://a1.apps.test',
		);
	});

	test.each([
		'nb.example.com',
		'*',
		'*.com',
		'*.*.example.com',
		'a.*.example.com',
		'*nb.example.com',
		'https://*.nb.example.com',
		'*.nb.example.com:8443',
		'*.nb.example.com/base',
		'*.nb.example.com.',
		'*.10.0.0.1',
		'*.nb_.example.com',
		'*.-nb.example.com',
		`*.${'a.'.repeat(115)}test`,
	])('refuses %s and names the allowed form', forwardHost => {
		expect(() => bindingOf({publicUrl, forwardHost})).toThrow(
			expect.objectContaining({
				exitCode: 2,
				message: expect.stringMatching(
					/^--forward-host ".*" cannot be used\. Give a name whose first part is "\*", such as \*\.nb\.example\.com/,
				),
			}),
		);
	});

	test('is refused without a public address, and where it would hold a name of the service itself', () => {
		expect(() => bindingOf({forwardHost: '*.nb.example.com'})).toThrow(/with --public-url/);
		expect(() => bindingOf({publicUrl, forwardHost: '*.example.com'})).toThrow(
			/it matches nb\.example\.com, a name of the service itself.*such as \*\.nb\.example\.com/,
		);
		expect(() =>
			bindingOf({publicUrl, forwardHost: '*.nb.example.com', allowHosts: ['a.nb.example.com']}),
		).toThrow(/it matches a\.nb\.example\.com, a name of the service itself/);
	});

	test('is refused where nothing can be forwarded', async () => {
		await expect(
			localService({publicUrl, forwardHost: '*.nb.example.com', engine: 'pyodide'}),
		).rejects.toMatchObject({exitCode: 2, message: expect.stringContaining('--engine jupyter')});
		await expect(
			localService({
				publicUrl,
				forwardHost: '*.nb.example.com',
				engine: 'jupyterhub',
				hub: 'https://hub.example.com',
			}),
		).rejects.toMatchObject({exitCode: 2, message: expect.stringContaining('--engine jupyter')});
	});

	test('property: a Host is below it by one label alone, and no other is', () => {
		const {labelOf} = forwardHostOf('*.nb.example.com', publicUrlOf(publicUrl), []);
		const text = fc.oneof(
			fc.string({maxLength: 20}),
			fc.domain(),
			fc.constantFrom('', 'a', 'a.b', '-a', '.nb.example.com', 'nb.example.com', ':443', ':', '.'),
		);
		fc.assert(
			fc.property(text, text, text, (before, between, after) => {
				const host = `${before}${between}.nb.example.com${after}`.toLowerCase();
				const label = /^([a-z0-9]|[a-z0-9][a-z0-9-]{0,61}[a-z0-9])\.nb\.example\.com(:[0-9]{1,5})?$/.exec(
					host,
				)?.[1];
				expect(labelOf(host)).toBe(label);
			}),
		);
	});

	test('any of several Hosts below it counts: it never reaches the service itself', async () => {
		const hosts = createForwardHosts(forwardHostOf('*.nb.example.com', publicUrlOf(publicUrl), []));
		const {url, close} = hosts.open({name: 'lab', user: 'ann', port: 8888});
		const {host} = new URL(url);
		const find = (...rawHeaders: string[]) => hosts.find({rawHeaders});
		expect([
			find('Host', 'nb.example.com'),
			find(),
			find('Host', 'other.nb.example.com'),
			find('X-Forwarded-Host', host),
		]).toEqual([undefined, undefined, null, undefined]);
		expect([find('HOST', host.toUpperCase()), find('Host', 'nb.example.com', 'host', host)]).toMatchObject([
			{route: 'forward:8888', user: 'ann'},
			{route: 'forward:8888', user: 'ann'},
		]);
		await close();
		expect(find('Host', host)).toBeNull();
	});
});

const missing =
	nginxMissing ?? (findJupyter(serviceEnvironment()) ? null : 'Jupyter Server is not installed');
if (missing !== null)
	console.warn(`*** NOT TESTED: forward addresses behind a real proxy, since ${missing}. ***`);

type Seen = {readonly url: string | undefined; readonly headers: IncomingHttpHeaders};
type Answer = {
	readonly status: number | undefined;
	readonly text: string;
	readonly headers: IncomingHttpHeaders;
};
type Proxied = AsyncDisposable & {
	readonly nginx: Nginx;
	readonly local: LocalService;
	/** Requests that reached the program behind the server's port. */
	readonly seen: readonly Seen[];
	readonly list: () => Promise<Record<string, unknown>>;
	readonly ask: (
		host: string,
		path: string,
		options?: {readonly headers?: Record<string, string>; readonly method?: string; readonly body?: string},
	) => Promise<Answer>;
	readonly socket: (host: string, path: string, headers?: Record<string, string>) => Promise<string>;
};

const withHost = (to: string): string =>
	`location / { proxy_pass ${to}; proxy_http_version 1.1; proxy_set_header Host $host; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $http_connection; } location /private/ { internal; return 200 "stolen"; }`;

/**
 * Starts the service behind nginx, with the server `welcome` and a program that listens on one of
 * its ports.
 */
const proxied = async (locations = withHost): Promise<Proxied> => {
	const made = Promise.withResolvers<LocalService>();
	const nginx = await startNginx(async port => {
		const local = await localService({
			publicUrl: `https://nb.test:${port}/base`,
			forwardHost: '*.nb.test',
			engine: 'jupyter',
			openEngine: async () => createTinyEngine(),
		});
		made.resolve(local);
		const to = `http://127.0.0.1:${local.service.port}`;
		return {
			own: `location /base/ { proxy_pass ${to}; }`,
			others: {names: '*.nb.test', locations: locations(to)},
		};
	});
	const local = await made.promise;
	await local.call('POST', '/api/servers/welcome/start', settings);
	await local.until('welcome', 'ready');
	const list = async (): Promise<Record<string, unknown>> => {
		const {body} = await local.call('GET', '/api/servers');
		return (body['servers'] as Array<Record<string, unknown>>)[0] ?? {};
	};
	const seen: Seen[] = [];
	const program = http.createServer(({url, headers}, response) => {
		seen.push({url, headers});
		if (url === '/events') {
			response.write('the first');
			return;
		}
		if (url === '/steals') response.setHeader('X-Accel-Redirect', '/private/x');
		response.setHeader('set-cookie', 'sid=1; Domain=nb.test; Path=/').end('the program');
	});
	program.on('upgrade', ({url, headers}, socket, head) => {
		seen.push({url, headers});
		socket.on('error', () => undefined);
		socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
		socket.write(head);
		socket.pipe(socket);
	});
	const {port} = await list();
	await new Promise<void>(resolve => {
		program.listen(Number(port), '127.0.0.1', resolve);
	});
	const options = (host: string, path: string, headers: Record<string, string>) => ({
		host: '127.0.0.1',
		port: nginx.port,
		path,
		servername: 'nb.test',
		ca: readFileSync(nginx.certFile),
		checkServerIdentity: () => undefined,
		agent: false,
		headers: {Host: host, ...headers},
	});
	return {
		nginx,
		local,
		seen,
		list,
		ask: (host, path, {headers = {}, method = 'GET', body = ''} = {}) =>
			new Promise((resolve, reject) => {
				const request = https.request({...options(host, path, headers), method}, response => {
					let text = '';
					response
						.setEncoding('utf8')
						.on('data', (part: string) => {
							text += part;
						})
						.on('end', () => resolve({status: response.statusCode, text, headers: response.headers}));
				});
				request.on('error', reject).end(body);
			}),
		socket: (host, path, headers = {}) =>
			new Promise((resolve, reject) => {
				const request = https.request(
					options(host, path, {
						Connection: 'Upgrade',
						Upgrade: 'websocket',
						'Sec-WebSocket-Key': 'x',
						'Sec-WebSocket-Version': '13',
						...headers,
					}),
				);
				request
					.on('error', reject)
					.on('response', response => {
						response.resume();
						resolve(`${response.statusCode}`);
					})
					.on('upgrade', (response, socket) => {
						socket.on('data', part => {
							resolve(`${response.statusCode} ${String(part)}`);
							socket.destroy();
						});
						socket.write('echo');
					})
					.end();
			}),
		async [Symbol.asyncDispose]() {
			await nginx[Symbol.asyncDispose]();
			await local[Symbol.asyncDispose]();
			program.closeAllConnections();
			await new Promise(resolve => {
				program.close(resolve);
			});
		},
	};
};

const addressIn = (item: Record<string, unknown>): {readonly host: string; readonly token: string} => {
	const url = new URL(String(item['port_forward_url']));
	return {host: url.host, token: url.searchParams.get('token') ?? ''};
};

/** The cookie that a browser has after it opened the address with the token. */
const opened = async ({ask, list}: Pick<Proxied, 'ask' | 'list'>) => {
	const {host, token} = addressIn(await list());
	const {headers} = await ask(host, `/?token=${token}`, {headers: {'Sec-Fetch-Dest': 'document'}});
	const [cookie = ''] = headers['set-cookie'] ?? [];
	return {host, token, cookie: cookie.split(';')[0] ?? ''};
};

describe.skipIf(missing !== null)('forward addresses behind nginx, which ends TLS', () => {
	test('the program is reached at a name of its own, and gets no key, password or token', async () => {
		await using here = await proxied();
		const {ask, seen, local} = here;
		const item = await here.list();
		const {host, token} = addressIn(item);
		expect(item['port_forward_url']).toBe(`https://${host}/?token=${token}`);
		expect(host).toMatch(new RegExp(`^[0-9a-f]{16}\\.nb\\.test:${here.nginx.port}$`));
		const secrets = {apiKey: local.key, Authorization: 'Bearer secret'};
		expect(
			await ask(host, `/a?x=1&token=${token}`, {
				headers: {
					...secrets,
					Cookie: 'sid=1',
					Origin: `https://${host}`,
					Referer: `https://${host}/?token=${token}`,
				},
				method: 'POST',
				body: 'hello',
			}),
		).toMatchObject({
			status: 200,
			text: 'the program',
			headers: {'set-cookie': ['sid=1; Path=/'], 'referrer-policy': 'same-origin'},
		});
		expect(seen).toMatchObject([
			{
				url: '/a?x=1',
				headers: {
					host: `localhost:${item['port']}`,
					origin: `http://localhost:${item['port']}`,
					cookie: 'sid=1',
				},
			},
		]);
		expect(JSON.stringify(seen)).not.toMatch(new RegExp(`secret|${token}|${local.key}`));
	});

	test('a browser exchanges the token for a cookie of this name alone, which the program never sees', async () => {
		await using here = await proxied();
		const {ask, seen} = here;
		const {host, token} = addressIn(await here.list());
		const moved = await ask(host, `/a?x=1&token=${token}`, {headers: {'Sec-Fetch-Dest': 'document'}});
		expect([moved.status, moved.headers.location]).toEqual([307, `https://${host}/a?x=1`]);
		const [cookie = ''] = moved.headers['set-cookie'] ?? [];
		expect(cookie).toMatch(/^__Host-svc-forward=[0-9a-f]{48}; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
		expect(cookie).not.toContain(token);
		const Cookie = `sid=1; ${cookie.split(';')[0]}; other=2`;
		const page = await ask(host, '/a?x=1', {headers: {Cookie, 'Sec-Fetch-Dest': 'document'}});
		expect(page).toMatchObject({status: 200, text: 'the program'});
		const saved = await ask(host, '/a', {headers: {Cookie, Origin: `https://${host}`}, method: 'POST'});
		expect(saved.status).toBe(200);
		expect(seen.map(({url, headers}) => [url, headers.cookie])).toEqual([
			['/a?x=1', 'sid=1; other=2'],
			['/a', 'sid=1; other=2'],
		]);
	});

	test('neither the name alone, nor the token as a name, nor a cookie of another value opens it', async () => {
		await using here = await proxied();
		const {host, token, cookie} = await opened(here);
		expect((await here.ask(host, '/')).status).toBe(403);
		expect((await here.ask(host.replace(/^[^.]+/, token), '/')).status).toBe(404);
		for (const wrong of [
			`__Host-svc-forward=${token}`,
			'__Host-svc-forward=',
			'__Host-svc-forward=é',
			`svc-forward=${cookie.split('=')[1]}`,
			`${cookie}0`,
		])
			expect([wrong, (await here.ask(host, '/', {headers: {Cookie: wrong}})).status]).toEqual([wrong, 403]);
		// A page on a sibling host may have set another cookie.
		const both = `__Host-svc-forward=x; ${cookie}`;
		expect((await here.ask(host, '/', {headers: {Cookie: both}})).status).toBe(200);
		expect(here.seen).toHaveLength(1);
	});

	test('a request from a page of a neighbouring host does not open it with its cookie; a link does', async () => {
		await using here = await proxied();
		const {host, cookie} = await opened(here);
		const ask = async (site: string, kind: string, method = 'GET') =>
			(
				await here.ask(host, '/', {
					headers: {Cookie: cookie, 'Sec-Fetch-Site': site, 'Sec-Fetch-Dest': kind},
					method,
				})
			).status;
		expect([
			await ask('same-site', 'image'),
			await ask('cross-site', 'empty'),
			await ask('same-site', 'iframe'),
			await ask('same-site', 'document', 'POST'),
			await ask('same-origin', 'image'),
			await ask('none', 'document'),
			await ask('cross-site', 'document'),
		]).toEqual([403, 403, 403, 403, 200, 200, 200]);
	});

	test('it opens to its token and its own pages only, and the service itself is never there', async () => {
		await using here = await proxied();
		const {ask, seen, local} = here;
		const {host, token, cookie} = await opened(here);
		const headers = {apiKey: local.key};
		for (const path of [
			'/',
			'/api/servers',
			'/base/api/servers',
			'/healthz',
			'/readyz',
			`/?token=${'0'.repeat(32)}`,
		])
			expect([path, (await ask(host, path, {headers})).status]).toEqual([path, 403]);
		for (const origin of [
			`https://nb.test:${here.nginx.port}`,
			`https://${host.split(':')[0]}`,
			`http://${host}`,
			'null',
		])
			expect([
				origin,
				(await ask(host, '/', {headers: {Cookie: cookie, Origin: origin}, method: 'POST'})).status,
			]).toEqual([origin, 403]);
		const stranger = `${'0'.repeat(32)}.nb.test`;
		for (const path of ['/api/servers', '/healthz', `/?token=${token}`])
			expect([path, (await ask(stranger, path, {headers})).status]).toEqual([path, 404]);
		expect(seen).toEqual([]);
		expect(await ask(host, '/api/servers', {headers: {...headers, Cookie: cookie}})).toMatchObject({
			status: 200,
			text: 'the program',
		});
		const twice = await rawRequest(
			local.service.port,
			`GET /api/servers HTTP/1.1\r\nHost: 127.0.0.1:${local.service.port}\r\nHost: ${host}\r\nCookie: ${cookie}\r\napiKey: ${local.key}\r\nConnection: close\r\n\r\n`,
		);
		expect([twice.status, twice.body]).toEqual([
			403,
			expect.stringContaining('This address only accepts its own host name.'),
		]);
	});

	test('a WebSocket goes through in both directions, and one of another origin does not', async () => {
		await using here = await proxied();
		const {host, token, cookie} = await opened(here);
		const Cookie = cookie;
		expect(await here.socket(host, `/live?token=${token}`)).toBe('101 echo');
		expect(
			await here.socket(host, '/live', {Cookie, Origin: `https://${host}`, apiKey: here.local.key}),
		).toBe('101 echo');
		expect(await here.socket(host, '/live', {Cookie, Origin: 'https://evil.test'})).toBe('403');
		expect(await here.socket(host, '/live')).toBe('403');
		const {port} = here.local.service;
		const ours = await rawRequest(
			port,
			`GET /api/servers HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\napiKey: ${here.local.key}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
		);
		expect(ours.status).toBe(400);
		expect(JSON.stringify(here.seen)).not.toMatch(new RegExp(`${token}|${here.local.key}`));
	});

	test('the log holds these requests as it holds others: no path, no query, no token, no label', async () => {
		await using here = await proxied();
		const {host, token, cookie} = await opened(here);
		await here.ask(host, `/hidden?x=hidden&token=${token}`);
		await here.ask(host, '/hidden', {headers: {Cookie: cookie}});
		await here.socket(host, '/hidden', {Cookie: cookie});
		const {port} = await here.list();
		const log = () => readFileSync(join(here.local.folder, 'service.log'), 'utf8');
		await waitFor(() =>
			expect(
				log().match(new RegExp(`GET forward:${Number(port)} (?:200|101) \\d+ms \\d+b\n`, 'g')),
			).toHaveLength(3),
		);
		expect(log()).not.toMatch(new RegExp(`hidden|${token}|${host.split('.')[0]}|${cookie.split('=')[1]}`));
	});

	test('data that a program sends piece by piece arrives piece by piece', async () => {
		await using here = await proxied();
		const {host, token} = addressIn(await here.list());
		const {port, certFile} = here.nginx;
		const first = await new Promise<string>((resolve, reject) => {
			const request = https.get(
				{
					host: '127.0.0.1',
					port,
					path: `/events?token=${token}`,
					ca: readFileSync(certFile),
					checkServerIdentity: () => undefined,
					agent: false,
					headers: {Host: host},
				},
				response => {
					response
						.on('error', () => undefined)
						.once('data', part => {
							resolve(String(part));
							request.destroy();
						});
				},
			);
			request.on('error', reject);
		});
		expect(first).toBe('the first');
	});

	test('a program cannot make the proxy send foreign files', async () => {
		await using here = await proxied();
		const {host, token} = addressIn(await here.list());
		expect(await here.ask(host, `/steals?token=${token}`)).toMatchObject({status: 200, text: 'the program'});
	});

	test('if the proxy sends another Host nothing is forwarded, whichever other header names the address', async () => {
		await using here = await proxied(
			to => `location / { proxy_pass ${to}; proxy_set_header X-Forwarded-Host $host; }`,
		);
		const {host, token} = addressIn(await here.list());
		expect((await here.ask(host, `/?token=${token}`)).status).toBe(401);
		expect(here.seen).toEqual([]);
	});

	test('a server that ended has no address, and those of the next start are new', async () => {
		await using here = await proxied();
		const first = addressIn(await here.list());
		await here.local.call('POST', '/api/servers/welcome/run-code', {code: 'die', kernel_name: 'python3'});
		await here.local.until('welcome', 'offline');
		expect((await here.ask(first.host, `/?token=${first.token}`)).status).toBe(404);
		expect((await here.list())['port_forward_url']).toBe(
			`https://nb.test:${here.nginx.port}/base/forward/welcome`,
		);
		await here.local.call('POST', '/api/servers/welcome/start', settings);
		await here.local.until('welcome', 'ready');
		const second = addressIn(await here.list());
		expect([second.host === first.host, second.token === first.token]).toEqual([false, false]);
	});

	test('no address handed out leads to this machine: pages replace unreachable ones, and say so', async () => {
		await using here = await proxied();
		const base = `https://nb.test:${here.nginx.port}/base`;
		const pages = {
			url: `${base}/user/local@localhost/welcome/`,
			token: null,
			assistant_editor_url: `${base}/editor/welcome`,
		};
		expect(await here.list()).toMatchObject(pages);
		await here.local.call('POST', '/api/servers/welcome/run-code', {code: 'die', kernel_name: 'python3'});
		await here.local.until('welcome', 'offline');
		expect((await here.local.call('POST', '/api/servers/welcome/start', settings)).body).toMatchObject({
			...pages,
			port_forward_url: 'pending',
		});
		const created = await here.local.call('POST', '/api/servers', {server_name: 'second', ...settings});
		expect(created.body).toMatchObject({
			url: `${base}/user/local@localhost/second/`,
			assistant_editor_url: `${base}/editor/second`,
			port_forward_url: 'pending',
		});
		const {text} = await here.ask(`nb.test:${here.nginx.port}`, '/base/editor/welcome');
		expect(text).toContain('Its pages are not available here');
		expect(text).toContain('svc-tui server open NAME --forward opens it');
	});
});

test.skipIf(findJupyter(serviceEnvironment()) === null)(
	'behind a public address without --forward-host no unreachable address is handed out',
	async () => {
		const base = 'https://nb.example.com/base';
		await using local = await localService({
			publicUrl: base,
			engine: 'jupyter',
			openEngine: async () => createTinyEngine(),
		});
		await local.call('POST', '/api/servers/welcome/start', settings);
		await local.until('welcome', 'ready');
		const {body} = await local.call('GET', '/api/servers');
		expect(body['servers']).toMatchObject([
			{
				url: `${base}/user/local@localhost/welcome/`,
				token: null,
				assistant_editor_url: `${base}/editor/welcome`,
				port_forward_url: `${base}/forward/welcome`,
			},
		]);
		const {text} = await local.call('GET', '/forward/welcome');
		expect(text).toMatch(/not available here[^]*--forward-host[^]*ssh -L/);
	},
);
