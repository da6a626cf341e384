import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';
import {identity, lenientAmount, lenientCount, lenientOptional, lenientText} from './lenient.ts';
import {isRecord} from '../text/record.ts';

const requested = {
	environment: z.string(),
	port: z.int(),
	/** Compute option id: `svc-<size>` or a `compute_id`. */
	server_request: z.string(),
};

/** Extension of the API: longest time of a job in a queue, such as `4h`. */
const timed = {...requested, time_limit: z.string().optional()};

const addresses = {
	assistant_editor_url: z.string().nullish(),
	port_forward_url: z.string().nullish(),
	url: z.string().nullish(),
};

/**
 * A listed server as in the specification. `status` may have any value; `ready` and `offline` are
 * documented. Some services omit `token` and the addresses.
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
 * A listed server as services may send it. Anything with a name is accepted, because it may cost
 * money.
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

// A successful response is accepted even if fields are missing, because only the list needs them.
const answered = {
	server_name: lenientText,
	...lenientRequested,
	...lenientAddresses,
	hourly_rate: lenientAmount,
};

/** Our own service sends an unknown rate as 0 with `price_known: false`. */
const withKnownRate = <T extends {readonly hourly_rate: number | null; readonly [key: string]: unknown}>(
	answer: T,
): T => (answer['price_known'] === false ? {...answer, hourly_rate: null} : answer);

/** Response of Create Server. `status` is the response's, not the server's state. */
export const createdServer = z.looseObject({...success, ...answered}).transform(withKnownRate);
export type CreatedServer = z.infer<typeof createdServer>;

/** Response of Start Server. `token` is null if the server has none. */
export const startedServer = z
	.looseObject({...success, ...answered, message: lenientOptional, token: lenientOptional})
	.transform(withKnownRate);
export type StartedServer = z.infer<typeof startedServer>;

export const startRequest = z.object(timed);
export type StartRequest = z.infer<typeof startRequest>;

export const createRequest = z.object({...timed, server_name: z.string()});
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
	status: 202,
	body: createRequest,
	response: createdServer,
} as const satisfies Endpoint<typeof createRequest, typeof createdServer>;

export const startServer = {
	method: 'POST',
	path: '/servers/{server_name}/start',
	body: startRequest,
	response: startedServer,
} as const satisfies Endpoint<typeof startRequest, typeof startedServer>;
