import {explainFailure} from '../core/store/remote.ts';
import type {Failure, Reply} from '../../api/failure.ts';
import {label} from '../../text/safe.ts';

/**
 * Outcome of a request to end a kernel. After `ended`, queued cells are dropped and later cells
 * lack the old variables. After `unknown`, queued cells are dropped too. After `refused`, the
 * kernel runs the queued cells.
 */
export type KernelEnd = 'ended' | 'unknown' | 'refused';

/** A failed request as one line; `what` is the beginning. */
export const orderFailed = (what: string, failure: Failure): string => {
	const {what: said, next} = explainFailure(failure);
	return `${what}: ${label(said, 400)} ${label(next, 200)}`;
};

export const endOf = (done: Reply<unknown>): KernelEnd =>
	done.ok ? 'ended' : done.failure.ambiguous === true ? 'unknown' : 'refused';
