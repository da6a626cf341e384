import {X509Certificate} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {getCACertificates} from 'node:tls';
import type {ClientSettings} from './client-types.ts';
import {proxyFor, type Proxy} from '../machine/proxy.ts';
import {isLoopback} from '../machine/loopback.ts';

/** Destination of calls. `authorities` are PEM texts, or undefined for Node's own. */
export type Target = {
	readonly url: URL;
	readonly loopback: boolean;
	readonly authorities: readonly string[] | undefined;
	/** Proxy for all calls; undefined for direct connections. */
	readonly proxy: Proxy | undefined;
};

const urlOf = (text: string): URL | string => {
	const url = URL.parse(text);
	if (!url) return `The base URL ${JSON.stringify(text)} is not an address.`;
	if (url.protocol !== 'https:' && url.protocol !== 'http:')
		return 'The base URL must begin with https:// or http://.';
	if (url.username !== '' || url.password !== '')
		return 'The base URL must not contain a user name or a password.';
	if (url.search !== '' || url.hash !== '') return 'The base URL must not contain a ? or a # part.';
	return url;
};

/** Adds a CA certificate to the given ones, by default Node's own. */
export const withAuthority = (pem: string, known?: readonly string[]): readonly string[] => [
	...(known ?? getCACertificates('default')),
	pem,
];

const authoritiesOf = (file: string): readonly string[] | string => {
	try {
		const pem = readFileSync(file, 'utf8');
		// Checks the first certificate here: a wrong file would fail as a connection later.
		void new X509Certificate(pem);
		return withAuthority(pem);
	} catch {
		return `The CA file ${JSON.stringify(file)} cannot be read, or is not a PEM file.`;
	}
};

/** Destination of the settings, or a sentence if they are invalid. It never contains the key. */
export const targetOf = (settings: ClientSettings): Target | string => {
	const url = urlOf(settings.baseUrl);
	if (typeof url === 'string') return url;
	const loopback = isLoopback(url.hostname);
	if (url.protocol === 'http:' && !loopback && !settings.insecureHttp) {
		return `The API key would be sent to ${url.host} unencrypted. Use https://, or allow it with --insecure-http.`;
	}
	if (settings.apiKey === '') return 'The API key is empty.';
	if (settings.apiKey !== null && !/^[\x21-\x7e]{1,512}$/.test(settings.apiKey)) {
		return 'The API key has invalid characters: it must be 1 to 512 visible ASCII characters without blanks.';
	}
	const proxy = proxyFor(url, settings.proxyEnv);
	if (typeof proxy === 'string') return proxy;
	const authorities = settings.caFile === undefined ? undefined : authoritiesOf(settings.caFile);
	if (typeof authorities === 'string') return authorities;
	if (!url.pathname.endsWith('/')) url.pathname += '/';
	return {url: new URL('api/', url), loopback, authorities, proxy};
};
