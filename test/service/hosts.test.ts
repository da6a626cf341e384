import {execFile} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import https from 'node:https';
import {connect} from 'node:net';
import {networkInterfaces} from 'node:os';
import {join} from 'node:path';
import {connect as connectTls} from 'node:tls';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {createClient} from '../../src/api/client.ts';
import {attachLocal} from '../../src/launch/attach-local.ts';
import {bindingOf, type BindingOptions} from '../../src/service/http/binding.ts';
import {hostValues} from '../../src/service/http/listen.ts';
import {ServeError} from '../../src/service/serve-error.ts';
import {localService, settings} from '../support/local-service.ts';
import {rawRequest, requestBytes} from '../support/raw-request.ts';
import {selfSigned} from '../support/self-signed.ts';
import {tempFolder} from '../support/temp-folder.ts';

/**
 * Another loopback address of this machine. The service treats it like an address that other
 * machines can reach.
 */
const BEYOND = '127.0.0.2';

const identityFiles = (folder: string, name: string): {readonly tlsCert: string; readonly tlsKey: string} => {
	const {cert, key} = selfSigned({name});
	const files = {tlsCert: join(folder, 'cert.pem'), tlsKey: join(folder, 'key.pem')};
	writeFileSync(files.tlsCert, cert);
	writeFileSync(files.tlsKey, key, {mode: 0o600});
	return files;
};

const refusal = (options: BindingOptions): ServeError => {
	try {
		bindingOf(options);
	} catch (error) {
		if (error instanceof ServeError) return error;
		throw error;
	}
	throw new Error('it was not refused');
};

test('without --host only this machine can reach the service, and only by its first address', async () => {
	await using local = await localService();
	const reaches = (address: string): Promise<boolean> =>
		new Promise(resolve => {
			const socket = connect(local.service.port, address, () => resolve(true)).on('error', () =>
				resolve(false),
			);
			socket.on('connect', () => socket.destroy());
		});
	expect([await reaches('127.0.0.1'), await reaches(BEYOND)]).toEqual([true, false]);
	for (const own of Object.values(networkInterfaces()).flat())
		if (own && !own.internal && own.family === 'IPv4')
			expect([own.address, await reaches(own.address)]).toEqual([own.address, false]);
});

test.each([
	[
		'an address of others without anything',
		{host: '0.0.0.0'},
		/"0\.0\.0\.0".*unencrypted.*--tls-cert FILE and --tls-key FILE.*ssh -L/,
	],
	['every IPv6 address', {host: '::'}, /unencrypted/],
	[
		'a name beyond this machine',
		{host: 'notebooks.example.com', allowHosts: ['notebooks.example.com']},
		/unencrypted/,
	],
	['plain HTTP without a name', {host: '0.0.0.0', insecureHttp: true}, /--allow-host NAME/],
	['plain HTTP where nobody else is', {insecureHttp: true}, /--insecure-http is only for/],
	['a name with a port', {allowHosts: ['a.example:8443']}, /without port/],
	['a name that is an address of the web', {allowHosts: ['https://a.example']}, /without port and https/],
	['any name', {allowHosts: ['*']}, /not a host name/],
	['an empty name', {allowHosts: ['']}, /not a host name/],
	['a certificate without its key', {tlsCert: 'cert.pem'}, /belong together/],
	[
		'files that are not there',
		{tlsCert: '/none/cert.pem', tlsKey: '/none/key.pem'},
		/--tls-cert \/none\/cert\.pem cannot be read \(ENOENT\)/,
	],
] as const)('%s is refused as wrong usage', (_, options, sentence) => {
	expect(refusal(options)).toMatchObject({exitCode: 2, message: expect.stringMatching(sentence)});
});

