import {createServer} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import {expect, test, vi} from 'vitest';
import {createClient} from '../../src/api/client.ts';

const ANSWER = 'f:{"messageId":"m"}\n0:"yes"\nd:{"finishReason":"stop","usage":{"promptTokens":1,"completionTokens":1}}\n';

test('a list or an answer asked for after the service has closed the idle connection comes all the same, and is asked for once more only', async () => {
	const sockets = new Set<Socket>();
	let asked = 0;
	const server = createServer((request, response) => {
		asked++;
		if (request.method === 'GET') response.setHeader('content-type', 'application/json').end('{"status":"success","environments":[]}');
		else request.resume().on('end', () => response.setHeader('content-type', 'text/plain').end(ANSWER));
	});
	server.on('connection', socket => sockets.add(socket));
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	try {
		const client = createClient({baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'key'});
		expect((await client.environments()).ok).toBe(true);
		// Reset, and asked again before the client's event loop has seen it: as after a busy moment, or when a laptop wakes up.
		for (const socket of sockets) socket.resetAndDestroy();
		expect(await client.environments()).toMatchObject({ok: true});
		expect([asked, sockets.size]).toEqual([2, 2]);
		for (const socket of sockets) socket.resetAndDestroy();
		expect(await client.chat('s', 'model_1', [{role: 'user', content: 'why?'}])).toMatchObject({ok: true, value: {content: 'yes', complete: true}});
		expect([asked, sockets.size]).toEqual([3, 3]);
	} finally {
		server.closeAllConnections();
		server.close();
	}
});

test('what changes something is not sent over a connection that has been idle for long', async () => {
	const sockets = new Set<Socket>();
	const server = createServer((request, response) => {
		// No word about how long it keeps a connection, as many services.
		response.shouldKeepAlive = true;
		request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{"status":"success","content":{"cell_type":"code","execution_count":1,"metadata":{},"source":"","outputs":[]}}'));
	});
	server.keepAliveTimeout = 0;
	server.on('connection', socket => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	try {
		const client = createClient({baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'key'});
		expect(await client.runCode('s', {code: '1', kernel_name: 'python3'})).toMatchObject({ok: true});
		expect(sockets.size).toBe(1);
		await vi.waitFor(() => expect(sockets.size).toBe(0), {timeout: 10_000});
	} finally {
		server.closeAllConnections();
		server.close();
	}
});
