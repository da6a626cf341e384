/** Cookies that open a forward address. With this prefix a browser takes it from this host alone, over TLS. */
const SAFE_COOKIE = '__Host-svc-forward';
const PLAIN_COOKIE = 'svc-forward';

const nameIn = (cookie: string): string => (cookie.split('=')[0] ?? '').trim();
/** True for a cookie of ours, as a request or an answer writes it: no business of the program's. */
const isOurs = (cookie: string): boolean => [SAFE_COOKIE, PLAIN_COOKIE].includes(nameIn(cookie));
const cookieOf = (origin: string): string => (origin.startsWith('https:') ? SAFE_COOKIE : PLAIN_COOKIE);

/** Values of our cookie in a request: other hosts of the domain may have set more of the name. */
export const cookiesIn = (header: string | undefined, origin: string): readonly string[] =>
	(header ?? '')
		.split(';')
		.filter(cookie => nameIn(cookie) === cookieOf(origin))
		.map(cookie => cookie.slice(cookie.indexOf('=') + 1).trim());

/** `Set-Cookie` for this host alone, which no script reads. Lax: a link from elsewhere opens the page. */
export const cookieFor = (origin: string, key: string): string =>
	`${cookieOf(origin)}=${key}; Path=/; HttpOnly; SameSite=Lax${origin.startsWith('https:') ? '; Secure' : ''}`;

/** Headers as `rawHeaders` has them: names and values in turn. */
type Raw = readonly string[];

/** Of one connection only. */
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
/** With these a program has the proxy in front send a file, or an address of its own, in place of its answer. */
const PROXYS: ReadonlySet<string> = new Set([
	'x-accel-redirect',
	'x-sendfile',
	'x-lighttpd-send-file',
	'x-lighttpd-send-tempfile',
	'x-litespeed-location',
	'x-reproxy-url',
]);
/** What opens the service, a server or this address is no business of the program behind it. */
const SECRET: ReadonlySet<string> = new Set(['apikey', 'authorization']);

const pairsOf = (raw: Raw): ReadonlyArray<readonly [name: string, value: string]> =>
	raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));

/** Without the headers of the connection, those that it names among them. */
const endToEnd = (raw: Raw): ReadonlyArray<readonly [name: string, value: string]> => {
	const pairs = pairsOf(raw);
	const named = new Set(
		pairs.flatMap(([name, value]) =>
			name.toLowerCase() === 'connection' ? value.split(',').map(each => each.trim().toLowerCase()) : [],
		),
	);
	return pairs.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !named.has(name.toLowerCase()));
};

/** A request target without the parameter that is the token. A parameter of the program's own with that name stays. */
export const withoutTokenIn = (target: string, token: string): string => {
	const [path = '', ...query] = target.split('?');
	const kept = query
		.join('?')
		.split('&')
		.filter(part => part !== `token=${token}`)
		.join('&');
	return kept === '' ? path : `${path}?${kept}`;
};

/** Whether the target names the token. */
export const hasTokenIn = (target: string, token: string): boolean =>
	target.split('?').slice(1).join('?').split('&').includes(`token=${token}`);

export type ProxyEnds = {
	/** Of the address, as the browser knows it. */
	readonly origin: string;
	/** `host:port` as the program knows its own. */
	readonly inner: string;
	/** The origin's host is of this forward address alone: what cookies it has are the program's. */
	readonly isOwnHost: boolean;
	readonly token: string;
};

/** What the program gets of a request's headers: no secret of ours, and its own name in place of the address that it was reached by. */
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

/** What the browser gets of the program's headers. Cookies of a host that others share stay out, and no other site learns the address. */
export const responseHeaders = (raw: Raw, {inner, isOwnHost}: ProxyEnds): string[] => {
	const port = inner.split(':').at(-1) ?? '';
	const own = new RegExp(`^https?://(?:localhost|127\\.0\\.0\\.1|\\[::1\\]):${port}(?=/|$)`, 'i');
	const pairs = endToEnd(raw);
	// A proxy in front is to pass on each piece as it comes, unless the program says otherwise.
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
