import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {describe, expect, test} from 'vitest';
import type {Client} from '../../src/api/client-types.ts';
import {explainFailure, type Failure} from '../../src/api/failure.ts';
import {answering, connect, drip, httpPeer, limited, rawPeer, tlsPeer} from '../support/peer.ts';
import {valueOf} from './describe-client.ts';
import {selfSigned} from '../support/self-signed.ts';

const CREATE = {environment: 'ai', port: 8888, server_name: 'trainer', server_request: 'svc-medium'};
const UPLOAD = {content: 'text', format: 'text', type: 'file'} as const;

const failureOf = (reply: {readonly ok: boolean; readonly failure?: Failure}): Failure => {
	if (!reply.failure) throw new Error('the call did not fail');
	return reply.failure;
};

/** Calls that may change data on the service, one of each kind. */
const changes: readonly (readonly [
	string,
	(client: Client) => ReturnType<Client['createServer' | 'putFile' | 'runCode']>,
])[] = [
	['F9 a create', client => client.createServer(CREATE)],
	['F10 an upload', client => client.putFile('s', 'a.txt', UPLOAD)],
	['F11 a run', client => client.runCode('s', {code: '1', kernel_name: 'python3'})],
];

const pemFile = async (pem: string) => {
	const folder = await mkdtemp(join(tmpdir(), 'svc-pem-'));
	const path = join(folder, 'ca.pem');
	await writeFile(path, pem);
	return {path, [Symbol.asyncDispose]: () => rm(folder, {recursive: true})};
};

const closedUrl = async (): Promise<string> => {
	await using peer = await answering(200);
	return peer.url;
};

test('a port without a listener is named, and nothing was sent', async () => {
	const url = await closedUrl();
	const failure = failureOf(await connect(url).servers());
	expect(failure).toEqual({
		curl: expect.stringContaining('/api/servers'),
		kind: 'unreachable',
		method: 'GET',
		path: '/api/servers',
		message: `Cannot reach ${new URL(url).host}: connection refused.`,
	});
	expect(failureOf(await connect(url).createServer(CREATE))).not.toHaveProperty('ambiguous');
});

test('a host name that does not exist is named', async () => {
	const failure = failureOf(await connect('https://no-such-host.invalid').servers());
	expect(failure).toMatchObject({
		kind: 'unreachable',
		message: expect.stringContaining('no-such-host.invalid'),
	});
});

test('a peer that accepts and then never speaks TLS is not reached', async () => {
	await using peer = await rawPeer(() => {});
	const url = peer.url.replace('http:', 'https:');
	const failure = failureOf(
		await connect(url, limited({change: {timeout: {secureConnect: 100}}})).createServer(CREATE),
	);
	expect(failure.kind).toBe('unreachable');
	expect(failure.message).toContain('no response while connecting for 0.1 s');
	expect(failure).not.toHaveProperty('ambiguous');
});

test('a plain HTTP port asked for TLS is distinguished from a lost connection', async () => {
	await using peer = await answering(200);
	expect(failureOf(await connect(peer.url.replace('http:', 'https:')).servers())).toMatchObject({
		kind: 'tls',
		message: expect.stringContaining('does not use TLS'),
	});
});

describe('a certificate', () => {
	test.each([
		['of its own', {}, 'its certificate is self-signed'],
		['that has expired', {until: new Date(Date.now() - 60_000)}, 'its certificate has expired'],
		['for another name', {name: 'other.example'}, 'its certificate is for another name'],
	])('%s is reported, and no request is sent', async (_, options, reason) => {
		const identity = selfSigned(options);
		await using peer = await tlsPeer(identity);
		await using trusted = await pemFile(identity.cert);
		const failure = failureOf(
			await connect(
				peer.url,
				undefined,
				reason.includes('self-signed') ? {} : {caFile: trusted.path},
			).createServer(CREATE),
		);
		expect(failure).toEqual({
			curl: expect.stringContaining('/api/servers'),
			kind: 'tls',
			method: 'POST',
			path: '/api/servers',
			message: `Cannot connect securely to ${new URL(peer.url).host}: ${reason}.`,
		});
		expect(peer.asked).toEqual([]);
	});

	test('of an authority that the settings name is trusted', async () => {
		const identity = selfSigned();
		await using peer = await tlsPeer(identity);
		await using trusted = await pemFile(identity.cert);
		expect(valueOf(await connect(peer.url, undefined, {caFile: trusted.path}).servers()).items).toEqual([]);
	});
});

