/**
 * Starts the requests of users in turn: one request of each user per pass of the event loop. A user
 * with many requests therefore delays another user by only one of them.
 */
export const createTurns = () => {
	/** Users who have started a request in this pass, with their waiting requests. */
	const users = new Map<string, Array<() => void>>();
	const pass = (): void => {
		for (const [user, waiting] of users) {
			const next = waiting.shift();
			if (next) next();
			else users.delete(user);
		}
		if (users.size > 0) setImmediate(pass);
	};
	/**
	 * Resolves when the user's next request may start. Returns undefined if it may start
	 * immediately.
	 */
	return (user: string): Promise<void> | undefined => {
		const waiting = users.get(user);
		if (waiting)
			return new Promise(resolve => {
				waiting.push(resolve);
			});
		if (users.size === 0) setImmediate(pass);
		users.set(user, []);
		return undefined;
	};
};
