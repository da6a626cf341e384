// What the built-in assistant is told of a task: the first message as src/work/begin.ts writes it, and what came of its steps.
import type {Message} from '../../../contract/assistant.ts';
import {MAX_PROSE} from '../question.ts';
import {endsFence, fenceIn, type Fence} from '../../../text/markdown/fence.ts';

/** `mayNot`: whether a kind of steps is not allowed, and nobody can be asked. `replies`: what came after each answer, the first one first. */
export type TaskPrompt = {
	readonly goal: string;
	readonly mark: string;
	readonly mayNot: (kind: 'run' | 'write') => boolean;
	readonly replies: readonly string[];
};

const BEGIN = /^You work on the notebook server ".*" for a person, step by step\. What they want:\n\n/m;
const END = '\n\nAsk for a step with a fenced block in the first column';
const UNREAD = 'Nothing of your answer was carried out.';

/** Null: the conversation is about no task. */
export const parseTaskPrompt = (messages: readonly Message[]): TaskPrompt | null => {
	const [first = '', ...rest] = messages.filter(({role}) => role === 'user').map(({content}) => content);
	const begin = BEGIN.exec(first);
	const end = first.lastIndexOf(END);
	if (begin === null || end < begin.index) return null;
	const [, mark] = /has the kind, the mark (\S+) of this task/.exec(first.slice(end)) ?? [];
	if (mark === undefined) return null;
	return {
		goal: first
			.slice(begin.index + begin[0].length, end)
			.trim()
			.slice(0, MAX_PROSE),
		mark,
		mayNot: kind => first.includes(`${kind}: not allowed in this task`, end),
		// An answer that could not be read is given again.
		replies: rest.filter(reply => !reply.startsWith(UNREAD)),
	};
};

/** What came of a step. `text`: what it read, listed or printed; empty: nothing. */
export type StepResult = {
	readonly kind: string;
	readonly head: string;
	readonly text: string;
	readonly isGood: boolean;
};

const GOOD = /^ok\b|, \d+ entr(?:y|ies)$|, lines \d+-\d+ of \d+$|, \d+ bytes$/;

/** The results in a message as src/work/results.ts writes it. */
export const parseStepResults = (message: string): readonly StepResult[] => {
	const came: StepResult[] = [];
	let open: Fence | null = null;
	let text = '';
	for (const line of message.split('\n')) {
		if (open !== null) {
			const last = came.at(-1);
			if (!endsFence(line, open)) text += `${line}\n`;
			else {
				open = null;
				if (last !== undefined) came[came.length - 1] = {...last, text};
			}
			continue;
		}
		open = fenceIn(line);
		text = '';
		const [, kind, head] = /^\d+\. ([a-z-]+): (.*)$/.exec(line) ?? [];
		if (kind !== undefined && head !== undefined) came.push({kind, head, text: '', isGood: GOOD.test(head)});
	}
	return came;
};
