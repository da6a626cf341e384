import type {ComputeOption} from '../contract/compute.ts';
import {compareBytes} from './bytes.ts';
import {searchKeysOf} from './search-keys.ts';
import {parseGigabytes, pricePerGpuHour} from './option.ts';
import {knownNumber} from '../text/known.ts';

type Value = string | number | null;

const VALUES = {
	gpu: option => searchKeysOf(option).model,
	n: ({num_gpus: count}) => knownNumber(count),
	vram: option => searchKeysOf(option).vram,
	total: ({total_vram: size}) => parseGigabytes(size),
	cpu: ({cpus}) => knownNumber(cpus),
	mem: ({memory}) => parseGigabytes(memory),
	price: ({hourly_price: price}) => knownNumber(price),
	'per-gpu': pricePerGpuHour,
	regions: option => searchKeysOf(option).open.size,
	host: ({cloud_host: host}) => host,
} as const satisfies Record<string, (option: ComputeOption) => Value>;

export type ComputeSortKey = keyof typeof VALUES;
export const COMPUTE_SORT_KEYS = Object.keys(VALUES) as readonly ComputeSortKey[];

export type Direction = 'ascending' | 'descending';

const compareValues = (left: Value, right: Value, sign: 1 | -1): number => {
	if (left === null || right === null) return Number(left === null) - Number(right === null);
	if (typeof left === 'number' && typeof right === 'number') return sign * (left - right);
	return sign * compareBytes(String(left), String(right));
};

/** Sorts options by a column, stably. Unknown values come last in both directions. */
export const sortCompute = <Option extends ComputeOption>(
	options: readonly Option[],
	key: ComputeSortKey,
	direction: Direction = 'ascending',
): readonly Option[] => {
	const valueOf: (option: ComputeOption) => Value = VALUES[key];
	const sign = direction === 'ascending' ? 1 : -1;
	return options
		.map(option => ({option, value: valueOf(option)}))
		.sort((a, b) => compareValues(a.value, b.value, sign))
		.map(({option}) => option);
};
