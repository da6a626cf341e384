import {once} from './once.ts';

/** Admits one run at a time, in order of arrival. */
export type RunQueue = {
	/**
	 * Resolves to a function that admits the next run; null at once if `limit` runs wait.
	 * @throws the signal's reason if it is aborted during the wait.
	 */
	acquire(signal: AbortSignal): Promise<(() => void) | null>;
	/** True while a run is running or waiting. */
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
				// Runs before the `await` resumes: an abort in between would admit two runs.
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
