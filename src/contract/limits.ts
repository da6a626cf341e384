// Extension of the API: limits after which the service itself stops servers.
import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';
import {lenientAmount, lenientList, lenientOptional} from './lenient.ts';

/** A duration such as `90m`, `off` for no limit, or null for the default of the service. */
const limit = z.string().nullable();

export const limitsRequest = z.object({
	server_name: z.string(),
	/** Time without use. A busy kernel counts as use. Absent: unchanged. */
	idle_stop: limit.optional(),
	/** Time from start to stop. Absent: unchanged. */
	max_run: limit.optional(),
});
export type LimitsRequest = z.infer<typeof limitsRequest>;

const serverLimits = z.looseObject({
	name: z.string(),
	/** Limits that apply: those of the server, else the defaults. Null for no limit. */
	idle_stop: lenientOptional,
	max_run: lenientOptional,
	/** Time at which the service will stop the server, ISO 8601. Null if it will not. */
	stops_at: lenientOptional,
});

const limitsAnswer = z.looseObject({
	...success,
	servers: lenientList(serverLimits),
	/** Null for no budget. */
	daily_budget: lenientAmount,
	/** Estimated cost of today, by the service's own prices. */
	spent_today: lenientAmount,
});
export type LimitsAnswer = z.infer<typeof limitsAnswer>;

export const getLimits = {
	method: 'GET',
	path: '../local/limits',
	body: undefined,
	response: limitsAnswer,
} as const satisfies Endpoint<undefined, typeof limitsAnswer>;

export const setLimits = {
	method: 'POST',
	path: '../local/limits',
	body: limitsRequest,
	response: limitsAnswer,
} as const satisfies Endpoint<typeof limitsRequest, typeof limitsAnswer>;
