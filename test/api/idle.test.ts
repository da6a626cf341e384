import {createServer} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import {expect, test} from 'vitest';
import {createClient} from '../../src/api/client.ts';

test('a list asked for after the service has closed the idle connection comes all the same, and is asked for once more only', async () => {
	const sockets = new Set<Socket>();
	let asked = 0;
	const server = createServer((_, response) => {
		asked++;
		response.setHeader('content-type', 'application/json').end('{"status":"success","environments":[]}');
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
	} finally {
		server.closeAllConnections();
		server.close();
	}
});
