import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage} from 'node:http';
import {cookieFor, cookiesIn, hasTokenIn, withoutTokenIn, type ProxyEnds} from './headers.ts';

export type ForwardName = {
	/** Value of the `Origin` header that browsers send. */
	readonly origin: string;
	/**
	 * True if no other address has the same host. Cookies of this host then belong to the program.
	 */
	readonly isOwnHost: boolean;
};

export type ForwardTarget = {
	/** Name that matches a lower-case `Host` value. Undefined if none does. */
	nameOf(host: string): ForwardName | undefined;
	/** Origin that uses the address's own host. */
	readonly home: string;
};

export type Verdict =
	| {readonly refused: string}
	/** `cookie`: value for a `Set-Cookie` header. */
	| {readonly moved: string; readonly cookie?: string}
	| ProxyEnds;

/**
 * All `Host` values in lower case. `headers` is not used, because Node stores only the first value
 * there.
 */
export const hostsOf = ({rawHeaders}: Pick<IncomingMessage, 'rawHeaders'>): readonly string[] =>
	rawHeaders
		.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host')
		.map(host => host.toLowerCase());

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

/**
 * True if the request is for a page in a browser tab. Without TLS, browsers omit `Sec-Fetch-Dest`,
 * so `Accept` decides.
 */
const isPage = ({method, headers}: Pick<IncomingMessage, 'headers' | 'method'>): boolean => {
	const kind = headers['sec-fetch-dest'];
	return (
		method === 'GET' &&
		(kind === undefined ? /\btext\/html\b/.test(headers.accept ?? '') : kind === 'document')
	);
};

/**
 * Decides whether to forward a request. A client passes the token as the parameter `token`. A
 * browser that opens a page this way gets a cookie for the address's own host, because its later
 * requests lack the parameter.
 */
export const judgeForward = (
	request: Pick<IncomingMessage, 'rawHeaders' | 'headers' | 'method' | 'url'>,
	{
		place,
		token,
		key,
		inner,
		name,
	}: {
		readonly place: ForwardTarget;
		readonly token: string;
		readonly key: string;
		/** Host and port of the program itself. */
		readonly inner: string;
		/** Name of the server for use in messages. */
		readonly name: string;
	},
): Verdict => {
	const {headers, url: target = ''} = request;
	const [host = '', ...others] = hostsOf(request);
	const found = place.nameOf(host);
	if (others.length > 0 || !found) return {refused: 'This address only accepts its own host name.'};
	const {origin, isOwnHost} = found;
	if (!target.startsWith('/')) return {refused: 'The request target must be a path.'};
	const isShown = hasTokenIn(target, token);
	if (!isShown && !(isOwnHost && cookiesIn(headers.cookie, origin).some(value => isSame(value, key))))
		return {
			refused: `The token is missing or wrong: open the forward address of ${name} as the service prints it.`,
		};
	if (headers.origin !== undefined && headers.origin !== origin)
		return {refused: 'Requests from pages of other origins are not allowed.'};
	const site = headers['sec-fetch-site'];
	// Browsers treat all hosts of a domain as one site and send the cookie with requests from pages
	// of other hosts, so these requests are rejected.
	if (!isShown && site !== undefined && site !== 'none' && site !== 'same-origin' && !isPage(request))
		return {refused: 'Requests from pages of other sites are not allowed.'};
	if (isShown && isPage(request))
		return isOwnHost
			? {moved: origin + withoutTokenIn(target, token), cookie: cookieFor(origin, key)}
			: {moved: place.home + target};
	return {origin, inner, isOwnHost, token};
};
