import {PENDING} from '../contract/names.ts';
import type {ServerItem} from '../contract/servers.ts';
import {hasToken, withToken} from '../text/token.ts';

/** The addresses of a server, in the order in which they are offered. */
export const ADDRESSES = ['url', 'editor', 'forward'] as const;
export type AddressName = (typeof ADDRESSES)[number];

/** Fields of a server that hold them. */
export const ADDRESS_FIELDS = {
	url: 'url',
	editor: 'assistant_editor_url',
	forward: 'port_forward_url',
} as const satisfies Readonly<Record<AddressName, keyof ServerItem>>;

export const addressOf = (server: ServerItem, name: AddressName): string | null =>
	server[ADDRESS_FIELDS[name]] ?? null;

/**
 * An address with the server's token. Unless the user asked for the token, an address on another origin than the server's page goes without it.
 */
export const openingAddress = (server: ServerItem, name: AddressName, isAsked: boolean): string | null => {
	const address = addressOf(server, name);
	if (address === null || addressError(address) !== undefined) return address;
	const isOwn =
		isAsked || name === 'url' || URL.parse(address)?.origin === URL.parse(server.url ?? '')?.origin;
	return isOwn ? withToken(address, server.token) : address;
};

/** The address that the user gets who asks for it with its token; null where it cannot be opened, or the server has no token. */
export const tokenAddress = (server: ServerItem, name: AddressName): string | null => {
	const address = openingAddress(server, name, true);
	return address !== null && addressError(address) === undefined && hasToken(address) ? address : null;
};

/** Why an address cannot be opened, as the end of a sentence; undefined when it can. Only web addresses are given to a browser. */
export const addressError = (address: string | null): string | undefined => {
	if (address === null || address === '') return 'the service gives no such address';
	if (address === PENDING) return 'the service does not know it yet';
	const protocol = URL.parse(address)?.protocol;
	return protocol === 'http:' || protocol === 'https:' ? undefined : 'it is not a web address';
};
