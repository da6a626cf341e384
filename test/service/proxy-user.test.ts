// @module-tag long
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createClient} from '../../src/api/client.ts';
import {localService, settings, type LocalService} from '../support/local-service.ts';
import {nginxMissing, startNginx} from '../support/nginx.ts';

if (nginxMissing !== null)
	console.warn(`*** NOT TESTED: users signed in by a real proxy, since ${nginxMissing}. ***`);

const HEADER = 'X-Auth-Request-Email';
const onThisMachine = {trustedProxies: ['127.0.0.1'], userHeader: HEADER};
const list = (local: LocalService, user: string, key = '') =>
	local.call('GET', '/api/servers', undefined, {key, headers: user === '' ? {} : {[HEADER]: user}});

/** Answers like oauth2-proxy: 202 and the address of the user for a known token, else 401. */
const startSignIn = async (tokens: Readonly<Record<string, string>>) => {
	const server = createServer((request, response) => {
		const user = tokens[request.headers.authorization?.replace('Bearer ', '') ?? ''];
		response.writeHead(user === undefined ? 401 : 202, user === undefined ? {} : {[HEADER]: user}).end();
	});
	await new Promise<void>(resolve => {
		server.listen(0, '127.0.0.1', resolve);
	});
	return {
		port: (server.address() as AddressInfo).port,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise(resolve => {
				server.close(resolve);
			});
		},
	};
};

test.skipIf(nginxMissing !== null)(
	'users whom nginx signs in have servers of their own, and none reaches those of another',
	async () => {
		await using signIn = await startSignIn({'token-ann': 'ann@example.com', 'token-bob': 'bob@example.com'});
		const started = Promise.withResolvers<{readonly local: LocalService; readonly publicUrl: string}>();
		await using nginx = await startNginx(async port => {
			const publicUrl = `https://127.0.0.1:${port}/base`;
			const local = await localService({publicUrl, ...onThisMachine});
			started.resolve({local, publicUrl});
			return `
				location = /sign-in {
					internal;
					proxy_pass http://127.0.0.1:${signIn.port};
					proxy_pass_request_body off;
					proxy_set_header Content-Length "";
					proxy_set_header Authorization "Bearer $http_apikey";
				}
				location /base/ {
					auth_request /sign-in;
					auth_request_set $user $upstream_http_x_auth_request_email;
					proxy_pass http://127.0.0.1:${local.service.port};
					proxy_set_header ${HEADER} $user;
				}`;
		});
		const {local, publicUrl} = await started.promise;
		await using _ = local;
		const as = (apiKey: string) => createClient({baseUrl: publicUrl, apiKey, caFile: nginx.certFile});
		expect(await as('token-ann').createServer({server_name: 'mine', ...settings})).toMatchObject({
			ok: true,
			value: {url: `${publicUrl}/user/ann@example.com/mine/`},
		});
		expect(await as('token-ann').servers()).toMatchObject({ok: true, value: {items: [{name: 'mine'}]}});
		expect(await as('token-bob').servers()).toMatchObject({ok: true, value: {items: []}});
		expect(await as('token-bob').startServer('mine', settings)).toMatchObject({
			ok: false,
			failure: {status: 404},
		});
		expect(await as('other').servers()).toMatchObject({ok: false, failure: {status: 401}});
		await expect
			.poll(() => readFileSync(join(local.folder, 'service.log'), 'utf8'))
			.toMatch(/GET \/api\/servers 200/);
		expect(readFileSync(join(local.folder, 'service.log'), 'utf8')).not.toContain('token-');
	},
);

describe('the user header', () => {
	test('names the user only if the proxy itself sends the request', async () => {
		await using trusted = await localService(onThisMachine);
		expect(await list(trusted, 'ann@example.com')).toMatchObject({status: 200, body: {servers: []}});
		// The token that the user has for the proxy is not a key of the service.
		expect(await list(trusted, 'ann@example.com', 'token-ann')).toMatchObject({status: 200});
		expect(await list(trusted, '')).toMatchObject({status: 401});
		expect(await list(trusted, '', trusted.key)).toMatchObject({status: 200});
		await using elsewhere = await localService({...onThisMachine, trustedProxies: ['10.0.0.5']});
		expect(await list(elsewhere, 'ann@example.com')).toMatchObject({status: 401});
	});

	test('gives MCP a key that reaches the same servers, and opens nothing for anybody else', async () => {
		const keys: string[] = [];
		const mcp = {
			open: () => async (message: {readonly key: string}) => {
				keys.push(message.key);
				return {status: 202, body: ''};
			},
		};
		await using local = await localService({...onThisMachine, mcp});
		const message = {jsonrpc: '2.0', method: 'notifications/initialized'};
		const ask = async (user: string) =>
			local.call('POST', '/mcp', message, {key: `token-${user}`, headers: {[HEADER]: user}});
		for (const user of ['ann@example.com', 'bob@example.com']) expect((await ask(user)).status).toBe(202);
		expect((await ask('')).status).toBe(401);
		const [ann = '', bob = ''] = keys;
		await local.call('POST', '/api/servers', {server_name: 'mine', ...settings}, {key: ann});
		expect(await list(local, 'ann@example.com')).toMatchObject({body: {servers: [{name: 'mine'}]}});
		expect(await list(local, '', bob)).toMatchObject({status: 200, body: {servers: []}});
		for (const forged of [ann.replace('ann', 'bob'), ann.slice(0, -1), 'ann@example.com:', ':'])
			expect([forged, (await list(local, '', forged)).status]).toEqual([forged, 401]);
		await using restarted = await localService({...onThisMachine, mcp});
		expect((await list(restarted, '', ann)).status).toBe(401);
	});

	test('with two names or another text is refused, also with a key', async () => {
		await using local = await localService(onThisMachine);
		for (const text of ['ann@example.com, bob@example.com', 'ann/bob', 'a b', '../x', 'a'.repeat(255)])
			expect([text, await list(local, text, local.key)]).toMatchObject([
				text,
				{status: 401, text: expect.stringContaining(`The proxy's header ${HEADER} names no user`)},
			]);
	});

	test.each([
		[{userHeader: HEADER}, '--user-header needs --trusted-proxy'],
		[{...onThisMachine, userHeader: 'X Auth'}, '--user-header "X Auth" cannot name a user'],
		[{...onThisMachine, userHeader: 'apiKey'}, '--user-header "apiKey" cannot name a user'],
		[
			{...onThisMachine, engine: 'jupyterhub', hub: 'https://hub.example.com'} as const,
			'--user-header is not for --engine jupyterhub',
		],
	])('%o is refused before the service starts', async (options, message) => {
		await expect(localService(options)).rejects.toMatchObject({
			exitCode: 2,
			message: expect.stringContaining(message),
		});
	});
});
