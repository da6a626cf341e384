import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';
import {amountOrNaN, countOrNaN, lenient, lenientList, lenientOptional, lenientText} from './lenient.ts';
import {isRecord} from '../text/record.ts';

/** Region ids are compared byte for byte: two that differ only in letter case are two regions. */
export const availability = z.looseObject({available: z.boolean(), region: z.string()});

const lenientAvailability = z.looseObject({
	available: lenient(value => value === true || value === 'true' || value === 1),
	region: z.string(),
});

/**
 * An item of Get Compute (interface 2.2). Sizes are strings with the suffix `G`; `hourly_price` is per hour in a unit that is not stated.
 * `compute_id` is absent on the service's own options (`cloud_host: svc`).
 */
export const computeAsStated = z.looseObject({
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

/** The same as other services may send it: NaN for a number that cannot be read, no regions where they are not known. */
export const computeOption = z.preprocess(
	item => (isRecord(item) ? {...item, name: item['name'] ?? item['compute_id']} : item),
	z.looseObject({
		name: z.string().min(1),
		cloud_host: lenientText,
		compute_id: lenientOptional,
		cpus: amountOrNaN,
		memory: lenientText,
		num_gpus: countOrNaN,
		vram_per_gpu: lenientText,
		total_vram: lenientText,
		hourly_price: amountOrNaN,
		availability: lenientList(lenientAvailability),
	}),
);
export type ComputeOption = z.infer<typeof computeOption>;

export const listCompute = {
	method: 'GET',
	path: '/compute',
	body: undefined,
	response: z.looseObject({...success, compute: z.array(z.unknown())}),
	list: {field: 'compute', item: computeOption, asStated: computeAsStated},
} as const satisfies Endpoint<undefined, z.ZodType, typeof computeOption>;
