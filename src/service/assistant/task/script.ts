// Scripts of the built-in assistant: generators that yield steps and receive their results.
import type {About} from '../about.ts';
import type {Tree} from '../server-files.ts';
import {parseStepResults, type StepResult, type TaskPrompt} from './parse-prompt.ts';

/** `argument`: path of the step, if it has one. */
export type StepRequest = {
	readonly kind: 'list' | 'read' | 'run' | 'write' | 'ask';
	readonly argument?: string;
	readonly text?: string;
};

/** Yields steps, receives the message with their results, and returns its findings in markdown. */
export type Script = AsyncGenerator<readonly StepRequest[], string, string>;

/** Input of a script. `prose`: the goal, or the part of it that the script handles. */
export type Job = Pick<TaskPrompt, 'mayNot'> & {
	readonly prose: string;
	readonly about: About;
	readonly tree: Tree;
};

/** Reason why a task cannot be done, as a sentence. */
export class CannotDo extends Error {}

/** @throws {CannotDo} if a kind of step is not allowed, before any step runs. */
export const needs = ({mayNot}: Pick<TaskPrompt, 'mayNot'>, ...kinds: readonly ('run' | 'write')[]): void => {
	if (!kinds.some(mayNot)) return;
	const what = kinds.map(kind => (kind === 'run' ? 'run Python' : 'write a file')).join(' and ');
	throw new CannotDo(`I need permission to ${what} on this server: \`--allow ${kinds.join(',')}\`.`);
};

/** Requests steps and returns their results, including failures. */
export async function* attempt(
	...requests: readonly StepRequest[]
): AsyncGenerator<readonly StepRequest[], readonly StepResult[], string> {
	return parseStepResults(yield requests);
}

export const failureText = (result: StepResult | undefined): string =>
	result === undefined
		? 'The outcome of a step is unknown.'
		: `I stopped at this: ${result.kind}, ${result.head.replace(/\.$/, '')}.`;

/** Requests steps and returns the last one's text. @throws {CannotDo} if a step fails. */
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
