import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';
import {identity, lenientAmount, lenientCount, lenientOptional, lenientText} from './lenient.ts';
import {isRecord} from '../text/record.ts';

const requested = {
	/** An `environment_id`. */
	environment: z.string(),
	/** Port of the notebook server. */
	port: z.int(),
	/** A compute option id: `svc-<size>` or a `compute_id`. */
	server_request: z.string(),
};

const addresses = {
	assistant_editor_url: z.string().nullish(),
	port_forward_url: z.string().nullish(),
	url: z.string().nullish(),
};

/**
 * An item of Get Servers (interface 2.1). `status` is an open set: only `ready` and `offline` are documented.
 * `token` and the addresses may be null or absent on some services; whoever needs one says so then.
 */
export const serverStrict = z.looseObject({
	name: z.string(),
	...requested,
	...addresses,
	status: z.string(),
	thumb: z.string().nullish(),
	token: z.string().nullish(),
});

const lenientRequested = {environment: lenientText, port: lenientCount, server_request: lenientText};
const lenientAddresses = {
	assistant_editor_url: lenientOptional,
	port_forward_url: lenientOptional,
	url: lenientOptional,
};

/**
 * The same as other services may send it: what has a name is a server, which may cost money. Empty texts and a null port are not known.
 */
export const serverItem = z.preprocess(
	item =>
		typeof item === 'string'
			? {name: item}
			: isRecord(item)
				? {...item, name: item['name'] ?? item['server_name']}
				: item,
	z.looseObject({
		name: identity,
		...lenientRequested,
		...lenientAddresses,
		status: lenientText,
		thumb: lenientOptional,
		token: lenientOptional,
	}),
);
export type ServerItem = z.infer<typeof serverItem>;

// A service that took the order and says little of it has taken it: nothing but the list needs its fields.
const answered = {
	server_name: lenientText,
	...lenientRequested,
	...lenientAddresses,
	hourly_rate: lenientAmount,
};

/** Answer of Create Server: `status` is the envelope's, not the server's state. */
export const createdServer = z.looseObject({...success, ...answered});
export type CreatedServer = z.infer<typeof createdServer>;

/** Answer of Start Server: `token` is null when the server has none. */
export const startedServer = z.looseObject({
	...success,
	...answered,
	message: lenientOptional,
	token: lenientOptional,
});
export type StartedServer = z.infer<typeof startedServer>;

export const startRequest = z.object(requested);
export type StartRequest = z.infer<typeof startRequest>;

export const createRequest = z.object({...requested, server_name: z.string()});
export type CreateRequest = z.infer<typeof createRequest>;

export const listServers = {
	method: 'GET',
	path: '/servers',
	body: undefined,
	response: z.looseObject({...success, servers: z.array(z.unknown())}),
	list: {field: 'servers', item: serverItem, asStated: serverStrict},
} as const satisfies Endpoint<undefined, z.ZodType, typeof serverItem>;

export const createServer = {
	method: 'POST',
	path: '/servers',
	body: createRequest,
	response: createdServer,
} as const satisfies Endpoint<typeof createRequest, typeof createdServer>;

export const startServer = {
	method: 'POST',
	path: '/servers/{server_name}/start',
	body: startRequest,
	response: startedServer,
} as const satisfies Endpoint<typeof startRequest, typeof startedServer>;
