/**
 * Names of the cookies that grant access to a forward address. The prefix `__Host-` requires TLS
 * and binds a cookie to the host.
 */
const SAFE_COOKIE = '__Host-svc-forward';
const PLAIN_COOKIE = 'svc-forward';

const nameIn = (cookie: string): string => (cookie.split('=')[0] ?? '').trim();
/** True for the service's own cookie, in a request or response. It is hidden from the program. */
const isOurs = (cookie: string): boolean => [SAFE_COOKIE, PLAIN_COOKIE].includes(nameIn(cookie));
const cookieOf = (origin: string): string => (origin.startsWith('https:') ? SAFE_COOKIE : PLAIN_COOKIE);

/**
 * Values of the service's cookie. There may be several, because other hosts of the domain may set
 * cookies with the same name.
 */
export const cookiesIn = (header: string | undefined, origin: string): readonly string[] =>
	(header ?? '')
		.split(';')
		.filter(cookie => nameIn(cookie) === cookieOf(origin))
		.map(cookie => cookie.slice(cookie.indexOf('=') + 1).trim());

/** Cookie for this host that scripts cannot read. `Lax` allows links from other sites. */
export const cookieFor = (origin: string, key: string): string =>
	`${cookieOf(origin)}=${key}; Path=/; HttpOnly; SameSite=Lax${origin.startsWith('https:') ? '; Secure' : ''}`;

/** Headers in the form of `rawHeaders`, where names and values alternate. */
type Raw = readonly string[];

/** Headers that apply only to a single connection. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
	'connection',
	'keep-alive',
	'proxy-authenticate',
	'proxy-authorization',
	'proxy-connection',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
]);
/**
 * Headers with which a program could make a reverse proxy in front of the service serve other
 * content.
 */
const PROXYS: ReadonlySet<string> = new Set([
	'x-accel-redirect',
	'x-sendfile',
	'x-lighttpd-send-file',
	'x-lighttpd-send-tempfile',
	'x-litespeed-location',
	'x-reproxy-url',
]);
/**
 * Headers with credentials of the service, a server or this address. They are hidden from the
 * program.
 */
const SECRET: ReadonlySet<string> = new Set(['apikey', 'authorization']);

const pairsOf = (raw: Raw): ReadonlyArray<readonly [name: string, value: string]> =>
	raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));

/** Removes headers that apply to a single connection, including those listed in `Connection`. */
const endToEnd = (raw: Raw): ReadonlyArray<readonly [name: string, value: string]> => {
	const pairs = pairsOf(raw);
	const named = new Set(
		pairs.flatMap(([name, value]) =>
			name.toLowerCase() === 'connection' ? value.split(',').map(each => each.trim().toLowerCase()) : [],
		),
	);
	return pairs.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !named.has(name.toLowerCase()));
};

/**
 * Removes the service's token from a request target. A `token` parameter with another value belongs
 * to the program and stays.
 */
export const withoutTokenIn = (target: string, token: string): string => {
	const [path = '', ...query] = target.split('?');
	const kept = query
		.join('?')
		.split('&')
		.filter(part => part !== `token=${token}`)
		.join('&');
	return kept === '' ? path : `${path}?${kept}`;
};

export const hasTokenIn = (target: string, token: string): boolean =>
	target.split('?').slice(1).join('?').split('&').includes(`token=${token}`);

export type ProxyEnds = {
	/** Origin of the address as seen by browsers. */
	readonly origin: string;
	/** `host:port` of the program itself. */
	readonly inner: string;
	/**
	 * True if no other address has the same host. Cookies of this host then belong to the program.
	 */
	readonly isOwnHost: boolean;
	readonly token: string;
};

/**
 * Headers for the program. Removes the service's credentials, and replaces the public host by the
 * program's.
 */
export const requestHeaders = (
	raw: Raw,
	{origin, inner, isOwnHost, token}: ProxyEnds,
	body: 'chunked' | 'as is',
): string[] => {
	const kept = endToEnd(raw).filter(
		([name]) =>
			!SECRET.has(name.toLowerCase()) &&
			name.toLowerCase() !== 'host' &&
			(isOwnHost || name.toLowerCase() !== 'cookie'),
	);
	const written = kept.flatMap(([name, value]) => {
		if (name.toLowerCase() === 'cookie') {
			const theirs = value.split(';').filter(cookie => !isOurs(cookie));
			return theirs.length === 0 ? [] : [[name, theirs.join(';').trim()]];
		}
		const isPlace = name.toLowerCase() === 'origin' || name.toLowerCase() === 'referer';
		return [[name, isPlace ? withoutTokenIn(value.replace(origin, `http://${inner}`), token) : value]];
	});
	return [
		['Host', inner],
		...written,
		...(body === 'chunked' ? [['Transfer-Encoding', 'chunked']] : []),
	].flat();
};

/**
 * Headers for the client. Removes cookies if the host is shared with other addresses, and hides the
 * address from other sites.
 */
export const responseHeaders = (raw: Raw, {inner, isOwnHost}: ProxyEnds): string[] => {
	const port = inner.split(':').at(-1) ?? '';
	const own = new RegExp(`^https?://(?:localhost|127\\.0\\.0\\.1|\\[::1\\]):${port}(?=/|$)`, 'i');
	const pairs = endToEnd(raw);
	// Disables buffering in a reverse proxy in front of the service, unless the program sets this
	// header itself.
	const unbuffered = pairs.some(([name]) => name.toLowerCase() === 'x-accel-buffering')
		? []
		: ['X-Accel-Buffering', 'no'];
	return [
		...pairs.flatMap(([name, value]) => {
			const lower = name.toLowerCase();
			if (lower === 'referrer-policy' || PROXYS.has(lower)) return [];
			if (lower === 'location') return [[name, value.replace(own, '') || '/']];
			if (lower === 'set-cookie')
				return isOwnHost && !isOurs(value) ? [[name, value.replaceAll(/;\s*domain=[^;]*/gi, '')]] : [];
			return [[name, value]];
		}),
		['Referrer-Policy', 'same-origin'],
		unbuffered,
	].flat();
};