test('a request without a response is abandoned at the time limit, and sent only once', async () => {
	await using peer = await httpPeer(() => {});
	const failure = failureOf(await connect(peer.url, limited({list: {timeout: {response: 100}}})).servers());
	expect(failure).toEqual({
		curl: expect.stringContaining('/api/servers'),
		kind: 'timeout',
		method: 'GET',
		path: '/api/servers',
		message: `${new URL(peer.url).host} sent no response for 0.1 s.`,
	});
	// The time limit may pass before the peer has read the request, if the machine is busy.
	await expect.poll(() => peer.asked).toEqual(['GET /api/servers']);
	await expect.poll(peer.open).toBe(0);
});

describe.each(changes)('%s', (_, change) => {
	test('whose answer is lost may have been done, and is not sent again', async () => {
		await using peer = await httpPeer(response => response.destroy());
		expect(failureOf(await change(connect(peer.url)))).toMatchObject({
			kind: 'connection-lost',
			ambiguous: true,
		});
		expect(peer.asked).toHaveLength(1);
	});

	test('whose answer breaks off may have been done', async () => {
		await using peer = await httpPeer(response => {
			response.writeHead(200, {'content-length': 100}).write('{"status"', () => response.destroy());
		});
		expect(failureOf(await change(connect(peer.url)))).toMatchObject({
			kind: 'connection-lost',
			status: 200,
			ambiguous: true,
		});
	});

	test('that a gateway answers with 502 may have been done, and is not sent again', async () => {
		await using peer = await answering(502);
		expect(failureOf(await change(connect(peer.url)))).toMatchObject({
			kind: 'server',
			status: 502,
			ambiguous: true,
		});
		expect(peer.asked).toHaveLength(1);
	});
});

test('a small body that unpacks to a large one is abandoned at the limit', async () => {
	await using peer = await answering(200, gzipSync(Buffer.alloc(64 << 20)), {'content-encoding': 'gzip'});
	expect(failureOf(await connect(peer.url).servers())).toMatchObject({
		kind: 'too-large',
		message: expect.stringContaining('larger than 32 MiB'),
	});
});

test('an endless body is abandoned at the limit, and the service sees that', async () => {
	await using peer = await httpPeer(response => {
		const more = () => {
			while (!response.destroyed && response.write(Buffer.alloc(1 << 16, 'x')));
		};
		response.on('drain', more);
		more();
	});
	expect(failureOf(await connect(peer.url, limited({file: {cap: 1 << 20}})).getFile('s', 'a'))).toMatchObject(
		{kind: 'too-large', message: expect.stringContaining('larger than 1 MiB')},
	);
	await expect.poll(peer.open).toBe(0);
});

test('a file announced as larger than the limit is refused before its body arrives', async () => {
	const size = 400 << 20;
	await using peer = await httpPeer(response => {
		// The body never arrives, so a caller that waited for its first byte would hang.
		response.writeHead(200, {'content-length': size}).flushHeaders();
	});
	expect(failureOf(await connect(peer.url).getFile('s', 'a.csv'))).toMatchObject({
		kind: 'too-large',
		status: 200,
		message: expect.stringMatching(/has 400 MiB; the limit is 160 MiB/),
		advice: expect.stringContaining('Read a part of it in a cell'),
	});
	await expect.poll(peer.open).toBe(0);
});

test('a file that the service refuses for its size is read in parts', async () => {
	await using peer = await answering(413, '{"message":"400 MiB."}');
	expect(failureOf(await connect(peer.url).getFile('s', 'a.csv'))).toMatchObject({
		kind: 'too-large',
		message: expect.stringContaining('refused to send that much (413): 400 MiB.'),
		advice: expect.stringContaining('Read a part of it in a cell'),
	});
});

test('an answer that cannot be unpacked is damaged', async () => {
	await using peer = await answering(200, 'not gzip', {'content-encoding': 'gzip'});
	expect(failureOf(await connect(peer.url).servers())).toMatchObject({
		kind: 'off-contract',
		message: expect.stringContaining('damaged'),
	});
});

