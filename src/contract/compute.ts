import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';
import {toNumber} from '../text/decimal.ts';
import {amountOrNaN, countOrNaN, lenientList, lenientOptional, lenientText} from './lenient.ts';
import {isRecord} from '../text/record.ts';

/** Availability in a region. Ids that differ only in letter case are two regions. */
export const availability = z.looseObject({available: z.boolean(), region: z.string()});

/**
 * Reads a boolean, a word (`yes`, `false`) or a count of free machines. Undefined for other values.
 */
const isAvailable = (value: unknown): boolean | undefined => {
	const said = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (said === true || said === 'true' || said === 'yes') return true;
	if (said === false || said === 'false' || said === 'no') return false;
	const left = toNumber(value);
	return left === null ? undefined : left > 0;
};

/** Rejects regions whose availability is unknown, because they would be shown as sold out. */
const lenientAvailability = z.looseObject({
	available: z.preprocess(isAvailable, z.boolean()),
	region: z.string(),
});

/**
 * A compute option as in the specification. Sizes are strings with the suffix `G`. The unit of
 * `hourly_price` is not specified. The service's own options (`cloud_host: svc`) have no
 * `compute_id`.
 */
export const computeStrict = z.looseObject({
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

/** Size of zero or less, such as `0G`, `0 GB` or `-1G`. */
const NO_SIZE = /^\s*(?:[+-]?0+(?:\.0*)?|-[\d.]+)\s*[a-z]*\s*$/i;
const knownSize = (size: string): string => (NO_SIZE.test(size) ? '' : size.trim());

const lenientOption = z.looseObject({
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
});
export type ComputeOption = z.infer<typeof lenientOption>;

/**
 * Replaces zeros by unknown values, because no machine has 0 CPUs or `0G` of memory, and no GPU has
 * `0G`. Our own service sends an unknown price as 0 with `price_known: false`.
 */
const zeroAsUnknown = (option: ComputeOption): ComputeOption => ({
	...option,
	hourly_price: option['price_known'] === false ? Number.NaN : option.hourly_price,
	cpus: option.cpus === 0 ? Number.NaN : option.cpus,
	memory: knownSize(option.memory),
	...(option.num_gpus !== 0 && {
		vram_per_gpu: knownSize(option.vram_per_gpu),
		total_vram: knownSize(option.total_vram),
	}),
});

/** Compute option as services may send it. An unknown number is NaN, an unknown size is empty. */
export const computeOption = z.preprocess(
	item => (isRecord(item) ? {...item, name: item['name'] ?? item['compute_id']} : item),
	lenientOption.transform(zeroAsUnknown),
);

export const listCompute = {
	method: 'GET',
	path: '/compute',
	body: undefined,
	response: z.looseObject({...success, compute: z.array(z.unknown())}),
	list: {field: 'compute', item: computeOption, asStated: computeStrict},
} as const satisfies Endpoint<undefined, z.ZodType, typeof computeOption>;
