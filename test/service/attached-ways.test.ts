// @module-tag long
// Attached servers behind nginx with an unknown CA, and behind a proxy.
import {once} from 'node:events';
import {readFileSync, writeFileSync} from 'node:fs';
import http from 'node:http';
import net, {type AddressInfo} from 'node:net';
import {dirname, join} from 'node:path';
import {afterEach, expect, test, vi} from 'vitest';
import type {ClientSettings} from '../../src/api/client-types.ts';
import {createClient} from '../../src/api/client.ts';
import {jupyterMissing, jupyterServer, type JupyterServer} from '../support/jupyter-server.ts';
import {localService, type LocalService} from '../support/local-service.ts';
import {nginxMissing, startNginx} from '../support/nginx.ts';
import {REPL} from '../support/sessions.ts';

const missing = jupyterMissing ? 'jupyter-server is not installed' : nginxMissing;
if (missing !== null) console.warn(`\n*** SKIPPED: nothing attached over TLS: ${missing} ***\n`);

afterEach(() => vi.unstubAllEnvs());

const ownService = (): Promise<LocalService> => localService({leased: true, leases: {first: 600_000}});

/** Starts the real nginx in front of the server, with a self-signed certificate. */
const behindTls = (jupyter: JupyterServer, name?: string) =>
	startNginx(
		async () => `location / {
			proxy_pass ${jupyter.url};
			proxy_http_version 1.1;
			proxy_set_header Upgrade $http_upgrade;
			proxy_set_header Connection upgrade;
			proxy_set_header Host 127.0.0.1;
		}`,
		name,
	);

/**
 * Uses code and files through the service, and cells over the live link of a program that has only
 * the list.
 */
const usesAll = async (
	local: LocalService,
	jupyter: JupyterServer,
	settings: Partial<ClientSettings>,
	allowed: ReadonlySet<string>,
): Promise<void> => {
	const client = createClient({baseUrl: local.service.url, apiKey: local.key, ...settings});
	const ran = await client.runCode('lab', {code: 'print(6 * 7)', kernel_name: 'python3'});
	expect(JSON.stringify(ran)).toContain('42');
	writeFileSync(join(jupyter.root, 'theirs.txt'), 'hello');
	expect(await client.getFile('lab', 'theirs.txt')).toMatchObject({ok: true, value: {content: 'hello'}});
	const listed = await client.servers();
	const item = listed.ok ? listed.value.items.find(({name}) => name === 'lab') : undefined;
	expect(item?.status).toBe('ready');
	const linked = await client.live(item ?? {url: null, token: null}, allowed);
	expect(linked).toHaveProperty('live');
	if (!('live' in linked)) return;
	const cell = await linked.live.run('print(6 * 7 + 1)', REPL, () => {});
	expect(await cell?.ended).toEqual({kind: 'done'});
	expect(JSON.stringify(cell?.now().outputs)).toContain('43');
	linked.live.close();
};

test.skipIf(missing !== null)(
	'a server with a certificate of its own authority is attached with --ca-file, and later programs need nothing',
	async () => {
		await using jupyter = await jupyterServer();
		await using nginx = await behindTls(jupyter);
		await using local = await ownService();
		const address = `https://127.0.0.1:${nginx.port}/?token=${jupyter.token}`;
		const attach = (settings: Partial<ClientSettings>) =>
			createClient({baseUrl: local.service.url, apiKey: local.key, ...settings}).attachServer({
				address,
				name: 'lab',
			});
		expect(await attach({})).toMatchObject({
			failure: {reason: expect.stringMatching(/is not trusted\. Use svc-tui attach --ca-file FILE/)},
		});
		// The file may also contain a key, which must stay private.
		const folder = dirname(nginx.certFile);
		const both = join(folder, 'both.pem');
		writeFileSync(
			both,
			['key.pem', 'cert.pem'].map(name => readFileSync(join(folder, name), 'utf8')).join(''),
		);
		expect(readFileSync(both, 'utf8')).toMatch(/PRIVATE KEY/);
		expect(await attach({caFile: both})).toMatchObject({ok: true});
		const listed = await createClient({baseUrl: local.service.url, apiKey: local.key}).servers();
		expect(JSON.stringify(listed)).toMatch(/BEGIN CERTIFICATE/);
		expect(JSON.stringify(listed)).not.toMatch(/PRIVATE KEY/);
		await usesAll(local, jupyter, {}, new Set());
	},
);

test.skipIf(missing !== null)('an invalid certificate is refused with a message', async () => {
	await using local = await ownService();
	for (const text of ['hello', readFileSync(import.meta.filename, 'utf8').repeat(100)])
		expect(
			await local.call('POST', '/local/attach', {
				address: 'https://127.0.0.1:1/?token=t',
				certificate_authority: text,
			}),
		).toMatchObject({status: 400, text: expect.stringMatching(/The CA (certificate|file) /)});
});

/** A proxy. It alone can resolve `nb.internal`. */
const proxyTo = async (port: number) => {
	const asked: string[] = [];
	const server = http.createServer().on('connect', (request, socket: net.Socket, head) => {
		asked.push(String(request.url));
		const there = net.connect(port, '127.0.0.1', () => {
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
			there.write(head);
			there.pipe(socket).pipe(there);
		});
		for (const end of [there, socket]) end.on('error', () => [there, socket].map(each => each.destroy()));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		asked,
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async [Symbol.asyncDispose]() {
			server.close();
		},
	};
};

test.skipIf(missing !== null)('a server behind a proxy is attached and used through it', async () => {
	await using jupyter = await jupyterServer();
	await using nginx = await behindTls(jupyter, 'nb.internal');
	await using proxy = await proxyTo(nginx.port);
	const proxyEnv = {HTTPS_PROXY: proxy.url};
	vi.stubEnv('HTTPS_PROXY', proxy.url);
	await using local = await ownService();
	const client = createClient({baseUrl: local.service.url, apiKey: local.key, caFile: nginx.certFile});
	expect(
		await client.attachServer({address: `https://nb.internal/?token=${jupyter.token}`, name: 'lab'}),
	).toMatchObject({ok: true, value: {host: 'nb.internal'}});
	const before = proxy.asked.length;
	await usesAll(local, jupyter, {proxyEnv}, new Set(['https://nb.internal']));
	expect(new Set(proxy.asked)).toEqual(new Set(['nb.internal:443']));
	expect(proxy.asked.length).toBeGreaterThan(before);
});