test('a body that trickles in is abandoned at the time limit', async () => {
	await using peer = await httpPeer(response => {
		drip(response, ' ');
	});
	const failure = failureOf(await connect(peer.url, limited({list: {timeout: {request: 150}}})).servers());
	expect(failure).toMatchObject({
		kind: 'timeout',
		message: expect.stringContaining('incomplete after 0.15 s'),
	});
	await expect.poll(peer.open).toBe(0);
});

test('headers of 40 KB are an invalid response', async () => {
	await using peer = await answering(200, '{}', {'x-large': 'x'.repeat(40_000)});
	expect(failureOf(await connect(peer.url).servers())).toMatchObject({
		kind: 'not-http',
		message: expect.stringContaining('headers are too large'),
	});
});

test.each([
	['HTTP/1.1 200 OK\r\nx-bro ken: 1\r\n\r\n', 'a header line is malformed'],
	['HTTP/1.1 200 OK\r\nx-bell: a\u0007b\r\n\r\n', 'a header line is malformed'],
	['HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n', 'its Content-Length is not a number'],
	['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 'its chunks are malformed'],
])(
	'a response that starts as HTTP and breaks it is a fault of the service, not of the address: %j',
	async (head, why) => {
		await using peer = await rawPeer(socket => socket.once('data', () => socket.end(head)));
		const reply = await connect(peer.url).servers();
		if (reply.ok) throw new Error('the call did not fail');
		expect(explainFailure(reply.failure)).toEqual({
			what: `The response from ${new URL(peer.url).host} is invalid: ${why}.`,
			next: expect.stringContaining('violates HTTP'),
		});
	},
);

test('an SSH port is not an HTTP service', async () => {
	await using peer = await rawPeer(socket => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
	expect(failureOf(await connect(peer.url).servers())).toMatchObject({
		kind: 'not-http',
		message: expect.stringContaining('does not speak HTTP'),
	});
});

describe('a proxy', () => {
	test('that is not there is named instead of the service', async () => {
		const HTTPS_PROXY = await closedUrl();
		const failure = failureOf(
			await connect('https://service.invalid', undefined, {proxyEnv: {HTTPS_PROXY}}).servers(),
		);
		expect(failure).toMatchObject({
			kind: 'unreachable',
			message: `Cannot reach service.invalid: its proxy ${new URL(HTTPS_PROXY).host} cannot be reached.`,
		});
	});

	test('that will not connect is named', async () => {
		await using proxy = await rawPeer(socket =>
			socket.once('data', () =>
				socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n'),
			),
		);
		const failure = failureOf(
			await connect('https://service.invalid', undefined, {proxyEnv: {HTTPS_PROXY: proxy.url}}).createServer(
				CREATE,
			),
		);
		expect(failure).toMatchObject({kind: 'unreachable', message: expect.stringContaining('the proxy')});
		expect(failure).not.toHaveProperty('ambiguous');
	});

	test('is never used for a service on this machine', async () => {
		await using proxy = await answering(407);
		await using service = await answering(200, '{"status":"success","servers":[]}');
		expect(
			valueOf(await connect(service.url, undefined, {proxyEnv: {HTTP_PROXY: proxy.url}}).servers()).items,
		).toEqual([]);
		expect(proxy.accepted()).toBe(0);
	});
});

describe('a call that the user stops', () => {
	test('reaches the service at once, regardless of its state', async () => {
		await using peer = await httpPeer(() => {});
		const stop = new AbortController();
		const reply = connect(peer.url).runCode(
			's',
			{code: 'while True: pass', kernel_name: 'python3'},
			{signal: stop.signal},
		);
		await expect.poll(() => peer.asked).toHaveLength(1);
		stop.abort();
		expect(failureOf(await reply)).toMatchObject({kind: 'cancelled', ambiguous: true});
		await expect.poll(peer.open).toBe(0);
	});

	test('before the start is not sent', async () => {
		await using peer = await answering(200);
		const failure = failureOf(await connect(peer.url).createServer(CREATE, {signal: AbortSignal.abort()}));
		expect(failure.kind).toBe('cancelled');
		expect(failure).not.toHaveProperty('ambiguous');
		expect(peer.accepted()).toBe(0);
	});
});

test('one call after the other uses one connection', async () => {
	await using peer = await answering(200, '{"status":"success","servers":[]}');
	const client = connect(peer.url);
	for (let call = 0; call < 5; call++) valueOf(await client.servers());
	expect(peer.accepted()).toBe(1);
});
