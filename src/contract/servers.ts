import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';

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
export const serverItem = z.looseObject({
	name: z.string(),
	...requested,
	...addresses,
	status: z.string(),
	thumb: z.string().nullish(),
	token: z.string().nullish(),
});
export type ServerItem = z.infer<typeof serverItem>;

const answered = {server_name: z.string(), ...requested, ...addresses, hourly_rate: z.number()};

/** Answer of Create Server: `status` is the envelope's, not the server's state. */
export const createdServer = z.looseObject({...success, ...answered});
export type CreatedServer = z.infer<typeof createdServer>;

/** Answer of Start Server: `token` is null when the server has none. */
export const startedServer = z.looseObject({...success, ...answered, message: z.string().nullish(), token: z.string().nullish()});
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
	list: {field: 'servers', item: serverItem},
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
