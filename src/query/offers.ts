import type {ComputeOption} from '../contract/compute.ts';
import {computeIdOf} from './option.ts';
import {knownNumber} from '../text/known.ts';

const indexes = new WeakMap<readonly ComputeOption[], ReadonlyMap<string, ComputeOption>>();

/**
 * Options of a catalogue, by the id for create and start. Of options with the same id, the first.
 * Cached.
 */
export const offersById = (options: readonly ComputeOption[]): ReadonlyMap<string, ComputeOption> => {
	const known = indexes.get(options);
	if (known) return known;
	const index = new Map<string, ComputeOption>();
	for (const option of options) {
		const {id} = computeIdOf(option);
		if (!index.has(id)) index.set(id, option);
	}
	indexes.set(options, index);
	return index;
};

export const offerOf = (
	id: string,
	options: readonly ComputeOption[] | undefined,
): ComputeOption | undefined => (options === undefined ? undefined : offersById(options).get(id));

/** Price per hour of a compute option. Undefined if unknown. */
export const priceOf = (id: string, options: readonly ComputeOption[] | undefined): number | undefined =>
	knownNumber(offerOf(id, options)?.hourly_price ?? Number.NaN) ?? undefined;

export const isAvailable = ({availability}: Pick<ComputeOption, 'availability'>): boolean =>
	availability.some(({available}) => available);

/** True if the option is available, or if the service reports no regions. */
export const mayBeAvailable = (option: Pick<ComputeOption, 'availability'>): boolean =>
	option.availability.length === 0 || isAvailable(option);
