import type {Failure, Reply} from '../../../api/failure.ts';

/** Data of the service: the old value stays while a newer one loads and when loading failed. `at`: ms since the epoch of `value`. */
export type Remote<T> = {
	readonly status: 'idle' | 'loading' | 'ready' | 'failed';
	readonly value?: T;
	readonly at?: number;
	readonly failure?: Failure;
	/** After a failure: when it is asked for again without a key, ms since the epoch. */
	readonly again?: number;
};

export const idle: Remote<never> = {status: 'idle'};

const kept = <T>(old: Remote<T>): {value?: T; at?: number} => ({
	...(old.value !== undefined && {value: old.value}),
	...(old.at !== undefined && {at: old.at}),
});

export const toLoading = <T>(old: Remote<T>): Remote<T> => ({
	status: 'loading',
	...kept(old),
	...(old.failure && {failure: old.failure}),
});

export const toSettled = <T>(old: Remote<T>, reply: Reply<T>, at: number): Remote<T> =>
	reply.ok
		? {status: 'ready', value: reply.value, at}
		: {status: 'failed', ...kept(old), failure: reply.failure};

/**
 * Makes a loader of which only the newest call counts: a call aborts the one before it, and an answer that comes too late changes nothing.
 * `read` and `write` reach the place in the store.
 */
export const latestOnly = <T>(read: () => Remote<T>, write: (next: Remote<T>) => void, now: () => number) => {
	let latest: AbortController | undefined;
	return async (ask: (signal: AbortSignal) => Promise<Reply<T>>): Promise<void> => {
		latest?.abort();
		const mine = new AbortController();
		latest = mine;
		write(toLoading(read()));
		const reply = await ask(mine.signal);
		if (!mine.signal.aborted) write(toSettled(read(), reply, now()));
	};
};

export {explainFailure, type Failure} from '../../../api/failure.ts';
export type {Listing} from '../../../api/client-types.ts';
