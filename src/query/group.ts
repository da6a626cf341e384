import type {ComputeOption} from '../contract/compute.ts';
import {factsOf} from './facts.ts';

export const GROUPINGS = ['gpu', 'region', 'host'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** `low` and `high` are prices per hour, NaN where none is known; `available`: how many of the options are available now (in the region, where that is the group). */
export type Group<Option> = {
	readonly name: string;
	readonly options: readonly Option[];
	readonly available: number;
	readonly low: number;
	readonly high: number;
};

/** The name under which options without a GPU are put together. */
export const NO_GPU = 'no GPU';

/** Groups in the order of their first option. By region, an option is in each of its regions, or only in those of `regions` when some are named. */
export const groupCompute = <Option extends ComputeOption>(
	options: readonly Option[],
	by: Grouping,
	regions: readonly string[] = [],
): readonly Group<Option>[] => {
	const chosen = new Set(regions);
	const groups = new Map<string, {options: Option[]; available: number}>();
	const put = (name: string, option: Option, available: boolean): void => {
		const group = groups.get(name) ?? {options: [], available: 0};
		group.options.push(option);
		if (available) group.available++;
		groups.set(name, group);
	};
	for (const option of options) {
		const {model, open} = factsOf(option);
		if (by === 'gpu') put(option.num_gpus === 0 ? NO_GPU : model, option, open.size > 0);
		else if (by === 'host') put(option.cloud_host, option, open.size > 0);
		else
			for (const region of new Set(option.availability.map(each => each.region)))
				if (chosen.size === 0 || chosen.has(region)) put(region, option, open.has(region));
	}
	return [...groups].map(([name, group]) => {
		const prices = group.options.map(option => option.hourly_price).filter(price => !Number.isNaN(price));
		// Not by spreading: a group may hold more options than a call takes arguments.
		return {
			name,
			...group,
			low: prices.reduce((a, b) => Math.min(a, b), prices[0] ?? Number.NaN),
			high: prices.reduce((a, b) => Math.max(a, b), prices[0] ?? Number.NaN),
		};
	});
};
