import {once} from './once.ts';

/** Lets one run through at a time, in order of arrival. */
export type RunQueue = {
	/**
	 * Resolves when no other run is ahead, with the function that lets the next one through; null at once, when `limit` already wait.
	 * @throws the signal's reason when it is aborted while waiting.
	 */
	acquire(signal: AbortSignal): Promise<(() => void) | null>;
	/** A run is going on or waiting. */
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
				// At once, not after `await`: an abort in between must not let two through.
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
