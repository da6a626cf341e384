import type {Failure, Reply} from '../../../api/failure.ts';

/**
 * Data of the service. The previous value is retained while a newer one loads, and after a failure.
 * `at`: time when `value` arrived, in ms since the epoch.
 */
export type Remote<T> = {
	readonly status: 'idle' | 'loading' | 'ready' | 'failed';
	readonly value?: T;
	readonly at?: number;
	readonly failure?: Failure;
	/** Start of the request in progress, in ms since the epoch. */
	readonly since?: number;
	/** Time of the automatic retry after a failure, in ms since the epoch. */
	readonly again?: number;
};

export const idle: Remote<never> = {status: 'idle'};

const kept = <T>(old: Remote<T>): {value?: T; at?: number} => ({
	...(old.value !== undefined && {value: old.value}),
	...(old.at !== undefined && {at: old.at}),
});

export const toLoading = <T>(old: Remote<T>, since?: number): Remote<T> => ({
	status: 'loading',
	...kept(old),
	...(old.failure && {failure: old.failure}),
	...(since !== undefined && {since: old.since ?? since}),
});

export const toSettled = <T>(old: Remote<T>, reply: Reply<T>, at: number): Remote<T> =>
	reply.ok
		? {status: 'ready', value: reply.value, at}
		: {status: 'failed', ...kept(old), failure: reply.failure};

/** Failure of a request that the user has cancelled. */
const STOPPED: Failure = {
	kind: 'cancelled',
	method: 'GET',
	path: '',
	message: 'Stopped before the response arrived.',
};

type Loader<T> = {
	(ask: (signal: AbortSignal) => Promise<Reply<T>>): Promise<void>;
	/** Aborts the request in progress; false if there is none. */
	readonly stop: () => boolean;
};

/**
 * Creates a loader in which only the newest call counts: it aborts the previous call, and a late
 * response is ignored. `read` and `write` access the value in the store.
 */
export const latestOnly = <T>(
	read: () => Remote<T>,
	write: (next: Remote<T>) => void,
	now: () => number,
): Loader<T> => {
	let latest: AbortController | undefined;
	const load = async (ask: (signal: AbortSignal) => Promise<Reply<T>>): Promise<void> => {
		latest?.abort();
		const mine = new AbortController();
		latest = mine;
		write(toLoading(read(), now()));
		const reply = await ask(mine.signal);
		if (!mine.signal.aborted) write(toSettled(read(), reply, now()));
	};
	const stop = (): boolean => {
		if (read().status !== 'loading') return false;
		latest?.abort();
		write(toSettled(read(), {ok: false, failure: STOPPED}, now()));
		return true;
	};
	return Object.assign(load, {stop});
};

/** True while the first response is loading, so that there are no rows yet. */
export const isAwaited = ({status, value}: Remote<unknown>): boolean =>
	status === 'loading' && value === undefined;

export {explainFailure, type Failure} from '../../../api/failure.ts';
export type {Listing} from '../../../api/client-types.ts';
