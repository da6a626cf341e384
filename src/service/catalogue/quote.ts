import type {ComputeOption} from '../../contract/compute.ts';
import type {Catalogue} from './catalogue.ts';
import {ServiceFault} from '../http/fault.ts';
import type {UserQuota} from '../local/user-quota.ts';
import type {Settings} from '../local/registry.ts';

const isAvailable = ({availability}: ComputeOption): boolean => availability.some(({available}) => available);

/**
 * Maximum number of remaining servers that is shown. Free memory changes too often for higher
 * numbers.
 */
const MANY = 10;

/**
 * Adds a note about how many more servers the user can start. If the quota is full, marks all
 * options as unavailable with the reason.
 */
const withCapacity = (options: readonly ComputeOption[], {left, full}: UserQuota): readonly ComputeOption[] =>
	options.map(option => {
		if (!isAvailable(option)) return option;
		const roomNote =
			full ??
			`This machine has enough memory for ${left > MANY ? `more than ${MANY}` : left} more server${left === 1 ? '' : 's'}.`;
		const note =
			typeof option['note'] === 'string' && full === null ? `${option['note']} ${roomNote}` : roomNote;
		return {
			...option,
			availability: option.availability.map(region => ({
				...region,
				available: region.available && full === null,
			})),
			note,
		};
	});

/**
 * Adds the user's remaining capacity to the options. Returns the same list while the capacity stays
 * the same.
 */
export const createCapacityNotes = (options: readonly ComputeOption[]) => {
	let last: {readonly quota: string; readonly noted: readonly ComputeOption[]} | undefined;
	return ({left, full}: UserQuota): readonly ComputeOption[] => {
		const quota = full ?? `${Math.min(left, MANY + 1)}`;
		if (last?.quota !== quota) last = {quota, noted: withCapacity(options, {left, full})};
		return last.noted;
	};
};

/**
 * Finds the requested option.
 * @throws {ServiceFault} 400 if the settings are invalid, 409 if the option is unavailable.
 */
export const requireOffer = (
	catalogue: Catalogue,
	{environment, port, server_request}: Settings,
): ComputeOption => {
	if (!catalogue.environments.some(known => known.environment_id === environment))
		throw new ServiceFault(
			400,
			`There is no environment ${JSON.stringify(environment)}; GET /api/environments lists them.`,
		);
	if (port < 1 || port > 65_535) throw new ServiceFault(400, 'The port must be a number from 1 to 65535.');
	const option = catalogue.find(server_request);
	if (!option)
		throw new ServiceFault(
			400,
			`There is no compute option ${JSON.stringify(server_request)}; GET /api/compute lists them.`,
		);
	if (!isAvailable(option))
		throw new ServiceFault(
			409,
			`${option.name} (${server_request}) is not available now; choose another compute option.`,
		);
	return option;
};
