import type {ComputeOption} from '../contract/compute.ts';
import {searchKeysOf, regionCount} from './search-keys.ts';

export const GROUPINGS = ['gpu', 'region', 'host'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/**
 * Options with a common value. `low`, `high`: lowest and highest hourly price, NaN if unknown.
 * `available`: number of options available now.
 */
export type Group<Option> = {
	readonly name: string;
	readonly options: readonly Option[];
	readonly available: number;
	readonly low: number;
	readonly high: number;
};

/** Group name of options without a GPU. */
export const NO_GPU = 'no GPU';

const NONE: ReadonlySet<string> = new Set();

/**
 * Groups options, in the order of each group's first option. When grouping by region, an option is
 * in the group of each of its regions. `regions`: if not empty, only these regions count.
 * `available`: true to count only regions in which the option is available now.
 */
export const groupCompute = <Option extends ComputeOption>(
	options: readonly Option[],
	by: Grouping,
	regions: ReadonlySet<string> = NONE,
	available = false,
): readonly Group<Option>[] => {
	const groups = new Map<string, {options: Option[]; available: number}>();
	const put = (name: string, option: Option, available: boolean): void => {
		const group = groups.get(name) ?? {options: [], available: 0};
		group.options.push(option);
		if (available) group.available++;
		groups.set(name, group);
	};
	for (const option of options) {
		const {model, open} = searchKeysOf(option);
		const isOpen = regionCount(option, regions).open > 0;
		if (by === 'gpu') put(option.num_gpus === 0 ? NO_GPU : model, option, isOpen);
		else if (by === 'host') put(option.cloud_host, option, isOpen);
		else
			for (const region of new Set(option.availability.map(each => each.region)))
				if ((regions.size === 0 || regions.has(region)) && (!available || open.has(region)))
					put(region, option, open.has(region));
	}
	return [...groups].map(([name, group]) => {
		const prices = group.options.map(option => option.hourly_price).filter(price => !Number.isNaN(price));
		// Not `Math.min(...prices)`: a group may have more options than a call can have arguments.
		return {
			name,
			...group,
			low: prices.reduce((a, b) => Math.min(a, b), prices[0] ?? Number.NaN),
			high: prices.reduce((a, b) => Math.max(a, b), prices[0] ?? Number.NaN),
		};
	});
};