test('a certificate with a foreign key, or a file that is not PEM, is refused without quoting it', () => {
	using temp = tempFolder();
	const files = identityFiles(temp.path, BEYOND);
	writeFileSync(files.tlsKey, selfSigned().key);
	expect(refusal(files)).toMatchObject({
		exitCode: 2,
		message: expect.stringContaining('cannot be used together'),
	});
	writeFileSync(files.tlsKey, '-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----\n');
	const {message} = refusal(files);
	expect(message).not.toContain('canary');
	expect(refusal({...identityFiles(temp.path, BEYOND), host: '0.0.0.0'})).toMatchObject({
		message: expect.stringContaining('--allow-host'),
	});
	expect(
		refusal({...identityFiles(temp.path, BEYOND), host: '0.0.0.0', allowHosts: ['a'], insecureHttp: true}),
	).toMatchObject({message: expect.stringContaining('cannot be combined')});
});

test('a client omits the usual port of its scheme, and only that', () => {
	expect([...hostValues(['a.example', '::1'], 443, true)]).toEqual([
		'a.example:443',
		'a.example',
		'[::1]:443',
		'[::1]',
	]);
	expect([...hostValues(['a.example'], 443, false)]).toEqual(['a.example:443']);
	expect([...hostValues(['a.example'], 80, false)]).toEqual(['a.example:80', 'a.example']);
});

test('beyond this machine the service speaks HTTPS under the name that was allowed, and our own client uses all of it', async () => {
	using temp = tempFolder();
	const files = identityFiles(temp.path, BEYOND);
	await using local = await localService({
		dataFolder: join(temp.path, 'data'),
		host: BEYOND,
		allowHosts: [BEYOND, 'Notebooks.Example'],
		...files,
	});
	expect(local.service.url).toBe(`https://${BEYOND}:${local.service.port}`);
	const client = createClient({baseUrl: local.service.url, apiKey: local.key, caFile: files.tlsCert});
	expect(await client.startServer('welcome', settings)).toMatchObject({ok: true});
	await expect
		.poll(async () => client.servers())
		.toMatchObject({
			ok: true,
			value: {
				items: [
					{name: 'welcome', status: 'ready', url: `${local.service.url}/user/local@localhost/welcome/`},
				],
			},
		});
	expect(
		await client.putFile('welcome', 'a.txt', {type: 'file', format: 'text', content: 'x'.repeat(300_000)}),
	).toMatchObject({ok: true});
	expect(await client.getFile('welcome', 'a.txt')).toMatchObject({
		ok: true,
		value: {content: 'x'.repeat(300_000)},
	});
	expect(await client.runCode('welcome', {code: 'x = 5\nprint x', kernel_name: 'python3'})).toMatchObject({
		ok: true,
		value: {outputs: [{text: '5\n'}]},
	});
	expect(await client.chat('welcome', 'model_2', [{role: 'user', content: 'len'}])).toMatchObject({
		ok: true,
		value: {complete: true},
	});
	// A client that does not trust the certificate never sends the key.
	expect(await createClient({baseUrl: local.service.url, apiKey: local.key}).servers()).toMatchObject({
		ok: false,
		failure: {kind: 'tls'},
	});
});

test.each([
	['the allowed name', 'notebooks.example:PORT', 200],
	['the allowed name in capitals', 'NOTEBOOKS.example:PORT', 200],
	['this machine', 'localhost:PORT', 200],
	['the allowed name without the port', 'notebooks.example', 403],
	['the allowed name with another port', 'notebooks.example:1', 403],
	['the address that it listens on, which was not allowed', `${BEYOND}:PORT`, 403],
	['a name below the allowed one', 'x.notebooks.example:PORT', 403],
	['a name that begins like it', 'notebooks.example.evil.test:PORT', 403],
])('over HTTPS a request for %s', async (_, host, status) => {
	using temp = tempFolder();
	const files = identityFiles(temp.path, 'notebooks.example');
	await using local = await localService({
		dataFolder: join(temp.path, 'data'),
		host: BEYOND,
		allowHosts: ['notebooks.example'],
		...files,
	});
	const answered = await new Promise<number | undefined>((resolve, reject) => {
		https
			.get(
				{
					host: BEYOND,
					port: local.service.port,
					path: '/api/servers',
					rejectUnauthorized: false,
					agent: false,
					headers: {apiKey: local.key, host: host.replace('PORT', String(local.service.port))},
				},
				response => {
					response.resume();
					resolve(response.statusCode);
				},
			)
			.on('error', reject);
	});
	expect(answered).toBe(status);
});

