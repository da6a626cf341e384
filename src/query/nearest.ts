import type {ComputeOption} from '../contract/compute.ts';
import {searchKeysOf} from './search-keys.ts';
import {parseGigabytes} from './option.ts';
import {knownNumber} from '../text/known.ts';

/**
 * Distance from the wanted option: 0 for the same GPU and count, 1 for more of that GPU, 2 for
 * another GPU. Null if the option offers less.
 */
const rankOf = (wanted: ComputeOption, other: ComputeOption): number | null => {
	if (wanted.num_gpus === 0) {
		const isEnough =
			other.num_gpus === 0 &&
			other.cpus >= (knownNumber(wanted.cpus) ?? 0) &&
			(parseGigabytes(other.memory) ?? 0) >= (parseGigabytes(wanted.memory) ?? 0);
		return isEnough ? 0 : null;
	}
	if (other.num_gpus < wanted.num_gpus) return null;
	if (searchKeysOf(other).modelKey === searchKeysOf(wanted).modelKey)
		return other.num_gpus === wanted.num_gpus ? 0 : 1;
	return (searchKeysOf(other).vram ?? 0) >= (searchKeysOf(wanted).vram ?? Infinity) &&
		other.num_gpus === wanted.num_gpus
		? 2
		: null;
};

/**
 * Replacement that is available now: the same GPU and count, else more of that GPU, else another
 * GPU with as much memory. Of equal candidates, the closest in price.
 */
export const nearestAvailable = <Option extends ComputeOption>(
	wanted: ComputeOption,
	options: readonly Option[],
): Option | undefined => {
	let best: {readonly option: Option; readonly rank: number; readonly apart: number} | undefined;
	for (const option of options) {
		if (searchKeysOf(option).open.size === 0) continue;
		const rank = rankOf(wanted, option);
		if (rank === null) continue;
		const apart = knownNumber(Math.abs(option.hourly_price - wanted.hourly_price)) ?? Infinity;
		if (best === undefined || rank < best.rank || (rank === best.rank && apart < best.apart))
			best = {option, rank, apart};
	}
	return best?.option;
};
