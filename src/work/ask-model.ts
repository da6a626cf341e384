import type {Client} from '../api/client-types.ts';
import {explainFailure, type Failure} from '../api/failure.ts';
import {answerEnd, leftOutText} from '../text/answer-end.ts';
import type {TaskPorts} from './run-task.ts';

/** Asks the model over the service. `onFailure` receives the reason for a missing answer. */
export const askingModel =
	(
		client: Client,
		server: string,
		model: string,
		{
			onText,
			onFailure = () => {},
		}: {readonly onText?: (text: string) => void; readonly onFailure?: (failure: Failure) => void} = {},
	): TaskPorts['ask'] =>
	async (messages, signal) => {
		const reply = await client.chat(server, model, messages, {signal, ...(onText && {onText})});
		const failure = reply.ok ? reply.value.problem : reply.failure;
		if (reply.ok && (failure === null || reply.value.content !== '')) {
			const {content, complete, finishReason, notes} = reply.value;
			const leftOut = content === '' && notes ? leftOutText(notes) : '';
			if (leftOut !== '') return {says: `The model gave no text. ${leftOut}`};
			const end = answerEnd(finishReason);
			// The stream is complete, but a limit or a filter cut the answer off.
			const isCut = end === 'length' || end === 'content-filter';
			return {content, complete: complete && failure === null && !isCut};
		}
		if (failure !== null) onFailure(failure);
		return {says: failure === null ? 'The model gave no answer.' : explainFailure(failure).what};
	};
