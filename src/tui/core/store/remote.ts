import type {Failure, Reply} from '../../../api/failure.ts';

/**
 * Data of the service. The old value stays while a newer one loads and after a failure. `at`: time
 * of the response with `value`, in ms since the epoch.
 */
export type Remote<T> = {
	readonly status: 'idle' | 'loading' | 'ready' | 'failed';
	readonly value?: T;
	readonly at?: number;
	readonly failure?: Failure;
	/** Time of the automatic retry after a failure, in ms since the epoch. */
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
 * Creates a loader in which the newest call wins: a call aborts the previous one, and a late
 * response changes nothing. `read` and `write` access the store.
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
