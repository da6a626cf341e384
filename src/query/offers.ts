import type {ComputeOption} from '../contract/compute.ts';
import {computeIdOf} from './option.ts';

const indexes = new WeakMap<readonly ComputeOption[], ReadonlyMap<string, ComputeOption>>();

/** The options of a catalogue by the id that create and start name them by; of two with one id, the first. Made once for each array. */
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

export const offerOf = (id: string, options: readonly ComputeOption[] | undefined): ComputeOption | undefined => (options === undefined ? undefined : offersById(options).get(id));

export const isAvailable = ({availability}: Pick<ComputeOption, 'availability'>): boolean => availability.some(({available}) => available);
