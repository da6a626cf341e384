import {readFileSync} from 'node:fs';
import {isIP} from 'node:net';
import {createSecureContext} from 'node:tls';
import {forwardHostOf, type ForwardHost} from '../forward/host.ts';
import {publicUrlOf, type PublicUrl} from './public-url.ts';
import {usageError} from '../serve-error.ts';
import {codeOf} from '../../text/errors.ts';

export type BindingOptions = {
	/** Default: a loopback address. */
	readonly host?: string | undefined;
	/** Host names by which clients on other machines reach the service. */
	readonly allowHosts?: readonly string[] | undefined;
	readonly tlsCert?: string | undefined;
	readonly tlsKey?: string | undefined;
	readonly publicUrl?: string | undefined;
	readonly forwardHost?: string | undefined;
	/** Allows clients on other machines to connect without TLS. */
	readonly insecureHttp?: boolean | undefined;
};

export type Identity = {readonly cert: string; readonly key: string};

export type Binding = {
	readonly address: string;
	/**
	 * Host names of the service. The first one is used in the addresses that the service returns.
	 */
	readonly names: readonly string[];
	/** TLS certificate and key. Null for plain HTTP. */
	readonly identity: Identity | null;
	readonly publicUrl: PublicUrl | null;
	readonly forwardHost: ForwardHost | null;
};

const loopback: Readonly<Record<string, '127.0.0.1' | '::1'>> = {
	'127.0.0.1': '127.0.0.1',
	localhost: '127.0.0.1',
	'::1': '::1',
};

/** Removes the brackets of an IPv6 address in a URL. */
const bare = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

const checkName = (given: string): string => {
	const name = bare(given).toLowerCase();
	if (isIP(name) !== 0 || /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/.test(name)) return name;
	throw usageError(
		`--allow-host ${JSON.stringify(given)} is not a host name: give it without port and https://, such as notebooks.example.com.`,
	);
};

const readPem = (option: string, file: string): string => {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		throw usageError(`${option} ${file} cannot be read (${codeOf(error) || 'unknown error'}).`);
	}
};

const identityOf = ({tlsCert, tlsKey}: BindingOptions): Identity | null => {
	if (tlsCert === undefined && tlsKey === undefined) return null;
	if (tlsCert === undefined || tlsKey === undefined)
		throw usageError('--tls-cert and --tls-key belong together: give both.');
	const identity = {cert: readPem('--tls-cert', tlsCert), key: readPem('--tls-key', tlsKey)};
	try {
		createSecureContext(identity);
	} catch (error) {
		// Omits the message of the error, because it may quote the file.
		throw usageError(
			`The certificate ${tlsCert} and the key ${tlsKey} cannot be used together (${codeOf(error) || 'not PEM'}): give a certificate and its key, both PEM, the key without a password.`,
		);
	}
	return identity;
};

/**
 * Determines names, addresses and TLS from the options.
 * @throws {ServeError} 2 if keys would be exposed, or if any host name would be accepted.
 */
export const bindingOf = (options: BindingOptions): Binding => {
	const {host = '127.0.0.1', allowHosts = [], insecureHttp = false} = options;
	const identity = identityOf(options);
	const publicUrl = options.publicUrl === undefined ? null : publicUrlOf(options.publicUrl, {insecureHttp});
	const names = allowHosts.map(checkName);
	const forwardHost =
		options.forwardHost === undefined
			? null
			: forwardHostOf(options.forwardHost, publicUrl, [...names, bare(host).toLowerCase()]);
	const common = {identity, publicUrl, forwardHost};
	const local = loopback[bare(host).toLowerCase()];
	if (identity && insecureHttp)
		throw usageError('--insecure-http and --tls-cert cannot be combined: leave one of them out.');
	if (local !== undefined) {
		if (insecureHttp)
			throw usageError('--insecure-http is only for a --host that other machines can reach. Leave it out.');
		return {...common, address: local, names: [...new Set([local, ...Object.keys(loopback), ...names])]};
	}
	const beyond = `--host ${JSON.stringify(host)} is reached from other machines`;
	if (!identity && !insecureHttp)
		throw usageError(
			`${beyond}, and the key would be sent unencrypted: give --tls-cert FILE and --tls-key FILE, or stay on 127.0.0.1 and forward the port with ssh -L. (--insecure-http allows it anyway; clients need it too.)`,
		);
	if (names.length === 0 && !publicUrl)
		throw usageError(
			`${beyond}: set --allow-host NAME to its name, or --public-url to its address behind a proxy. The service accepts no other host name.`,
		);
	// A proxy with default settings sends the address to which it connects as `Host`.
	const connected = publicUrl && !/^(?:0\.0\.0\.0|::)$/.test(bare(host)) ? [bare(host).toLowerCase()] : [];
	const known = [...new Set([...names, ...connected, ...Object.keys(loopback)])];
	return {...common, address: bare(host), names: known};
};
