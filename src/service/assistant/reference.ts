import type {Message} from '../../contract/assistant.ts';
import {SUMMARY_REQUEST} from '../../text/summary-request.ts';
import type {About} from './about.ts';
import {compose} from './compose.ts';
import {ModelFault} from './models/model-fault.ts';
import {setTimeout as sleep} from 'node:timers/promises';

/** Delay between words, in ms. Lets clients draw or stop an answer; 200 words take under 2 s. */
const PACE = 8;

/** Yields words with the whitespace after them. Ends at once if the signal aborts. */
export async function* inWords(text: string, signal: AbortSignal): AsyncGenerator<string> {
	for (const word of text.match(/\S+\s*|\s+/g) ?? []) {
		if (signal.aborted) return;
		yield word;
		await sleep(PACE, undefined, {signal}).catch(() => undefined);
	}
}

/** Result of the work, or null as soon as the signal aborts. The work itself continues. */
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
 * The built-in assistant, which is not a language model. Answers the last question from look-ups on
 * the server: Python's documentation, the last error, files and packages. Runs no code; in a task
 * it requests steps like a model. Yields words, or whole lines in a task. Ends at once, without an
 * error, if the signal aborts.
 * @throws {ModelFault} if asked for a summary. Also throws failures of look-ups, except FileFault.
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
