import type {Server} from 'node:http';
import {ServeError} from '../serve-error.ts';

/** `host:port` as in a URL, where an IPv6 address has brackets. */
export const authority = (address: string, port: number): string =>
	`${address.includes(':') ? `[${address}]` : address}:${port}`;

/**
 * Accepted `Host` values. Includes the names without a port if it is the scheme's default port,
 * because clients then omit it.
 */
export const hostValues = (names: readonly string[], port: number, secure: boolean): ReadonlySet<string> => {
	const usual = port === (secure ? 443 : 80);
	return new Set(
		names.flatMap(name => [
			authority(name, port),
			...(usual ? [authority(name, port).replace(/:\d+$/, '')] : []),
		]),
	);
};

/** Names of the options that set port and address, for use in messages. */
export type AddressOptions = {readonly port: string; readonly host: string};

const reasonsOf = ({port, host}: AddressOptions): Readonly<Record<string, string>> => ({
	EADDRINUSE: `another program uses it. Choose another one with ${port}`,
	EACCES: `this user may not use it. Choose one above 1023 with ${port}`,
	EADDRNOTAVAIL: `this machine does not have that address. Choose one of its own with ${host}`,
	ENOTFOUND: `that host has no address. Choose an address of this machine with ${host}`,
});

/**
 * Listens on an address. Returns the port, which is a free one if 0 is given.
 * @throws {ServeError} 69 if it cannot be bound.
 */
export const listen = (
	server: Server,
	port: number,
	address: string,
	options: AddressOptions = {port: '--port', host: '--host'},
): Promise<number> =>
	new Promise((resolve, reject) => {
		server.once('error', (error: NodeJS.ErrnoException) => {
			const why =
				reasonsOf(options)[error.code ?? ''] ??
				`${error.code ?? 'unknown error'}. Choose another one with ${options.port}`;
			reject(new ServeError(69, `The service cannot listen on port ${port} of ${address}: ${why}.`));
		});
		server.listen(port, address, () => {
			const bound = server.address();
			resolve(typeof bound === 'object' && bound ? bound.port : port);
		});
	});
