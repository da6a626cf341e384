/** Cookies that open a forward address. `__Host-` binds a cookie to TLS and the host. */
const SAFE_COOKIE = '__Host-svc-forward';
const PLAIN_COOKIE = 'svc-forward';

const nameIn = (cookie: string): string => (cookie.split('=')[0] ?? '').trim();
/** True for the service's own cookie, in a request or a response. The program never sees it. */
const isOurs = (cookie: string): boolean => [SAFE_COOKIE, PLAIN_COOKIE].includes(nameIn(cookie));
const cookieOf = (origin: string): string => (origin.startsWith('https:') ? SAFE_COOKIE : PLAIN_COOKIE);

/** Values of the service's cookie. Other hosts of the domain may set more of the same name. */
export const cookiesIn = (header: string | undefined, origin: string): readonly string[] =>
	(header ?? '')
		.split(';')
		.filter(cookie => nameIn(cookie) === cookieOf(origin))
		.map(cookie => cookie.slice(cookie.indexOf('=') + 1).trim());

/** Cookie for this host, hidden from scripts. With `Lax`, links on other sites work. */
export const cookieFor = (origin: string, key: string): string =>
	`${cookieOf(origin)}=${key}; Path=/; HttpOnly; SameSite=Lax${origin.startsWith('https:') ? '; Secure' : ''}`;

/** Headers in the form of `rawHeaders`: names and values in turn. */
type Raw = readonly string[];

/** Headers that apply to one connection only. */
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
/** Headers by which a program makes a proxy in front serve something else. */
const PROXYS: ReadonlySet<string> = new Set([
	'x-accel-redirect',
	'x-sendfile',
	'x-lighttpd-send-file',
	'x-lighttpd-send-tempfile',
	'x-litespeed-location',
	'x-reproxy-url',
]);
/** Credentials of the service, a server or this address, which the program must not see. */
const SECRET: ReadonlySet<string> = new Set(['apikey', 'authorization']);

const pairsOf = (raw: Raw): ReadonlyArray<readonly [name: string, value: string]> =>
	raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));

/** Drops headers of the connection, including any that `Connection` lists. */
const endToEnd = (raw: Raw): ReadonlyArray<readonly [name: string, value: string]> => {
	const pairs = pairsOf(raw);
	const named = new Set(
		pairs.flatMap(([name, value]) =>
			name.toLowerCase() === 'connection' ? value.split(',').map(each => each.trim().toLowerCase()) : [],
		),
	);
	return pairs.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !named.has(name.toLowerCase()));
};

/** Removes the token, but not a `token` parameter of the program with another value. */
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
	/** Origin of the address, as browsers see it. */
	readonly origin: string;
	/** `host:port` of the program itself. */
	readonly inner: string;
	/** True if only this address has the host. The host's cookies then belong to the program. */
	readonly isOwnHost: boolean;
	readonly token: string;
};

/** Removes the service's credentials, and replaces the public host with the program's. */
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

/** Drops cookies of a shared host, and hides the address from other sites. */
export const responseHeaders = (raw: Raw, {inner, isOwnHost}: ProxyEnds): string[] => {
	const port = inner.split(':').at(-1) ?? '';
	const own = new RegExp(`^https?://(?:localhost|127\\.0\\.0\\.1|\\[::1\\]):${port}(?=/|$)`, 'i');
	const pairs = endToEnd(raw);
	// Disables buffering in a proxy in front, unless the program sets the header itself.
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
