import {once} from 'node:events';
import {get, type IncomingMessage} from 'node:http';
import {connect, type AddressInfo} from 'node:net';
import {expect, test} from 'vitest';
import {capacity} from '../../src/service/http/admission.ts';
import {trustedProxies} from '../../src/service/http/client-address.ts';
import {createListener, listenerLimits} from '../../src/service/http/listener.ts';
import type {Route} from '../../src/service/http/route.ts';

test('a client that leaves while its key is looked up takes no place from the next one', async () => {
	const route: Route = {method: 'GET', path: '/', answer: () => ({headers: {}, body: 'ok'})};
	const asked = Promise.withResolvers<void>();
	const left = Promise.withResolvers<void>();
	let isFirst = true;
	const judge = async ({socket}: IncomingMessage) => {
		if (isFirst) {
			isFirst = false;
			asked.resolve();
			// This hub never responds before the client has disconnected.
			await once(socket, 'close');
			left.resolve();
		}
		return {caller: {user: 'ann@example.com', key: 'key'}, route, params: {}};
	};
	const server = createListener({
		judge,
		log: {line() {}, failure: () => '', close() {}},
		closing: () => false,
		identity: null,
		limits: {...listenerLimits, capacity: {...capacity, request: 1}},
		proxies: trustedProxies([]),
		proxyRouteOf: () => undefined,
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	const client = connect(port, '127.0.0.1');
	client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
	await asked.promise;
	client.destroy();
	await left.promise;
	const [answer] = (await once(get({port, host: '127.0.0.1', agent: false}), 'response')) as [
		IncomingMessage,
	];
	expect(answer.statusCode).toBe(200);
	answer.resume();
	server.close();
});