test('a TLS handshake that never ends is closed, and silent ones make room for new clients', async () => {
	using temp = tempFolder();
	const files = identityFiles(temp.path, BEYOND);
	await using local = await localService({
		dataFolder: join(temp.path, 'data'),
		host: BEYOND,
		allowHosts: [BEYOND],
		...files,
		listenerLimits: {head: 2000, check: 20, connections: 4},
	});
	const closed = new Promise<void>(resolve => {
		const silent = connect(local.service.port, BEYOND)
			.on('error', () => {})
			.on('close', () => resolve());
		silent.resume();
	});
	const handshaken = connectTls({host: BEYOND, port: local.service.port, rejectUnauthorized: false})
		.on('error', () => {})
		.resume();
	const ended = new Promise(resolve => {
		handshaken.once('close', resolve);
	});
	const crowd = Array.from({length: 12}, () =>
		connect(local.service.port, BEYOND)
			.on('error', () => {})
			.resume(),
	);
	const client = createClient({baseUrl: local.service.url, apiKey: local.key, caFile: files.tlsCert});
	expect(await client.servers()).toMatchObject({ok: true});
	await Promise.all([closed, ended]);
	for (const socket of crowd) socket.destroy();
});

test('plain HTTP sent to the HTTPS port gets no answer', async () => {
	using temp = tempFolder();
	await using local = await localService({
		dataFolder: join(temp.path, 'data'),
		...identityFiles(temp.path, '127.0.0.1'),
	});
	expect(local.service.url).toMatch(/^https:\/\/127\.0\.0\.1:/);
	expect(
		(
			await rawRequest(
				local.service.port,
				requestBytes('GET /api/servers', {Host: `127.0.0.1:${local.service.port}`, apiKey: local.key}),
			)
		).status,
	).toBe(0);
});

test('a program that looks for its local service learns how to reach a shared one', async () => {
	using temp = tempFolder();
	const dataFolder = join(temp.path, 'data');
	await using local = await localService({
		dataFolder,
		host: BEYOND,
		allowHosts: [BEYOND],
		...identityFiles(temp.path, BEYOND),
	});
	await expect(attachLocal({dataFolder, program: ['false']})).rejects.toMatchObject({
		code: 'config',
		message: expect.stringContaining(
			`Set SVC_BASE_URL to that address and SVC_API_KEY to your key, which is in ${join(dataFolder, 'key')}`,
		),
	});
	expect(local.service.url).toContain('https');
});

const boot = fileURLToPath(new URL('../../src/app/boot.ts', import.meta.url));
const ownAddress = Object.values(networkInterfaces())
	.flat()
	.find(own => own?.family === 'IPv4' && !own.internal)?.address;

test.skipIf(ownAddress === undefined)(
	'plain HTTP beyond this machine works when both ends ask for it, and not when the client does not (needs a network address)',
	async () => {
		const address = ownAddress ?? '';
		await using local = await localService({host: address, allowHosts: [address], insecureHttp: true});
		expect(local.service.url).toBe(`http://${address}:${local.service.port}`);
		const servers = (...options: readonly string[]) =>
			promisify(execFile)(
				process.execPath,
				[boot, '--base-url', local.service.url, ...options, 'servers', '--json'],
				{env: {...process.env, SVC_API_KEY: local.key}},
			);
		const {stdout} = await servers('--insecure-http');
		expect(JSON.parse(stdout)).toMatchObject([{name: 'welcome'}]);
		await expect(servers()).rejects.toMatchObject({code: 2, stderr: expect.stringContaining('unencrypted')});
	},
);
