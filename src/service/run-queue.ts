import {once} from './once.ts';

/** Queue that lets one run proceed at a time, in order of arrival. */
export type RunQueue = {
	/**
	 * Waits until the run may proceed. Resolves with a function to call at its end, or immediately
	 * with null if `limit` runs are already waiting.
	 * @throws The signal's reason if it is aborted during the wait.
	 */
	acquire(signal: AbortSignal): Promise<(() => void) | null>;
	/** True while any run is in progress or waiting. */
	busy(): boolean;
};

export const createRunQueue = (limit: number): RunQueue => {
	const waiting: Array<() => void> = [];
	let taken = false;
	const release = (): void => {
		const next = waiting.shift();
		if (next) next();
		else taken = false;
	};
	return {
		async acquire(signal) {
			signal.throwIfAborted();
			if (!taken) {
				taken = true;
				return once(release);
			}
			if (waiting.length >= limit) return null;
			const {promise, resolve, reject} = Promise.withResolvers<void>();
			const enter = (): void => {
				// Removed before the `await` resumes, because an abort in between would let two
				// runs proceed.
				signal.removeEventListener('abort', leave);
				resolve();
			};
			const leave = (): void => {
				waiting.splice(waiting.indexOf(enter), 1);
				reject(signal.reason);
			};
			waiting.push(enter);
			signal.addEventListener('abort', leave, {once: true});
			await promise;
			return once(release);
		},
		busy: () => taken,
	};
};
