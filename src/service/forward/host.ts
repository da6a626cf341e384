import {randomBytes} from 'node:crypto';
import type {IncomingMessage} from 'node:http';
import type {SessionOptions} from '../../engines/engine.ts';
import {hostsOf, type ForwardTarget} from './gate.ts';
import type {Forward} from './forward.ts';
import type {ProxyRoute} from './server-routes.ts';
import {openPortProxy, type PortProxy} from '../http/port-proxy.ts';
import type {PublicUrl} from '../http/public-url.ts';
import {ServeError} from '../serve-error.ts';

/**
 * Host names of forward addresses under the service's public wildcard name, such as
 * `*.nb.example.com`.
 */
export type ForwardHost = {
	/** Label of a lower-case `Host` value under the wildcard. Undefined for other hosts. */
	labelOf(host: string): string | undefined;
	originOf(label: string): string;
};

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** Length reserved for a label, since a host name may have at most 253 characters. */
const LONGEST_LABEL = 32;

/** Parses the option --forward-host. @throws {ServeError} 2 if the name cannot be used. */
export const forwardHostOf = (
	given: string,
	publicUrl: PublicUrl | null,
	names: readonly string[],
): ForwardHost => {
	const [, suffix] =
		new RegExp(`^\\*\\.(${LABEL}(?:\\.${LABEL})*\\.(?!\\d+$)${LABEL})$`).exec(given.toLowerCase()) ?? [];
	const give = 'Give a name whose first part is "*", such as *.nb.example.com, without https:// and port.';
	if (suffix === undefined || suffix.length > 253 - LONGEST_LABEL - 1)
		throw new ServeError(2, `--forward-host ${JSON.stringify(given)} cannot be used. ${give}`);
	if (!publicUrl)
		throw new ServeError(
			2,
			'--forward-host is for a service behind a proxy: give its address with --public-url, or leave it out.',
		);
	const pattern = new RegExp(`^(${LABEL})\\.${suffix.replaceAll('.', '\\.')}(?::\\d{1,5})?$`);
	const labelOf = (host: string): string | undefined => pattern.exec(host)?.[1];
	const taken = [publicUrl.name, ...names].find(name => labelOf(name) !== undefined);
	if (taken !== undefined)
		throw new ServeError(
			2,
			`--forward-host ${JSON.stringify(given)} cannot be used: it matches ${taken}, a name of the service itself. Give another wildcard, such as *.${taken}.`,
		);
	const {protocol, port} = new URL(publicUrl.origin);
	return {labelOf, originOf: label => `${protocol}//${label}.${suffix}${port === '' ? '' : `:${port}`}`};
};

/** Forward addresses on the service's own port. They are distinguished by `Host`. */
export type ForwardHosts = {
	/**
	 * Forward address of a request. Null if the address no longer exists, undefined if the request
	 * is for the service itself.
	 */
	find(request: Pick<IncomingMessage, 'rawHeaders'>): ProxyRoute | null | undefined;
	open(server: SessionOptions['server']): Forward;
};

type Forwarded = {readonly passage: PortProxy; readonly place: ForwardTarget};

const routeTo = ({passage, place}: Forwarded): ProxyRoute => ({
	...passage,
	user: passage.server.user,
	server: passage.server.name,
	judge: request => passage.judge(request, place),
});

/** Gives each server a host name under the wildcard, and a new one at each start. */
export const createForwardHosts = ({labelOf, originOf}: ForwardHost): ForwardHosts => {
	const byLabel = new Map<string, Forwarded>();
	return {
		find(request) {
			const label = hostsOf(request)
				.map(labelOf)
				.find(each => each !== undefined);
			if (label === undefined) return undefined;
			const found = byLabel.get(label);
			return found ? routeTo(found) : null;
		},
		open(server) {
			const passage = openPortProxy(server);
			// Host names are not secret, because they appear in DNS queries and in the logs of
			// proxies. The token grants access.
			const label = randomBytes(8).toString('hex');
			const home = originOf(label);
			const place: ForwardTarget = {
				home,
				nameOf: host => (labelOf(host) === label ? {origin: home, isOwnHost: true} : undefined),
			};
			byLabel.set(label, {passage, place});
			return {
				url: `${home}/?token=${passage.token}`,
				usedSince: passage.usedSince,
				async close() {
					byLabel.delete(label);
					passage.close();
				},
			};
		},
	};
};
