import {isLoopback} from '../../machine/loopback.ts';
import {usageError} from '../serve-error.ts';

/** Public address of a service behind a proxy, which usually terminates TLS. */
export type PublicUrl = {
	/** Start of all addresses that the service returns, without a trailing slash. */
	readonly href: string;
	/** Value of the `Origin` header that browsers send. */
	readonly origin: string;
	/** Host name in lower case, without a port. An IPv6 address is in brackets. */
	readonly name: string;
	/** Base path such as `/base`, or empty. The proxy may forward it or remove it. */
	readonly path: string;
};

/**
 * First segments of the service's own paths. A base path must not start with any of them, because
 * it would be ambiguous.
 */
export const OWN_PATHS = [
	'api',
	'user',
	'editor',
	'forward',
	'thumb',
	'local',
	'healthz',
	'readyz',
	'oauth_callback',
] as const;

const addressFault = (url: URL | null, insecureHttp: boolean): string | null => {
	if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return 'it is not a web address';
	if (url.username !== '' || url.password !== '') return 'it must not contain a user or a password';
	if (/[?#]/.test(url.href)) return 'it must not contain "?" or "#"';
	if (url.protocol === 'http:' && !isLoopback(url.hostname) && !insecureHttp)
		return 'keys would be sent unencrypted: it must start with https://';
	if (url.hostname.endsWith('.')) return 'its name must not end with a dot';
	const path = url.pathname.replace(/\/$/, '');
	if (!/^(?:\/[\w.~-]+)*$/.test(path))
		return 'its path may only contain letters, digits, ".", "_", "~" and "-"';
	const [, first = ''] = path.split('/');
	return OWN_PATHS.some(own => own === first)
		? `its path must not start with /${first}, which the service uses itself`
		: null;
};

/** Parses the option --public-url. @throws {ServeError} 2 if the address is invalid. */
export const publicUrlOf = (given: string, {insecureHttp = false} = {}): PublicUrl => {
	// Checked first, because the URL parser rewrites spaces and backslashes.
	const url = /^[\u0021-\u007e]+$/.test(given) && !given.includes('\\') ? URL.parse(given) : null;
	const fault = addressFault(url, insecureHttp);
	// Does not quote the address, because it may contain a password.
	if (!url || fault !== null)
		throw usageError(
			`--public-url cannot be used: ${fault ?? 'it is not a web address'}. Give the address that others type, such as https://nb.example.com or https://example.com/base.`,
		);
	const path = url.pathname.replace(/\/$/, '');
	return {href: url.origin + path, origin: url.origin, name: url.hostname, path};
};

/** Removes the base path from a request target, if the proxy has forwarded it. */
export const withoutBase = (target: string, {path}: Pick<PublicUrl, 'path'>): string =>
	path !== '' && target.startsWith(path) && /^[/?]/.test(target.slice(path.length))
		? target.slice(path.length)
		: target;
