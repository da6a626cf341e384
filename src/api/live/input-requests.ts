import type {InputRequest} from '../client-types.ts';
import {END_OF_INPUT} from '../../contract/names.ts';
import {questionIn, type KernelMessage} from '../../kernel/messages.ts';
import type {CellOutputs} from './cell-outputs.ts';

export type InputRequests = {
	ask(message: KernelMessage): void;
	open(): InputRequest | null;
	answer(text: string): void;
	/**
	 * Marks the request as answered by an earlier program. `echo`: the reply as that program showed
	 * it in the cell.
	 */
	wasAnswered(echo: string): void;
};

/** Shows prompts and input in a cell's outputs as a terminal would. Secret input is never shown. */
export const createInputRequests = (
	outputs: Pick<CellOutputs, 'echo'>,
	onChange: () => void,
	reply: (message: KernelMessage, text: string, echo: string) => Promise<void>,
): InputRequests => {
	let asked: {readonly message: KernelMessage; readonly question: InputRequest} | null = null;
	return {
		ask(message) {
			const found = questionIn(message);
			if (found === null) return;
			asked = {message, question: found};
			outputs.echo(found.prompt);
			onChange();
		},
		open: () => asked?.question ?? null,
		answer(text) {
			if (asked === null) return;
			const {message, question} = asked;
			asked = null;
			const echo = question.isSecret || text === END_OF_INPUT ? '\n' : `${text}\n`;
			outputs.echo(echo);
			onChange();
			void reply(message, text, echo);
		},
		wasAnswered(echo) {
			asked = null;
			outputs.echo(echo);
		},
	};
};
