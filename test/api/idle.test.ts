import {writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import https from 'node:https';
import type {AddressInfo, Socket} from 'node:net';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {createClient} from '../../src/api/client.ts';
import {selfSigned} from '../support/self-signed.ts';
import {tempFolder} from '../support/temp-folder.ts';

const ANSWER =
	'f:{"messageId":"m"}\n0:"yes"\nd:{"finishReason":"stop","usage":{"promptTokens":1,"completionTokens":1}}\n';

test('a list or an answer asked for after the service has closed the idle connection comes all the same, and is asked for once more only', async () => {
	const sockets = new Set<Socket>();
	let asked = 0;
	const server = createServer((request, response) => {
		asked++;
		if (request.method === 'GET')
			response.setHeader('content-type', 'application/json').end('{"status":"success","environments":[]}');
		else request.resume().on('end', () => response.setHeader('content-type', 'text/plain').end(ANSWER));
	});
	server.on('connection', socket => sockets.add(socket));
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	try {
		const client = createClient({
			baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
			apiKey: 'key',
		});
		expect((await client.environments()).ok).toBe(true);
		// Resets the sockets, then sends a request before the client's event loop has noticed the
		// reset. This happens when a process was busy or a laptop wakes up.
		for (const socket of sockets) socket.resetAndDestroy();
		expect(await client.environments()).toMatchObject({ok: true});
		expect([asked, sockets.size]).toEqual([2, 2]);
		for (const socket of sockets) socket.resetAndDestroy();
		expect(await client.chat('s', 'model_1', [{role: 'user', content: 'why?'}])).toMatchObject({
			ok: true,
			value: {content: 'yes', complete: true},
		});
		expect([asked, sockets.size]).toEqual([3, 3]);
	} finally {
		server.closeAllConnections();
		server.close();
	}
});

const CELL =
	'{"status":"success","content":{"cell_type":"code","execution_count":1,"metadata":{},"source":"","outputs":[]}}';
const run = {code: '1', kernel_name: 'python3'};

test('a change uses a new connection, so that none is lost on one that a suspended service has dropped', async () => {
	let asked = 0;
	const server = createServer((request, response) => {
		asked++;
		// Like many services, this one keeps connections alive without sending a keep-alive time.
		response.shouldKeepAlive = true;
		request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(CELL));
	});
	server.keepAliveTimeout = 0;
	const sockets = new Set<Socket>();
	server.on('connection', socket => sockets.add(socket));
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	try {
		const client = createClient({
			baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
			apiKey: 'key',
		});
		for (let cell = 1; cell <= 3; cell++) {
			expect(await client.runCode('s', run)).toMatchObject({ok: true});
			for (const socket of sockets) socket.resetAndDestroy();
		}
		expect([asked, sockets.size]).toEqual([3, 3]);
	} finally {
		server.closeAllConnections();
		server.close();
	}
});

test('over TLS a connection that was used a moment ago is used again, and one older than 3 s by the clock of the day is not', async () => {
	const identity = selfSigned();
	using temp = tempFolder();
	const caFile = join(temp.path, 'ca.pem');
	writeFileSync(caFile, identity.cert);
	let connections = 0;
	const server = https.createServer(identity, (request, response) => {
		request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(CELL));
	});
	server.keepAliveTimeout = 60_000;
	server.on('secureConnection', () => connections++);
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const now = vi.spyOn(Date, 'now');
	try {
		const client = createClient({
			baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
			apiKey: 'key',
			caFile,
		});
		const at = Date.now();
		now.mockReturnValue(at);
		expect(await client.runCode('s', run)).toMatchObject({ok: true});
		expect(await client.runCode('s', run)).toMatchObject({ok: true});
		expect(connections).toBe(1);
		// Timers stop while a laptop sleeps, but the clock does not.
		now.mockReturnValue(at + 60_000);
		expect(await client.runCode('s', run)).toMatchObject({ok: true});
		expect(connections).toBe(2);
	} finally {
		now.mockRestore();
		server.closeAllConnections();
		server.close();
	}
});
