/** Shortest time between two requests for a token, in ms. */
const MIN_REQUEST_INTERVAL_MS = 5000;

/**
 * Token for a server's own address. The token of a hub expires, and the service then reports the
 * next one.
 */
export type Access = {
	readonly token: () => string;
	/**
	 * Replaces a rejected token. `no`: the service reports the same token. `unknown`: the service
	 * reports no token.
	 */
	renewed(refused: string): Promise<'yes' | 'no' | 'unknown'>;
};

/** `current` returns the token that the service reports now, or null. Must never reject. */
export const createAccess = (first: string, current: () => Promise<string | null>): Access => {
	let token = first;
	let answered: string | null = first;
	let askedAt = -Infinity;
	let asking: Promise<void> | null = null;
	const ask = async (): Promise<void> => {
		answered = await current();
		if (answered !== null) token = answered;
		askedAt = performance.now();
		asking = null;
	};
	return {
		token: () => token,
		async renewed(refused) {
			if (token === refused && performance.now() - askedAt >= MIN_REQUEST_INTERVAL_MS)
				await (asking ??= ask());
			if (token !== refused) return 'yes';
			return answered === null ? 'unknown' : 'no';
		},
	};
};
