/**
 * Time without output before an empty line is sent, in ms. Proxies abort a silent response after a
 * minute.
 */
const BEAT_MS = 15_000;

/**
 * Header that announces the empty lines, so that a client can distinguish a slow model from a lost
 * connection.
 */
export const BEATS = {'x-svc-beats': '1'};

/**
 * Adds an empty line whenever there was no output for `every` ms. The protocol's readers skip empty
 * lines.
 */
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
		// Not awaited, because `return` waits for the generator's pending step.
		lines.return(undefined).catch(() => undefined);
	}
}
