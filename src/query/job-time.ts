import type {ComputeOption} from '../contract/compute.ts';
import {offerOf} from './offers.ts';

/**
 * A partition of a queue. `limit`: longest time of a job in minutes. Null if there is no limit, or
 * if it is unknown.
 */
export type JobTime = {readonly partition: string; readonly limit: number | null};

/** The queue of a compute option. Undefined if its servers are not jobs, or it is not known. */
export const jobTimeOf = (
	id: string,
	catalogue: readonly ComputeOption[] | undefined,
): JobTime | undefined => {
	const offer = offerOf(id, catalogue);
	const partition = offer?.['partition'];
	const limit = offer?.['job_limit'];
	if (typeof partition !== 'string' || limit === undefined) return undefined;
	return {partition, limit: typeof limit === 'number' ? limit : null};
};
