// Parses the messages of a task, which `src/work` composes.
import type {Message} from '../../../contract/assistant.ts';
import {
	AFTER_GOAL,
	GOAL_FOLLOWS,
	MARK_FOLLOWS,
	NOT_ALLOWED,
	NOTHING_DONE,
	SERVER_FOLLOWS,
	hasSucceeded,
} from '../../../contract/task-sentences.ts';
import {MAX_PROSE} from '../question.ts';
import {endsFence, fenceIn, type Fence} from '../../../text/markdown/fence.ts';

/**
 * `mayNot`: returns true if a kind of step is not allowed and the user cannot be asked. `replies`:
 * the messages that followed the assistant's answers, oldest first.
 */
export type TaskPrompt = {
	readonly goal: string;
	readonly mark: string;
	readonly mayNot: (kind: 'run' | 'write') => boolean;
	readonly replies: readonly string[];
};

/** Goal and mark of a task. Null if the conversation is not a task. */
export const parseTaskPrompt = (messages: readonly Message[]): TaskPrompt | null => {
	const [first = '', ...rest] = messages.filter(({role}) => role === 'user').map(({content}) => content);
	const [opening = '', ...afterOpening] = first.split(GOAL_FOLLOWS);
	const text = afterOpening.join(GOAL_FOLLOWS);
	const end = text.lastIndexOf(AFTER_GOAL);
	if (!opening.startsWith(SERVER_FOLLOWS) || end < 0) return null;
	const rules = text.slice(end);
	const [, afterMark] = rules.split(MARK_FOLLOWS, 2);
	if (afterMark === undefined) return null;
	return {
		goal: text.slice(0, end).trim().slice(0, MAX_PROSE),
		mark: afterMark.split(' ', 1)[0]!,
		mayNot: kind => rules.includes(`${kind}: ${NOT_ALLOWED}`),
		// Omits replies to answers that could not be parsed, because the assistant repeats those
		// answers.
		replies: rest.filter(reply => !reply.startsWith(NOTHING_DONE)),
	};
};

/** Result of a step. `text`: the lines that were read, listed or printed. May be empty. */
export type StepResult = {
	readonly kind: string;
	readonly head: string;
	readonly text: string;
	readonly isGood: boolean;
};

/** Parses the results in a message that `src/work/results.ts` composed. */
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
		if (kind !== undefined && head !== undefined)
			came.push({kind, head, text: '', isGood: hasSucceeded(head)});
	}
	return came;
};
