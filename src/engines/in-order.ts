/**
 * Runs tasks with the same key one at a time, in the order of the calls. A failed task does not
 * affect later ones.
 */
export const createInOrder = () => {
	const last = new Map<string, Promise<unknown>>();
	return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
		const result = (last.get(key) ?? Promise.resolve()).then(work, work);
		const settled = result.catch(() => undefined);
		last.set(key, settled);
		try {
			return await result;
		} finally {
			if (last.get(key) === settled) last.delete(key);
		}
	};
};
