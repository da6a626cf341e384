import type {Message} from '../../contract/assistant.ts';
import {SUMMARY_REQUEST} from '../../text/summary-request.ts';
import type {About} from './about.ts';
import {compose} from './compose.ts';
import {ModelFault} from './models/model-fault.ts';
import {setTimeout as sleep} from 'node:timers/promises';

/**
 * Delay between words, in ms. It allows clients to draw the answer, and users to stop it. 200 words
 * take less than 2 s.
 */
const PACE = 8;

/** Yields each word with the white space after it. Ends immediately when the signal aborts. */
export async function* inWords(text: string, signal: AbortSignal): AsyncGenerator<string> {
	for (const word of text.match(/\S+\s*|\s+/g) ?? []) {
		if (signal.aborted) return;
		yield word;
		await sleep(PACE, undefined, {signal}).catch(() => undefined);
	}
}

/** Result of the work, or null as soon as the signal aborts. Does not stop the work itself. */
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
 * Answer of the built-in assistant, which is not a language model. It answers the last question by
 * looking up Python's documentation, the last error, files and packages on the server. It runs no
 * code itself; in a task, it requests steps as a model would. Yields words, or whole lines in a
 * task. Ends immediately and without an error when the signal aborts.
 * @throws {ModelFault} if asked for a summary. Also throws errors of look-ups, except FileFault.
 */
export async function* referenceAnswer(
	messages: readonly Message[],
	about: About,
	signal: AbortSignal,
): AsyncGenerator<string> {
	if (messages.at(-1)?.content === SUMMARY_REQUEST)
		throw new ModelFault(
			'The built-in assistant is not a language model and cannot summarise a conversation.',
		);
	const {taskAnswer} = await import('./task/task-answer.ts');
	const steps = await unlessAborted(taskAnswer(messages, about), signal);
	if (steps !== null) {
		yield* steps.match(/[^\n]*\n/gy) ?? [];
		return;
	}
	const answer = await unlessAborted(compose(messages, about), signal);
	if (answer !== null) yield* inWords(answer, signal);
}
