import type {ComputeOption} from '../../../contract/compute.ts';
import type {Environment} from '../../../contract/environments.ts';
import {offerOf} from '../../../query/offers.ts';
import {hostOf} from '../../../query/own-hosts.ts';

/**
 * Environment for a compute option: the given one if it fits. Environments on an SSH host are for
 * servers on that host only, and these servers use no others.
 */
export const fittingEnvironment = (
	environment: string,
	compute: string,
	known: {
		readonly compute: readonly ComputeOption[] | undefined;
		readonly environments: readonly Environment[] | undefined;
	},
): string => {
	const option = offerOf(compute, known.compute);
	if (option === undefined) return environment;
	const all = known.environments ?? [];
	const now = all.find(each => each.environment_id === environment);
	const host = hostOf(option);
	if (now === undefined ? host === null : hostOf(now) === host) return environment;
	return all.find(each => hostOf(each) === host)?.environment_id ?? environment;
};
