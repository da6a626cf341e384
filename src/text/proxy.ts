import {BlockList, isIP} from 'node:net';
import {isLoopback} from './loopback.ts';

/** The proxy that calls to one address go through. */
export type Proxy = {
	/** As Node's agents take it: they know only these spellings. */
	readonly env: Readonly<Record<'HTTP_PROXY' | 'HTTPS_PROXY', string>>;
	/** Name of the variable that names it, as it is spelt in the environment. */
	readonly variable: string;
	/** `host:port`, for sentences: without its user and password. */
	readonly host: string;
	readonly protocol: 'http:' | 'https:';
	readonly hasPassword: boolean;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** In lower case first, as other programs do; then in any other. */
const setIn = (
	env: Environment,
	name: string,
): {readonly name: string; readonly value: string} | undefined => {
	const spellings = Object.keys(env).filter(each => each.toLowerCase() === name);
	for (const each of [name, name.toUpperCase(), ...spellings]) {
		const value = env[each]?.trim();
		if (value) return {name: each, value};
	}
	return undefined;
};

/** A user name or a password may hold any character, percent-encoded or as it is. */
const encoded = (part: string): string =>
	encodeURIComponent(
		part
			.replaceAll(/(?:%[\da-f]{2})+/gi, escapes => {
				try {
					return decodeURIComponent(escapes);
				} catch {
					return escapes;
				}
			})
			.toWellFormed(),
	);

/** The parts of what a variable says, or undefined where it is no address. A proxy without a scheme is one of HTTP, as elsewhere. */
const partsOf = (value: string) => {
	const [, scheme = 'http', rest = ''] = /^(?:([a-z][a-z\d+.-]*):\/\/)?(.*)$/is.exec(value) ?? [];
	const at = rest.lastIndexOf('@');
	const user = rest.slice(0, Math.max(0, at));
	const colon = user.indexOf(':');
	const [name, password] = colon === -1 ? [user, ''] : [user.slice(0, colon), user.slice(colon + 1)];
	const place = rest.slice(at + 1);
	const url = URL.parse(`http://${place}`);
	// The parser takes the rest of `"http://p"` and of `http:/p` for a host.
	if (url === null || !/^(?:[\w.-]+|\[.*\])$/.test(url.hostname) || /^https?:\//i.test(place))
		return undefined;
	const protocol = scheme.toLowerCase();
	const port = /:80$/.test(place.replace(/[/?#].*$/s, '')) ? '80' : url.port;
	return {
		protocol,
		host: `${url.hostname}:${port || (protocol === 'https' ? '443' : '80')}`,
		login: at === -1 ? '' : `${encoded(name)}${colon === -1 ? '' : `:${encoded(password)}`}@`,
	};
};

const portOf = ({port, protocol}: URL): string => port || (protocol === 'https:' ? '443' : '80');

const inRange = (host: string, entry: string): boolean => {
	const version = isIP(host);
	const family = version === 6 ? 'ipv6' : 'ipv4';
	const [from = '', bits] = entry.split('/');
	const list = new BlockList();
	try {
		if (bits !== undefined) list.addSubnet(from, Number(bits), family);
		else {
			const [first = '', last = ''] = entry.split('-');
			list.addRange(first, last, family);
		}
		return version !== 0 && list.check(host, family);
	} catch {
		// It is not a range of this family.
		return false;
	}
};

/**
 * Whether NO_PROXY takes this address out: names with what lies below them (a leading `.` or `*.` says the same), `name:port`, `*`,
 * addresses, `10.0.0.0/8` and `10.0.0.1-10.0.0.9`, between commas or blanks, in any letter case.
 */
export const isExempt = (url: URL, noProxy: string): boolean => {
	const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
	return noProxy
		.toLowerCase()
		.split(/[\s,;]+/)
		.filter(entry => entry !== '')
		.some(entry => {
			if (entry === '*') return true;
			const bare = entry.replace(/^[a-z]+:\/\//, '');
			if (isIP(host) !== 0 && /[/-]/.test(bare)) return inRange(host, bare);
			const [, bracketed, plain = '', port] =
				/^(?:\[([^\]]*)\]|([^/:]*(?::[^/:]*:[^/]*)?))(?::(\d+))?\/?$/.exec(bare) ?? [];
			const name = (bracketed ?? plain).replace(/^\*?\./, '');
			if (name === '' || (port !== undefined && port !== portOf(url))) return false;
			return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`));
		});
};

/**
 * The proxy of an address as the environment names it; undefined where there is none, or a sentence that says why it cannot be used and what
 * to do. What is on this machine is never asked for over a proxy. No user name or password is in the sentence.
 */
export const proxyFor = (url: URL, env: Environment | undefined): Proxy | string | undefined => {
	if (env === undefined || isLoopback(url.hostname)) return undefined;
	const named =
		setIn(env, url.protocol === 'https:' ? 'https_proxy' : 'http_proxy') ?? setIn(env, 'all_proxy');
	if (named === undefined || isExempt(url, setIn(env, 'no_proxy')?.value ?? '')) return undefined;
	const {name: variable, value} = named;
	const example = `${variable}=http://proxy.example.com:3128`;
	const parts = partsOf(value);
	if (parts === undefined || /[\r\n]/.test(value))
		return `${variable} does not name a proxy that can be used: write it as ${example}, or unset it.`;
	const {protocol, host, login} = parts;
	if (protocol !== 'http' && protocol !== 'https')
		return `${variable} names a proxy of the kind ${protocol}, and only HTTP proxies can be used: write it as ${example}, or unset it. NO_PROXY=${url.hostname} goes past it.`;
	const address = `${protocol}://${login}${host}`;
	return {
		env: {HTTP_PROXY: address, HTTPS_PROXY: address},
		variable,
		host,
		protocol: `${protocol}:`,
		hasPassword: login !== '',
	};
};
