import type {ServerItem} from '../../contract/servers.ts';
import {fieldsOf, isRecord} from '../../text/record.ts';

/**
 * List of servers from an earlier run of the program. The screens show it until the service
 * responds, and never act on it. Contains no address and no token.
 */
export type CachedServers = {
	/** Time of the list in ms since the epoch. */
	readonly at: number;
	readonly items: readonly ServerItem[];
};

const FIELDS = ['name', 'status', 'environment', 'server_request'] as const;
const MOST = 1000;

/** Converts a list to its cached form, which is JSON. */
export const toCachedServers = (items: readonly ServerItem[], at: number): CachedServers => ({
	at,
	items: items
		.slice(0, MOST)
		.map(({name, status, environment, server_request, port}) => ({
			name,
			status,
			environment,
			server_request,
			port,
		})),
});

/** Parses the cached list and skips invalid entries. Null if it is not a list with its time. */
export const parseCachedServers = (read: unknown): CachedServers | null => {
	const {at, items} = fieldsOf(read);
	if (typeof at !== 'number' || !Array.isArray(items)) return null;
	const isServer = (item: unknown): item is ServerItem =>
		isRecord(item) && FIELDS.every(field => typeof item[field] === 'string');
	return {at, items: items.filter(isServer)};
};
