// How a plan is written: as one who yields the steps that are wanted, and is given what came of them.
import type {About} from '../about.ts';
import type {Tree} from '../server-files.ts';
import {parseStepResults, type StepResult, type TaskPrompt} from './parse-prompt.ts';

/** `argument`: the path, where there is one. */
export type StepRequest = {
	readonly kind: 'list' | 'read' | 'run' | 'write' | 'ask';
	readonly argument?: string;
	readonly text?: string;
};

/** Yields steps, is given the message that says what came of them, and ends with what was found, in markdown. */
export type Script = AsyncGenerator<readonly StepRequest[], string, string>;

/** All that a plan may look at. `prose`: the goal, or the part of it that is planned. */
export type Job = Pick<TaskPrompt, 'mayNot'> & {
	readonly prose: string;
	readonly about: About;
	readonly tree: Tree;
};

/** Why a task cannot be carried out, as a sentence. */
export class CannotDo extends Error {}

/** @throws {CannotDo} where a kind is allowed to nobody: before anything is begun. */
export const needs = ({mayNot}: Pick<TaskPrompt, 'mayNot'>, ...kinds: readonly ('run' | 'write')[]): void => {
	if (!kinds.some(mayNot)) return;
	const what = kinds.map(kind => (kind === 'run' ? 'run Python' : 'write a file')).join(' and ');
	throw new CannotDo(`I would have to ${what} on this server: \`--allow ${kinds.join(',')}\` lets me.`);
};

/** Asks for steps; what came of them, also where it is not good. */
export async function* attempt(
	...wishes: readonly StepRequest[]
): AsyncGenerator<readonly StepRequest[], readonly StepResult[], string> {
	return parseStepResults(yield wishes);
}

/** Why a task ends with a step, as a sentence. */
export const failureText = (came: StepResult | undefined): string =>
	came === undefined
		? 'Nothing is known of a step.'
		: `I stopped at this: ${came.kind}, ${came.head.replace(/\.$/, '')}.`;

/** The text of the last step, all of which went well. @throws {CannotDo} */
export async function* carryOut(
	...wishes: readonly StepRequest[]
): AsyncGenerator<readonly StepRequest[], string, string> {
	const came = yield* attempt(...wishes);
	const bad = came.find(({isGood}) => !isGood);
	if (bad !== undefined) throw new CannotDo(failureText(bad));
	return came.at(-1)?.text ?? '';
}

/** The person's answer. */
export async function* ask(question: string): AsyncGenerator<readonly StepRequest[], string, string> {
	return (yield [{kind: 'ask', text: question}]).trim();
}
