import type {Environment} from '../contract/environments.ts';

/** Kernels that an environment has; undefined where the service does not say. */
export const kernelsOf = (
	environments: readonly Environment[] | undefined,
	id: string | undefined,
): readonly string[] | undefined => {
	const kernels = environments?.find(each => each.environment_id === id)?.['kernels'];
	return Array.isArray(kernels) ? kernels.filter(each => typeof each === 'string') : undefined;
};
