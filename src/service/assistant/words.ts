import {setTimeout as sleep} from 'node:timers/promises';

/** Milliseconds between two words: a client gets a real stream to draw and to stop, an answer of 200 words takes under 2 s. */
const PACE = 8;

/** Yields a text word by word, each with the whitespace after it; ends at once when the signal aborts. */
export async function* inWords(text: string, signal: AbortSignal): AsyncGenerator<string> {
	for (const word of text.match(/\S+\s*|\s+/g) ?? []) {
		if (signal.aborted) return;
		yield word;
		await sleep(PACE, undefined, {signal}).catch(() => undefined);
	}
}

/** The work's result, or null as soon as the signal aborts; work that goes on is left alone. */
export const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> => {
	if (signal.aborted) {
		work.catch(() => undefined);
		return null;
	}
	const aborted = Promise.withResolvers<null>();
	const stop = (): void => aborted.resolve(null);
	signal.addEventListener('abort', stop);
	try {
		return await Promise.race([work, aborted.promise]);
	} finally {
		signal.removeEventListener('abort', stop);
	}
};
