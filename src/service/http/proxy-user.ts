import type {IncomingMessage} from 'node:http';
import {usageError} from '../serve-error.ts';
import {userPattern} from '../user-name.ts';
import type {TrustedProxies} from './client-address.ts';
import {ServiceFault} from './fault.ts';

/**
 * Returns the user whom a trusted proxy has signed in. Null if the request did not come through the
 * proxy or names no user. It then needs a key.
 * @throws {ServiceFault} 401 for a value that cannot be a user name, such as two joined names.
 */
export type ProxyUser = (request: IncomingMessage) => string | null;

export const noProxyUser: ProxyUser = () => null;

/** Headers that clients or HTTP itself use for other purposes. */
const TAKEN = new Set(['apikey', 'authorization', 'connection', 'content-type', 'cookie', 'host', 'origin']);

/**
 * Creates the function for the option --user-header.
 * @throws {ServeError} 2 if `header` cannot be used, or if there is no trusted proxy.
 */
export const createProxyUser = (
	header: string | undefined,
	proxies: TrustedProxies,
	hasProxies: boolean,
): ProxyUser => {
	if (header === undefined) return noProxyUser;
	const name = header.toLowerCase();
	if (!/^[a-z\d-]{1,100}$/.test(name) || TAKEN.has(name))
		throw usageError(
			`--user-header ${JSON.stringify(header)} cannot name a user: give the header that the proxy sets, such as X-Auth-Request-Email.`,
		);
	if (!hasProxies)
		throw usageError(
			'--user-header needs --trusted-proxy with the address of the proxy that sets it: any other client could claim to be any user.',
		);
	return request => {
		const value = request.headers[name];
		if (value === undefined || value === '' || !proxies.has(request.socket.remoteAddress ?? '')) return null;
		if (typeof value === 'string' && userPattern.test(value)) return value;
		throw new ServiceFault(
			401,
			`The proxy's header ${header} names no user: a user has up to 254 letters, digits and . _ + - @.`,
		);
	};
};
