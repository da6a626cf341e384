import {explainFailure} from '../core/store/remote.ts';
import type {Failure, Reply} from '../../api/failure.ts';
import {label} from '../../text/safe.ts';

/**
 * Outcome of a request to end a kernel. `ended`: queued cells do not run, and later cells lack the
 * kernel's variables. `unknown`: queued cells do not run. `refused`: queued cells run.
 */
export type KernelEnd = 'ended' | 'unknown' | 'refused';

/** Failure of a request as one line. */
export const orderFailed = (what: string, failure: Failure): string => {
	const {what: said, next} = explainFailure(failure);
	return `${what}: ${label(said, 400)} ${label(next, 200)}`;
};

export const endOf = (done: Reply<unknown>): KernelEnd =>
	done.ok ? 'ended' : done.failure.ambiguous === true ? 'unknown' : 'refused';
