/** Milliseconds without a line after which an empty one is sent: proxies give up a silent answer after a minute. */
const BEAT_MS = 15_000;

/** Says that the answer has beats, so that a client can tell a slow model from a service that is gone. */
export const BEATS = {'x-svc-beats': '1'};

/** Lines with an empty one, which readers of the protocol skip, wherever none has come for a while. */
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
		// Not awaited: it ends once what it waits for has ended.
		lines.return(undefined).catch(() => undefined);
	}
}
