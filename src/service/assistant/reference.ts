import type {Message} from '../../contract/assistant.ts';
import type {About} from './about.ts';
import {compose} from './compose.ts';
import {inWords, unlessAborted} from './words.ts';

export type {About, LastError} from './about.ts';

/**
 * The built-in reference assistant: no language model. It answers the last question of a conversation in markdown, from real look-ups on that
 * server (Python's documentation, the last error, the files, the installed packages), and says so when it cannot. It runs nothing and never
 * waits for a cell. Yields words with the whitespace after them; ends at once, without an error, when the signal aborts.
 * @throws what a look-up throws other than a FileFault.
 */
export async function* referenceAnswer(
	messages: readonly Message[],
	about: About,
	signal: AbortSignal,
): AsyncGenerator<string> {
	const answer = await unlessAborted(compose(messages, about), signal);
	if (answer !== null) yield* inWords(answer, signal);
}
