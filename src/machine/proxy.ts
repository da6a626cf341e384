import {BlockList, isIP} from 'node:net';
import {isLoopback} from './loopback.ts';

export type Proxy = {
	/** Variables for Node's agents, which read only these spellings. */
	readonly env: Readonly<Record<'HTTP_PROXY' | 'HTTPS_PROXY', string>>;
	/** Name of the variable that sets the proxy, as spelt in the environment. */
	readonly variable: string;
	/** `host:port` for messages, without user name and password. */
	readonly host: string;
	readonly protocol: 'http:' | 'https:';
	readonly hasPassword: boolean;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Name and value of a variable. As in other programs, the lower-case spelling takes precedence. */
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

/** Percent-encodes a user name or a password. Does not encode existing escapes twice. */
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

/**
 * Parts of a proxy variable. Undefined if it is invalid. The default scheme is HTTP, as in other
 * programs.
 */
const partsOf = (value: string) => {
	const [, scheme = 'http', rest = ''] = /^(?:([a-z][a-z\d+.-]*):\/\/)?(.*)$/is.exec(value) ?? [];
	const at = rest.lastIndexOf('@');
	const user = rest.slice(0, Math.max(0, at));
	const colon = user.indexOf(':');
	const [name, password] = colon === -1 ? [user, ''] : [user.slice(0, colon), user.slice(colon + 1)];
	const place = rest.slice(at + 1);
	const url = URL.parse(`http://${place}`);
	// Checked here, because the URL parser would accept even `"http://p"` and `http:/p` as hosts.
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
		// The entry is not a range of this family.
		return false;
	}
};

/**
 * True if NO_PROXY exempts this address. Its entries, in any letter case, are separated by commas,
 * semicolons or blanks: names including their subdomains (with or without a leading `.` or `*.`),
 * `name:port`, `*`, addresses, `10.0.0.0/8` and `10.0.0.1-10.0.0.9`.
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
 * Proxy that the environment sets for an address, or undefined. A string explains an invalid
 * proxy, without quoting user name or password. Loopback addresses never use a proxy.
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
		return `${variable} does not name a usable proxy: write it as ${example}, or unset it.`;
	const {protocol, host, login} = parts;
	if (protocol !== 'http' && protocol !== 'https')
		return `${variable} names a proxy of the kind ${protocol}, but only HTTP proxies can be used: write it as ${example}, or unset it. NO_PROXY=${url.hostname} bypasses it.`;
	const address = `${protocol}://${login}${host}`;
	return {
		env: {HTTP_PROXY: address, HTTPS_PROXY: address},
		variable,
		host,
		protocol: `${protocol}:`,
		hasPassword: login !== '',
	};
};
