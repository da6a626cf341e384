// How a plan is written: as one who yields the steps that are wanted, and is given what came of them.
import type {About} from '../about.ts';
import type {Tree} from '../server-files.ts';
import {resultsIn, type Came, type Told} from './parse-prompt.ts';

/** `argument`: the path, where there is one. */
export type Wish = {
	readonly kind: 'list' | 'read' | 'run' | 'write' | 'ask';
	readonly argument?: string;
	readonly text?: string;
};

/** Yields steps, is given the message that says what came of them, and ends with what was found, in markdown. */
export type Script = AsyncGenerator<readonly Wish[], string, string>;

/** All that a plan may look at. `prose`: the goal, or the part of it that is planned. */
export type Job = Pick<Told, 'mayNot'> & {readonly prose: string; readonly about: About; readonly tree: Tree};

/** Why a task cannot be carried out, as a sentence. */
export class Hindrance extends Error {}

/** @throws {Hindrance} where a kind is allowed to nobody: before anything is begun. */
export const needs = ({mayNot}: Pick<Told, 'mayNot'>, ...kinds: readonly ('run' | 'write')[]): void => {
	if (!kinds.some(mayNot)) return;
	const what = kinds.map(kind => (kind === 'run' ? 'run Python' : 'write a file')).join(' and ');
	throw new Hindrance(`I would have to ${what} on this server: \`--allow ${kinds.join(',')}\` lets me.`);
};

/** Asks for steps; what came of them, also where it is not good. */
export async function* attempt(
	...wishes: readonly Wish[]
): AsyncGenerator<readonly Wish[], readonly Came[], string> {
	return resultsIn(yield wishes);
}

/** Why a task ends with a step, as a sentence. */
export const notGood = (came: Came | undefined): string =>
	came === undefined
		? 'Nothing is known of a step.'
		: `I stopped at this: ${came.kind}, ${came.head.replace(/\.$/, '')}.`;

/** The text of the last step, all of which went well. @throws {Hindrance} */
export async function* carryOut(...wishes: readonly Wish[]): AsyncGenerator<readonly Wish[], string, string> {
	const came = yield* attempt(...wishes);
	const bad = came.find(({isGood}) => !isGood);
	if (bad !== undefined) throw new Hindrance(notGood(bad));
	return came.at(-1)?.text ?? '';
}

/** The person's answer. */
export async function* ask(question: string): AsyncGenerator<readonly Wish[], string, string> {
	return (yield [{kind: 'ask', text: question}]).trim();
}
