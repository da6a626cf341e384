import type {Environment} from '../contract/environments.ts';

/** Kernels of an environment. Undefined if the service does not report them. */
export const kernelsOf = (
	environments: readonly Environment[] | undefined,
	id: string | undefined,
): readonly string[] | undefined => {
	const kernels = environments?.find(each => each.environment_id === id)?.['kernels'];
	return Array.isArray(kernels) ? kernels.filter(each => typeof each === 'string') : undefined;
};
