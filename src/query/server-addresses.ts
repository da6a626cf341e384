import {PENDING} from '../contract/names.ts';
import type {ServerItem} from '../contract/servers.ts';
import {hasToken, withToken} from '../text/token.ts';

/** Addresses of a server, in display order. */
export const ADDRESSES = ['url', 'editor', 'forward'] as const;
export type AddressName = (typeof ADDRESSES)[number];

export const ADDRESS_FIELDS = {
	url: 'url',
	editor: 'assistant_editor_url',
	forward: 'port_forward_url',
} as const satisfies Readonly<Record<AddressName, keyof ServerItem>>;

export const addressOf = (server: ServerItem, name: AddressName): string | null =>
	server[ADDRESS_FIELDS[name]] ?? null;

/**
 * Address with the server's token. If its origin differs from that of the server's page, the token
 * is added only if `isAsked`.
 */
export const openingAddress = (server: ServerItem, name: AddressName, isAsked: boolean): string | null => {
	const address = addressOf(server, name);
	if (address === null || addressError(address) !== undefined) return address;
	const isOwn =
		isAsked || name === 'url' || URL.parse(address)?.origin === URL.parse(server.url ?? '')?.origin;
	return isOwn ? withToken(address, server.token) : address;
};

/**
 * Address with the token, for a user who requested it. Null if the address is invalid or has no
 * token.
 */
export const tokenAddress = (server: ServerItem, name: AddressName): string | null => {
	const address = openingAddress(server, name, true);
	return address !== null && addressError(address) === undefined && hasToken(address) ? address : null;
};

/**
 * Reason why an address cannot be opened, as the end of a sentence. Only HTTP and HTTPS addresses
 * can be opened.
 */
export const addressError = (address: string | null): string | undefined => {
	if (address === null || address === '') return 'the service reports no such address';
	if (address === PENDING) return 'not assigned yet';
	const protocol = URL.parse(address)?.protocol;
	return protocol === 'http:' || protocol === 'https:' ? undefined : 'it is not a web address';
};
