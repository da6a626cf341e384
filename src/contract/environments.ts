import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';

/** An item of Get Environments (interface 2.3). */
export const environment = z.looseObject({environment_id: z.string(), name: z.string(), description: z.string()});
export type Environment = z.infer<typeof environment>;

export const listEnvironments = {
	method: 'GET',
	path: '/environments',
	body: undefined,
	response: z.looseObject({...success, environments: z.array(z.unknown())}),
	list: {field: 'environments', item: environment},
} as const satisfies Endpoint<undefined, z.ZodType, typeof environment>;
