import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';
import {identity, lenientText} from './lenient.ts';
import {isRecord} from '../text/record.ts';

/** An environment as the specification states it. */
export const environmentStrict = z.looseObject({
	environment_id: z.string(),
	name: z.string(),
	description: z.string(),
});

/** An environment as other services may send it. */
export const environment = z.preprocess(
	item =>
		typeof item === 'string'
			? {environment_id: item, name: item}
			: isRecord(item)
				? {...item, name: item['name'] ?? item['environment_id']}
				: item,
	z.looseObject({environment_id: identity, name: lenientText, description: lenientText}),
);
export type Environment = z.infer<typeof environment>;

export const listEnvironments = {
	method: 'GET',
	path: '/environments',
	body: undefined,
	response: z.looseObject({...success, environments: z.array(z.unknown())}),
	list: {field: 'environments', item: environment, asStated: environmentStrict},
} as const satisfies Endpoint<undefined, z.ZodType, typeof environment>;
