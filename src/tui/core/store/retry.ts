import type {Failure} from '../../../api/failure.ts';
import type {Remote} from './remote.ts';

const SELDOM = 60_000;
/** Longest delay after a response that asks for one, in ms. */
const PATIENCE = 300_000;

export const jittered = (ms: number): number => Math.round(ms * (0.9 + Math.random() * 0.2));

/**
 * Delay before a failed list is loaded again, in ms. It grows with each failure, and is never
 * shorter than the service asks for. Null after a rejected key: only another key helps, and
 * repeated tries with a wrong one may block it.
 */
export const retryDelay = (failure: Failure | undefined, failures: number, first: number): number | null =>
	failure?.kind === 'auth'
		? null
		: Math.min(
				PATIENCE,
				Math.max((failure?.retryAfter ?? 0) * 1000, jittered(Math.min(SELDOM, first * 2 ** failures))),
			);

const FIRST = 1000;

/** Access to the list in the store. */
type Place<T> = {
	readonly read: () => Remote<T>;
	readonly write: (next: Remote<T>) => void;
	readonly now: () => number;
};

/** Retries a list that is not polled, until it has loaded. Call it after each response. */
export const retryUntilLoaded = <T>({read, write, now}: Place<T>, ask: () => Promise<void>): (() => void) => {
	let timer: NodeJS.Timeout | undefined;
	let failures = 0;
	return () => {
		clearTimeout(timer);
		const {status, failure} = read();
		if (status === 'ready') failures = 0;
		if (status !== 'failed' || failure?.kind === 'cancelled') return;
		const pause = retryDelay(failure, failures++, FIRST);
		if (pause === null) return;
		write({...read(), again: now() + pause});
		timer = setTimeout(() => void ask(), pause).unref();
	};
};
