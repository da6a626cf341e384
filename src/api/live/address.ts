import dns from 'node:dns';
import {BlockList, isIP, type LookupFunction} from 'node:net';
import {isLoopback} from '../../machine/loopback.ts';

/** Address of a server's own Jupyter. Ends with a slash and contains neither token nor user. */
export type LiveAddress = {readonly url: URL; readonly token: string};

/**
 * Result of checking an address. `says`: reason why it is not used, as the end of a sentence.
 * `asks`: an origin that the user must allow first.
 */
export type AddressVerdict =
	{readonly place: LiveAddress} | {readonly says: string} | {readonly asks: string};

const near = new BlockList();
for (const [net, bits] of [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.168.0.0', 16],
] as const)
	near.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
	['::', 127],
	['fc00::', 7],
	['fe80::', 10],
] as const)
	near.addSubnet(net, bits, 'ipv6');

/** True for a loopback, link-local or private address. `::ffff:1.2.3.4` counts as IPv4. */
const isNear = (address: string): boolean =>
	near.check(
		address.replace(/^::ffff:(?=\d+\.)/i, ''),
		isIP(address) === 6 && !/^::ffff:\d+\./i.test(address) ? 'ipv6' : 'ipv4',
	);

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

const isOwn = (hostname: string): boolean => isLoopback(hostname) || /^(?:.+\.)?localhost\.?$/.test(hostname);

/**
 * True if the name itself shows that the host is on this machine or a private network. Needs no DNS
 * lookup.
 */
const isKnownNear = (hostname: string): boolean =>
	isOwn(hostname) || (isIP(bare(hostname)) !== 0 && isNear(bare(hostname)));

/** Decides whether the client may connect to a server's own address and send the token there. */
export const verdictOnAddress = (
	service: string,
	{
		url: stated,
		token,
		token_reason: why,
	}: {
		readonly url?: string | null | undefined;
		readonly token?: string | null | undefined;
		/** Reason why there is no token, as the end of a sentence. */
		readonly token_reason?: unknown;
	},
	allowed: ReadonlySet<string>,
): AddressVerdict => {
	const home = URL.parse(service);
	const url = typeof stated === 'string' ? URL.parse(stated) : null;
	if (home === null || url === null || !/^https?:$/.test(url.protocol))
		return {says: 'it has no address of its own'};
	if (typeof token !== 'string' || !/^[\x21-\x7e]{1,4096}$/.test(token))
		return {says: typeof why === 'string' && why !== '' ? why : 'the service gave no token for it'};
	url.search = '';
	url.hash = '';
	url.username = '';
	url.password = '';
	if (!url.pathname.endsWith('/')) url.pathname += '/';
	const place = {url, token};
	if (url.protocol === 'http:' && home.protocol === 'https:')
		return {says: 'its address is not https, but the service is'};
	if (url.origin === home.origin) return {place};
	if (isOwn(home.hostname) && isOwn(url.hostname)) return {place};
	if (isKnownNear(url.hostname) && !isKnownNear(home.hostname))
		return {says: 'its address is one of this machine or a private network, and the service is not'};
	if (url.protocol === 'http:') return {says: 'its token would be sent unencrypted'};
	return allowed.has(url.origin) ? {place} : {asks: url.origin};
};

/**
 * DNS lookup for a server on another host than the service. It prevents a public service from
 * leading the client into a private network by a DNS name.
 */
export const guardedLookup = (service: string, place: URL): LookupFunction | undefined => {
	const home = URL.parse(service)?.hostname ?? '';
	if (home === place.hostname || isKnownNear(home)) return undefined;
	return (hostname, options, callback) => {
		dns.lookup(home, {all: true}, (_, homes) => {
			const isPublic = !(homes ?? []).some(({address}) => isNear(address));
			dns.lookup(hostname, {...options, all: true}, (error, found) => {
				if (error) return callback(error, '', 0);
				const [first] = found;
				if (first === undefined || (isPublic && found.some(({address}) => isNear(address))))
					return callback(Object.assign(new Error('private address'), {code: 'ENETUNREACH'}), '', 0);
				if (options.all) return callback(null, found);
				callback(null, first.address, first.family);
			});
		});
	};
};
