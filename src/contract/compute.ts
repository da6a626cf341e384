import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';

/** Region ids are compared byte for byte: two that differ only in letter case are two regions. */
export const availability = z.looseObject({available: z.boolean(), region: z.string()});

/**
 * An item of Get Compute (interface 2.2). Sizes are strings with the suffix `G`; `hourly_price` is per hour in a unit that is not stated.
 * `compute_id` is absent on the service's own options (`cloud_host: svc`).
 */
export const computeOption = z.looseObject({
	name: z.string(),
	cloud_host: z.string(),
	compute_id: z.string().nullish(),
	cpus: z.int(),
	memory: z.string(),
	num_gpus: z.int(),
	vram_per_gpu: z.string(),
	total_vram: z.string(),
	hourly_price: z.number(),
	availability: z.array(availability),
});
export type ComputeOption = z.infer<typeof computeOption>;

export const listCompute = {
	method: 'GET',
	path: '/compute',
	body: undefined,
	response: z.looseObject({...success, compute: z.array(z.unknown())}),
	list: {field: 'compute', item: computeOption},
} as const satisfies Endpoint<undefined, z.ZodType, typeof computeOption>;
