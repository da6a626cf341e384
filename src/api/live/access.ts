/** Milliseconds before the service is asked for a token again. */
const AGAIN_MS = 5000;

/** The token of a server's own address. A hub's tokens end with their time, and the service has the next one. */
export type Access = {
	readonly token: () => string;
	/** Of a token that was refused: `yes` there is another one now, `no` the service has none but this, `unknown` the service does not say. */
	renewed(refused: string): Promise<'yes' | 'no' | 'unknown'>;
};

/** `current`: the token as the service tells it now; null where it tells none. It never rejects. */
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
			if (token === refused && performance.now() - askedAt >= AGAIN_MS) await (asking ??= ask());
			if (token !== refused) return 'yes';
			return answered === null ? 'unknown' : 'no';
		},
	};
};
