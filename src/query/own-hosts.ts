import type {ComputeOption} from '../contract/compute.ts';
import {isAvailable} from './offers.ts';

/**
 * SSH host of a server, a compute option or an environment, as the local service names it. Null if
 * it is not on a host of the user.
 */
export const hostOf = (item: object): string | null =>
	'host' in item && typeof item.host === 'string' ? item.host : null;

/** True for a machine that the user reaches over SSH. */
export const isOwnHost = (option: ComputeOption): boolean => hostOf(option) !== null;

/**
 * Moves the user's own available hosts to the top: their price is unknown, so that an order by
 * price puts them last.
 */
export const ownHostsFirst = (options: readonly ComputeOption[]): readonly ComputeOption[] => {
	const isFirst = (option: ComputeOption): boolean => isOwnHost(option) && isAvailable(option);
	const own = options.filter(isFirst);
	return own.length === 0 ? options : [...own, ...options.filter(option => !isFirst(option))];
};
