/** Runs at most `most` tasks per key at the same time. Other tasks wait in order of arrival. */
export const createAtMost = (most: number) => {
	/**
	 * Number of running tasks, and waiting tasks, by key. A key is present while any task with it
	 * runs.
	 */
	const keys = new Map<string, {running: number; readonly waiting: Array<() => void>}>();
	return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
		const state = keys.get(key) ?? {running: 0, waiting: []};
		keys.set(key, state);
		if (state.running < most) state.running++;
		else
			await new Promise<void>(resolve => {
				state.waiting.push(resolve);
			});
		try {
			return await work();
		} finally {
			const next = state.waiting.shift();
			if (next) next();
			else if (--state.running === 0) keys.delete(key);
		}
	};
};
