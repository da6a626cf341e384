import type {ComputeOption} from '../contract/compute.ts';
import {isAvailable} from './offers.ts';

/**
 * SSH host of a server, a compute option or an environment, as the local service reports it. Null
 * if the item is not on a host of the user.
 */
export const hostOf = (item: object): string | null =>
	'host' in item && typeof item.host === 'string' ? item.host : null;

/** True for a machine that the user reaches over SSH. */
export const isOwnHost = (option: ComputeOption): boolean => hostOf(option) !== null;

/**
 * Moves the user's own available hosts to the top. Their price is unknown, so a list sorted by
 * price would show them last.
 */
export const ownHostsFirst = (options: readonly ComputeOption[]): readonly ComputeOption[] => {
	const isFirst = (option: ComputeOption): boolean => isOwnHost(option) && isAvailable(option);
	const own = options.filter(isFirst);
	return own.length === 0 ? options : [...own, ...options.filter(option => !isFirst(option))];
};
