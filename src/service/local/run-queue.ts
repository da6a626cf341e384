/** More runs wait than the queue holds. */
export class QueueFullError extends Error {}

/** Lets one run through at a time, in order of arrival. */
export type RunQueue = {
	/**
	 * Resolves when it is this one's turn, with the function that ends the turn.
	 * @throws {QueueFullError} at once, when `limit` already wait; the signal's reason when it is aborted while waiting.
	 */
	turn(signal: AbortSignal): Promise<() => void>;
	/** A run is going on or waiting. */
	busy(): boolean;
};

export const createRunQueue = (limit: number): RunQueue => {
	const waiting: Array<() => void> = [];
	let taken = false;
	const next = (): void => {
		const first = waiting.shift();
		if (first) first();
		else taken = false;
	};
	const oneTurn = (): (() => void) => {
		let ended = false;
		return () => {
			if (!ended) next();
			ended = true;
		};
	};
	return {
		async turn(signal) {
			signal.throwIfAborted();
			if (!taken) {
				taken = true;
				return oneTurn();
			}
			if (waiting.length >= limit) throw new QueueFullError();
			const {promise, resolve, reject} = Promise.withResolvers<void>();
			const enter = (): void => {
				// At once, not after `await`: an abort in between must not take a turn that was already given.
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
			return oneTurn();
		},
		busy: () => taken,
	};
};
