import {createPrivateKey, X509Certificate} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {getCACertificates} from 'node:tls';
import type {ClientSettings} from './client-types.ts';
import {readPrivate} from '../machine/private-file.ts';
import {proxyFor, type Proxy} from '../machine/proxy.ts';
import {isLoopback} from '../machine/loopback.ts';
import {codeOf} from '../text/errors.ts';

/** Certificate and private key of this client, as PEM texts. */
export type ClientIdentity = {readonly cert: string; readonly key: string};

/** Destination of calls. `authorities` are PEM texts, or undefined for Node's own. */
export type Target = {
	readonly url: URL;
	readonly loopback: boolean;
	readonly authorities: readonly string[] | undefined;
	readonly identity: ClientIdentity | undefined;
	/** Proxy for all calls. Undefined for direct connections. */
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
		// Parses the first certificate, because a wrong file would otherwise only be reported as a
		// failed connection.
		void new X509Certificate(pem);
		return withAuthority(pem);
	} catch {
		return `The CA file ${JSON.stringify(file)} cannot be read, or is not a PEM file.`;
	}
};

const BY_FAULT: Readonly<Record<string, string>> = {
	ENOENT: 'does not exist',
	'no-file': 'is not a file',
	open: 'must be private: run chmod 600 on it',
};

/** Certificate and key of this client. A sentence if the files cannot be used. */
const identityOf = (certFile: string, keyFile: string): ClientIdentity | string => {
	const named = (file: string): string =>
		`The client ${file === keyFile ? 'key' : 'certificate'} ${JSON.stringify(file)}`;
	let cert: string;
	let leaf: X509Certificate;
	try {
		cert = readFileSync(certFile, 'utf8');
		leaf = new X509Certificate(cert);
	} catch {
		return `The client certificate ${JSON.stringify(certFile)} cannot be read, or is not a PEM file.`;
	}
	const found = readPrivate(keyFile);
	if ('fault' in found)
		return `${named(keyFile)} ${BY_FAULT[found.fault] ?? `cannot be read (${found.fault})`}.`;
	try {
		if (leaf.checkPrivateKey(createPrivateKey(found.text))) return {cert, key: found.text};
		return `${named(keyFile)} does not belong to the certificate ${JSON.stringify(certFile)}.`;
	} catch (error) {
		return codeOf(error) === 'ERR_MISSING_PASSPHRASE'
			? `${named(keyFile)} has a passphrase, which svc-tui cannot ask for. Give a key without one: openssl pkey -in FILE -out NEW.`
			: `${named(keyFile)} holds no private key in PEM format. Name it with --client-key-file or clientKeyFile.`;
	}
};

/** Destination of calls. A sentence if the settings are invalid. Neither contains the API key. */
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
	const {clientCertFile, clientKeyFile} = settings;
	if (clientCertFile === undefined && clientKeyFile !== undefined)
		return 'A client key needs its certificate: give --client-cert-file or clientCertFile.';
	const identity =
		clientCertFile === undefined ? undefined : identityOf(clientCertFile, clientKeyFile ?? clientCertFile);
	if (typeof identity === 'string') return identity;
	if (!url.pathname.endsWith('/')) url.pathname += '/';
	return {url: new URL('api/', url), loopback, authorities, identity, proxy};
};
