import {explainFailure} from '../core/store/remote.ts';
import type {Failure, Reply} from '../../api/failure.ts';
import {label} from '../../text/safe.ts';

/**
 * Result of an order to end a kernel. `ended`: cells that waited are not run, and later ones do not
 * know its names. `unknown`: they are not run. `refused`: they are.
 */
export type KernelEnd = 'ended' | 'unknown' | 'refused';

/** The failure of an order as one line. */
export const orderFailed = (what: string, failure: Failure): string => {
	const {what: said, next} = explainFailure(failure);
	return `${what}: ${label(said, 400)} ${label(next, 200)}`;
};

export const endOf = (done: Reply<unknown>): KernelEnd =>
	done.ok ? 'ended' : done.failure.ambiguous === true ? 'unknown' : 'refused';
