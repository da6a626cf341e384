import type {Failure} from '../../../api/failure.ts';
import type {Remote} from './remote.ts';

const SELDOM = 60_000;
/** The longest that a service which asks for patience gets. */
const PATIENCE = 300_000;

export const jittered = (ms: number): number => Math.round(ms * (0.9 + Math.random() * 0.2));

/** Milliseconds before a list that failed is asked for again: longer after each failure, and never before the service wants it. */
export const retryDelay = (failure: Failure | undefined, failures: number, first: number): number =>
	// Nothing but another key helps, and many tries with a wrong one may lock it.
	failure?.kind === 'auth'
		? PATIENCE
		: Math.min(
				PATIENCE,
				Math.max((failure?.retryAfter ?? 0) * 1000, jittered(Math.min(SELDOM, first * 2 ** failures))),
			);

const FIRST = 1000;

/** Where a list stands in the store. */
type Place<T> = {
	readonly read: () => Remote<T>;
	readonly write: (next: Remote<T>) => void;
	readonly now: () => number;
};

/** For a list that nobody looks at again and again: asks once more after a failure, until it has come. Called when an answer was settled. */
export const retryUntilLoaded = <T>({read, write, now}: Place<T>, ask: () => Promise<void>): (() => void) => {
	let timer: NodeJS.Timeout | undefined;
	let failures = 0;
	return () => {
		clearTimeout(timer);
		const {status, failure} = read();
		if (status === 'ready') failures = 0;
		if (status !== 'failed') return;
		const pause = retryDelay(failure, failures++, FIRST);
		write({...read(), again: now() + pause});
		timer = setTimeout(() => void ask(), pause).unref();
	};
};
