import type {ComputeOption} from '../contract/compute.ts';
import {knownNumber} from '../text/known.ts';
import {regionTest} from './geo-areas.ts';
import {computeIdOf} from './option.ts';
import {searchKeysOf} from './search-keys.ts';

const MOST = 3;

const priceIn = (option: ComputeOption): number => knownNumber(option.hourly_price) ?? Infinity;

/**
 * Up to three other available options with the same GPU and count. The first is the cheapest. Those
 * closest in price follow, first in `regions`, then in other regions.
 */
export const alternativesTo = (
	wanted: ComputeOption,
	options: readonly ComputeOption[],
	regions: readonly string[],
): readonly ComputeOption[] => {
	const {id} = computeIdOf(wanted);
	const {modelKey} = searchKeysOf(wanted);
	const alike = options
		.filter(
			option =>
				option.num_gpus === wanted.num_gpus &&
				searchKeysOf(option).modelKey === modelKey &&
				searchKeysOf(option).open.size > 0 &&
				computeIdOf(option).id !== id,
		)
		.sort((one, other) => priceIn(one) - priceIn(other));
	const [cheapest, ...rest] = alike;
	if (cheapest === undefined) return [];
	const tests = regions.map(regionTest);
	const isInside = (option: ComputeOption): boolean =>
		[...searchKeysOf(option).open].some(region => tests.some(test => test(region)));
	const apart = (option: ComputeOption): number => Math.abs(priceIn(option) - priceIn(wanted));
	const closest = rest.toSorted(
		(one, other) => Number(isInside(other)) - Number(isInside(one)) || apart(one) - apart(other),
	);
	return [cheapest, ...closest.slice(0, MOST - 1)].sort((one, other) => priceIn(one) - priceIn(other));
};
