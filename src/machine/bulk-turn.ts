let last: Promise<void> = Promise.resolve();

/**
 * The caller's turn to process a piece of large data: one piece of all callers in one pass of the
 * event loop, so that everything else waits for one piece, not for a body or a file.
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
