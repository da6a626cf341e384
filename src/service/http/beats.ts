/** Silence before an empty line, in ms. Proxies drop a silent response after a minute. */
const BEAT_MS = 15_000;

/** Announces beats, so that a client can tell a slow model from a lost service. */
export const BEATS = {'x-svc-beats': '1'};

/** Adds an empty line after each silent interval. Readers of the protocol skip empty lines. */
export async function* withBeats(
	lines: AsyncGenerator<string>,
	every: number = BEAT_MS,
): AsyncGenerator<string> {
	try {
		for (let next = lines.next(); ; next = lines.next()) {
			for (;;) {
				const beat = Promise.withResolvers<null>();
				const timer = setTimeout(() => beat.resolve(null), every);
				const found = await Promise.race([next, beat.promise]).finally(() => clearTimeout(timer));
				if (found?.done === true) return;
				yield found?.value ?? '\n';
				if (found !== null) break;
			}
		}
	} finally {
		// Not awaited, because the generator only ends once its pending step has ended.
		lines.return(undefined).catch(() => undefined);
	}
}
