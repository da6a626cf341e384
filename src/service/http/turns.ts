/**
 * Requests of users in turn: in one pass of the event loop each user starts one. A user with many
 * requests then delays another by one of them, not by all.
 */
export const createTurns = () => {
	/** Users who have started a request in this pass, each with the requests that wait. */
	const users = new Map<string, Array<() => void>>();
	const pass = (): void => {
		for (const [user, waiting] of users) {
			const next = waiting.shift();
			if (next) next();
			else users.delete(user);
		}
		if (users.size > 0) setImmediate(pass);
	};
	/** Resolves at the user's turn. Undefined if the user's turn is now. */
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
