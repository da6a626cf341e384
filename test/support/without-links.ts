import {once} from 'node:events';
import http from 'node:http';
import type {AddressInfo} from 'node:net';
import {buffer} from 'node:stream/consumers';

export type LinklessService = AsyncDisposable & {readonly url: string};

/**
 * A proxy to the service that reports servers without a reachable address, so code runs through the
 * service.
 */
export const withoutLinks = async (target: string): Promise<LinklessService> => {
	const server = http.createServer((request, response) => {
		void (async () => {
			const body = await buffer(request);
			const {host: _, connection: __, ...headers} = request.headers;
			const cut = new AbortController();
			response.on('close', () => cut.abort());
			const answer = await fetch(`${target}${request.url}`, {
				method: request.method ?? 'GET',
				headers: headers as Record<string, string>,
				...(body.length > 0 && {body}),
				signal: cut.signal,
			});
			const text = await answer.text();
			response
				.writeHead(answer.status, {'content-type': answer.headers.get('content-type') ?? 'application/json'})
				.end(
					request.url === '/api/servers'
						? text.replaceAll(/"url":"[^"]*"/g, '"url":"https://lab.example/"')
						: text,
				);
		})().catch(() => response.destroy());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
};
