// Scripts of the built-in assistant: generators that yield steps and receive their results.
import type {About} from '../about.ts';
import type {Tree} from '../server-files.ts';
import {parseStepResults, type StepResult, type TaskPrompt} from './parse-prompt.ts';

/** Step of a task. `argument`: its path, if the kind of step has one. */
export type StepRequest = {
	readonly kind: 'list' | 'read' | 'run' | 'write' | 'ask';
	readonly argument?: string;
	readonly text?: string;
};

/**
 * Generator that yields steps, receives the message with their results, and returns its findings as
 * Markdown.
 */
export type Script = AsyncGenerator<readonly StepRequest[], string, string>;

/** Input of a script. `prose`: the goal, or the part of the goal that this script handles. */
export type Job = Pick<TaskPrompt, 'mayNot'> & {
	readonly prose: string;
	readonly about: About;
	readonly tree: Tree;
};

/** The task cannot be done. The message is the reason as a sentence. */
export class CannotDo extends Error {}

/** Checks permissions before any step runs. @throws {CannotDo} if a kind of step is not allowed. */
export const needs = ({mayNot}: Pick<TaskPrompt, 'mayNot'>, ...kinds: readonly ('run' | 'write')[]): void => {
	if (!kinds.some(mayNot)) return;
	const what = kinds.map(kind => (kind === 'run' ? 'run Python' : 'write a file')).join(' and ');
	throw new CannotDo(`I need permission to ${what} on this server: \`--allow ${kinds.join(',')}\`.`);
};

/** Requests steps and returns their results, including those of failed steps. */
export async function* attempt(
	...requests: readonly StepRequest[]
): AsyncGenerator<readonly StepRequest[], readonly StepResult[], string> {
	return parseStepResults(yield requests);
}

export const failureText = (result: StepResult | undefined): string =>
	result === undefined
		? 'The outcome of a step is unknown.'
		: `I stopped at this: ${result.kind}, ${result.head.replace(/\.$/, '')}.`;

/** Requests steps and returns the text of the last one. @throws {CannotDo} if a step fails. */
export async function* carryOut(
	...requests: readonly StepRequest[]
): AsyncGenerator<readonly StepRequest[], string, string> {
	const results = yield* attempt(...requests);
	const bad = results.find(({isGood}) => !isGood);
	if (bad !== undefined) throw new CannotDo(failureText(bad));
	return results.at(-1)?.text ?? '';
}

export async function* ask(question: string): AsyncGenerator<readonly StepRequest[], string, string> {
	return (yield [{kind: 'ask', text: question}]).trim();
}
