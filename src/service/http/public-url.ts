import {isLoopback} from '../../machine/loopback.ts';
import {usageError} from '../serve-error.ts';

/** The address by which others reach the service: through a proxy, as a rule one that ends TLS. */
export type PublicUrl = {
	/** Without a trailing slash: what the service puts in front of every address that it hands out. */
	readonly href: string;
	/** As a browser sends it. */
	readonly origin: string;
	/** Lower case, without a port; an IPv6 address in brackets. */
	readonly name: string;
	/** Empty, or a path such as `/base`, which a proxy may keep or take away. */
	readonly path: string;
};

/** How the service's own paths begin: a base path that did so could not be distinguished from them. */
export const OWN_PATHS = ['api', 'user', 'editor', 'forward', 'thumb', 'local', 'healthz', 'readyz'] as const;

const why = (url: URL | null, insecureHttp: boolean): string | null => {
	if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
		return 'it is not an address of the web';
	if (url.username !== '' || url.password !== '') return 'it may not hold a user or a password';
	if (/[?#]/.test(url.href)) return 'it may not hold "?" or "#"';
	if (url.protocol === 'http:' && !isLoopback(url.hostname) && !insecureHttp)
		return 'keys would travel to it in the clear: it must begin with https://';
	if (url.hostname.endsWith('.')) return 'its name may not end with a dot';
	const path = url.pathname.replace(/\/$/, '');
	if (!/^(?:\/[\w.~-]+)*$/.test(path)) return 'its path may hold letters, digits, ".", "_", "~" and "-" only';
	const [, first = ''] = path.split('/');
	return OWN_PATHS.some(own => own === first)
		? `its path may not begin with /${first}, as the service's own paths do`
		: null;
};

/** @throws {ServeError} 2 */
export const publicUrlOf = (given: string, {insecureHttp = false} = {}): PublicUrl => {
	// The parser takes blanks and backslashes for something else.
	const url = /^[\u0021-\u007e]+$/.test(given) && !given.includes('\\') ? URL.parse(given) : null;
	const fault = why(url, insecureHttp);
	// Never quoted: it may hold a password.
	if (!url || fault !== null)
		throw usageError(
			`--public-url cannot be used: ${fault ?? 'it is not an address of the web'}. Give the address that others type, such as https://nb.example.com or https://example.com/base.`,
		);
	const path = url.pathname.replace(/\/$/, '');
	return {href: url.origin + path, origin: url.origin, name: url.hostname, path};
};

/** A request's target below the base path, which a proxy may have kept or taken away. */
export const withoutBase = (target: string, {path}: Pick<PublicUrl, 'path'>): string =>
	path !== '' && target.startsWith(path) && /^[/?]/.test(target.slice(path.length))
		? target.slice(path.length)
		: target;
