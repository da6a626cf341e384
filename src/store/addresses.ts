import {PENDING} from '../contract/names.ts';
import type {ServerItem} from '../contract/servers.ts';

/** The addresses of a server, in the order in which they are offered. */
export const ADDRESSES = ['url', 'editor', 'forward'] as const;
export type AddressName = (typeof ADDRESSES)[number];

export const addressOf = (server: Pick<ServerItem, 'url' | 'assistant_editor_url' | 'port_forward_url'>, name: AddressName): string | null =>
	({url: server.url, editor: server.assistant_editor_url, forward: server.port_forward_url})[name] ?? null;

/** Why an address cannot be opened, as the end of a sentence; undefined when it can. Only web addresses are given to a browser. */
export const whyNotOpen = (address: string | null): string | undefined => {
	if (address === null || address === '') return 'the service gives no such address';
	if (address === PENDING) return 'the service does not know it yet';
	const protocol = URL.parse(address)?.protocol;
	return protocol === 'http:' || protocol === 'https:' ? undefined : 'it is no web address';
};
