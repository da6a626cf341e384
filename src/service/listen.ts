import type {Server} from 'node:http';
import {ServeError} from './serve-error.ts';

/**
 * The address to bind for `--host`.
 * @throws {ServeError} 2 for anything but a loopback name: without TLS the key would travel in the clear.
 */
export const loopbackAddress = (host: string): '127.0.0.1' | '::1' => {
	if (host === 'localhost' || host === '127.0.0.1') return '127.0.0.1';
	if (host === '::1' || host === '[::1]') return '::1';
	throw new ServeError(2, `The service listens on this machine only: --host can be 127.0.0.1, localhost or ::1, not ${JSON.stringify(host)}. To use it from another machine, forward its port with ssh -L.`);
};

/** `host:port` as a URL has it. */
export const authority = (address: string, port: number): string => `${address.includes(':') ? `[${address}]` : address}:${port}`;

/**
 * Binds the port, 0 for any free one, and answers the one that it got.
 * @throws {ServeError} 69
 */
export const listen = (server: Server, port: number, address: string): Promise<number> =>
	new Promise((resolve, reject) => {
		server.once('error', (error: NodeJS.ErrnoException) => {
			const why = error.code === 'EADDRINUSE' ? 'another program uses it' : (error.code ?? 'unknown error');
			reject(new ServeError(69, `The service cannot listen on port ${port}: ${why}. Choose another one with --port.`));
		});
		server.listen(port, address, () => {
			const bound = server.address();
			resolve(typeof bound === 'object' && bound ? bound.port : port);
		});
	});
