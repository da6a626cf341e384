import type {InputRequest} from '../client-types.ts';
import {END_OF_INPUT} from '../../contract/names.ts';
import {questionIn, type KernelMessage} from '../../kernel/messages.ts';
import type {CellOutputs} from './cell-outputs.ts';

/** What a cell asks for, one question after the other. */
export type InputRequests = {
	ask(message: KernelMessage): void;
	open(): InputRequest | null;
	answer(text: string): void;
	/** It was answered in an earlier program; `echo` is what then stood in the cell. */
	wasAnswered(echo: string): void;
};

/** Puts questions and answers into a cell's outputs as a terminal would show them; what is secret is only sent. */
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
