// A proxy that decrypts HTTPS with its own certificate, as many companies use.
import {once} from 'node:events';
import http from 'node:http';
import https from 'node:https';
import {connect, type AddressInfo, type Socket} from 'node:net';
import {selfSigned} from './self-signed.ts';

export type InterceptingProxy = AsyncDisposable & {
	/** Value of HTTPS_PROXY. */
	readonly url: string;
	/** Certificate of the proxy's authority, as PEM. */
	readonly cert: string;
	/** Hosts that clients connected to. */
	readonly hosts: readonly string[];
};

/** Starts the proxy for one host. Its requests are sent to the server that `toServer` returns. */
export const interceptingProxy = async (
	host: string,
	toServer: (path: string) => string,
): Promise<InterceptingProxy> => {
	const identity = selfSigned({name: host});
	const hosts: string[] = [];
	const sockets = new Set<Socket>();
	const reader = https.createServer(identity, (request, response) => {
		const {method, headers, url = '/'} = request;
		const onward = http.request(new URL(url, toServer(url)), {method, headers}, received => {
			response.writeHead(received.statusCode ?? 502, received.headers);
			received.pipe(response);
		});
		onward.on('error', () => response.destroy());
		request.pipe(onward);
	});
	await once(reader.listen(0, '127.0.0.1'), 'listening');
	const proxy = http.createServer((_, response) => response.writeHead(403).end());
	proxy.on('connect', ({url = ''}: http.IncomingMessage, client: Socket) => {
		hosts.push(url);
		const to = connect((reader.address() as AddressInfo).port, '127.0.0.1');
		for (const socket of [client, to]) {
			sockets.add(socket);
			socket.on('error', () => {
				client.destroy();
				to.destroy();
			});
		}
		client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
		client.pipe(to).pipe(client);
	});
	await once(proxy.listen(0, '127.0.0.1'), 'listening');
	return {
		url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
		cert: identity.cert,
		hosts,
		async [Symbol.asyncDispose]() {
			for (const socket of sockets) socket.destroy();
			for (const server of [proxy, reader]) {
				server.closeAllConnections();
				await new Promise(resolve => server.close(resolve));
			}
		},
	};
};
