import type {Message} from '../../contract/assistant.ts';
import {SUMMARY_REQUEST} from '../../text/summary-request.ts';
import type {About} from './about.ts';
import {compose} from './compose.ts';
import {ModelFault} from './models/model-fault.ts';
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
const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> => {
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

export type {About, LastError} from './about.ts';

/**
 * The built-in reference assistant: no language model. It answers the last question of a conversation in markdown, from real look-ups on that
 * server (Python's documentation, the last error, the files, the installed packages), and says so when it cannot. It runs nothing and never
 * waits for a cell; in a task it asks for steps, as a model does. Yields words with the whitespace after them, of a task whole lines; ends at
 * once, without an error, when the signal aborts.
 * @throws {ModelFault} when it is to sum a conversation up; what a look-up throws other than a FileFault.
 */
export async function* referenceAnswer(
	messages: readonly Message[],
	about: About,
	signal: AbortSignal,
): AsyncGenerator<string> {
	if (messages.at(-1)?.content === SUMMARY_REQUEST)
		throw new ModelFault('The built-in assistant is no language model: it cannot sum up a conversation.');
	const {taskAnswer} = await import('./task/task-answer.ts');
	const steps = await unlessAborted(taskAnswer(messages, about), signal);
	if (steps !== null) {
		yield* steps.match(/[^\n]*\n/gy) ?? [];
		return;
	}
	const answer = await unlessAborted(compose(messages, about), signal);
	if (answer !== null) yield* inWords(answer, signal);
}
