import {isLoopback} from '../../machine/loopback.ts';
import {usageError} from '../serve-error.ts';

/** Address of the service behind a proxy, which usually terminates TLS. */
export type PublicUrl = {
	/** Prefix of every address that is handed out, without a trailing slash. */
	readonly href: string;
	/** Value of the `Origin` header that browsers send. */
	readonly origin: string;
	/** Host name in lower case, without a port; an IPv6 address has brackets. */
	readonly name: string;
	/** Empty, or a base path such as `/base`, which a proxy may forward or strip. */
	readonly path: string;
};

/** First segments of the service's own paths. A base path with one of them would be ambiguous. */
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

/** @throws {ServeError} 2 if the address cannot be used. */
export const publicUrlOf = (given: string, {insecureHttp = false} = {}): PublicUrl => {
	// The parser rewrites blanks and backslashes.
	const url = /^[\u0021-\u007e]+$/.test(given) && !given.includes('\\') ? URL.parse(given) : null;
	const fault = addressFault(url, insecureHttp);
	// The address is not quoted, because it may hold a password.
	if (!url || fault !== null)
		throw usageError(
			`--public-url cannot be used: ${fault ?? 'it is not a web address'}. Give the address that others type, such as https://nb.example.com or https://example.com/base.`,
		);
	const path = url.pathname.replace(/\/$/, '');
	return {href: url.origin + path, origin: url.origin, name: url.hostname, path};
};

/** Removes the base path, which a proxy may forward or strip, from a request's target. */
export const withoutBase = (target: string, {path}: Pick<PublicUrl, 'path'>): string =>
	path !== '' && target.startsWith(path) && /^[/?]/.test(target.slice(path.length))
		? target.slice(path.length)
		: target;
