import type {ComputeOption} from '../contract/compute.ts';
import {isAvailable} from './offers.ts';

/** True for a machine that the user reaches over SSH: the local service names its host. */
export const isOwnHost = (option: ComputeOption): boolean => typeof option['host'] === 'string';

/**
 * Moves the user's own available hosts to the top: their price is unknown, so that an order by
 * price puts them last.
 */
export const ownHostsFirst = (options: readonly ComputeOption[]): readonly ComputeOption[] => {
	const isFirst = (option: ComputeOption): boolean => isOwnHost(option) && isAvailable(option);
	const own = options.filter(isFirst);
	return own.length === 0 ? options : [...own, ...options.filter(option => !isFirst(option))];
};
