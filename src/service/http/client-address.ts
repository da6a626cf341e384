import {BlockList, isIP} from 'node:net';
import {usageError} from '../serve-error.ts';

/** Proxies whose entries in `X-Forwarded-For` are trusted. */
export type TrustedProxies = {has(address: string): boolean};

const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');
const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * Parses a list of addresses and networks.
 * @throws {ServeError} 2 if an entry is neither an address nor a network such as `10.0.0.0/8`.
 */
export const trustedProxies = (given: readonly string[]): TrustedProxies => {
	const list = new BlockList();
	for (const entry of given) {
		const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
		const most = isIP(address) === 6 ? 128 : 32;
		if (isIP(address) === 0 || Number(bits ?? 0) > most)
			throw usageError(
				`--trusted-proxy ${JSON.stringify(entry)} is not an address: give that of the proxy, such as 10.0.0.5, or its network, such as 10.0.0.0/24.`,
			);
		list.addSubnet(address, Number(bits ?? most), familyOf(address));
	}
	return {
		has(address) {
			const bare = plain(address);
			return isIP(bare) !== 0 && list.check(bare, familyOf(bare));
		},
	};
};

const addressIn = (entry: string): string | undefined => {
	const text = entry.trim();
	const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text)?.[1] ?? text;
	return isIP(bare) === 0 ? undefined : plain(bare);
};

/**
 * Address of a client. Reads `X-Forwarded-For` from its end, as long as the entries are trusted
 * proxies. Entries before these are claims of the client. Other forwarding headers are ignored,
 * because proxies pass them on unchecked.
 */
export const clientAddress = (
	peer: string,
	forwardedFor: string | undefined,
	proxies: TrustedProxies,
): string => {
	let client = plain(peer);
	for (const entry of (forwardedFor ?? '').split(',').reverse()) {
		if (!proxies.has(client)) return client;
		const before = addressIn(entry);
		if (before === undefined) return client;
		client = before;
	}
	return client;
};
