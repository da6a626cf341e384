let last: Promise<void> = Promise.resolve();

/**
 * Waits for the caller's turn to process one piece of large data. Each pass of the event loop has
 * one turn for all callers, so other work waits for one piece, not for a whole body or file.
 */
export const bulkTurn = (): Promise<void> => {
	last = last.then(
		() =>
			new Promise(resolve => {
				setImmediate(resolve);
			}),
	);
	return last;
};
