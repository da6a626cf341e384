import type {ComputeOption} from '../contract/compute.ts';
import {compareBytes} from './filter.ts';
import {gpuModel, parseGigabytes, pricePerGpuHour} from './option.ts';

const VALUES = {
	gpu: gpuModel,
	count: ({num_gpus: count}) => count,
	vram: ({vram_per_gpu: size}) => parseGigabytes(size),
	totalVram: ({total_vram: size}) => parseGigabytes(size),
	cpus: ({cpus}) => cpus,
	memory: ({memory}) => parseGigabytes(memory),
	price: ({hourly_price: price}) => price,
	pricePerGpu: pricePerGpuHour,
	regions: ({availability}) => availability.filter(({available}) => available).length,
	host: ({cloud_host: host}) => host,
} as const satisfies Record<string, (option: ComputeOption) => string | number | null>;

/** A column of the catalogue by which it can be sorted. */
export type ComputeSortKey = keyof typeof VALUES;
export const COMPUTE_SORT_KEYS = Object.keys(VALUES) as readonly ComputeSortKey[];

export type Direction = 'ascending' | 'descending';

/** A comparator for `toSorted`. Sizes that cannot be read, and prices per GPU where there is none, come last in both directions; equal ones keep their order. */
export const compareCompute = (key: ComputeSortKey, direction: Direction = 'ascending'): ((a: ComputeOption, b: ComputeOption) => number) => {
	const valueOf: (option: ComputeOption) => string | number | null = VALUES[key];
	const sign = direction === 'ascending' ? 1 : -1;
	return (a, b) => {
		const left = valueOf(a);
		const right = valueOf(b);
		if (left === null || right === null) return Number(left === null) - Number(right === null);
		if (typeof left === 'number' && typeof right === 'number') return sign * (left - right);
		return sign * compareBytes(String(left), String(right));
	};
};
