import type {Message} from '../../contract/assistant.ts';
import type {Answerer, AnswerPart} from '../http/chat.ts';
import type {About} from './about.ts';
import type {AssistantModels} from './models/assistant-models.ts';
import type {ModelLimits} from './models/model-request.ts';
import {referenceAnswer} from './reference.ts';

// The built-in assistant has no tokeniser: a word is its token, counted and not estimated.
const countTokens = (text: string): number => text.match(/\S+/g)?.length ?? 0;

async function* withWordCount(
	messages: readonly Message[],
	fragments: AsyncIterable<string>,
): AsyncGenerator<AnswerPart> {
	let text = '';
	for await (const fragment of fragments) {
		text += fragment;
		yield fragment;
	}
	const promptTokens = messages.reduce((sum, message) => sum + countTokens(message.content), 0);
	yield {finishReason: 'stop', usage: {promptTokens, completionTokens: countTokens(text)}};
}

export type AnswererOptions = {
	readonly models: AssistantModels;
	readonly about: About;
	readonly limits?: ModelLimits | undefined;
};

/** What answers as one of the assistant's models: the language model set for it, else the built-in reference assistant. */
export const answererOf = (id: string, {models, about, limits}: AnswererOptions): Answerer => {
	const model = models.get(id);
	if (!model) return (messages, signal) => withWordCount(messages, referenceAnswer(messages, about, signal));
	return async function* (messages, signal) {
		const {modelAnswer} = await import('./models/model-answer.ts');
		yield* modelAnswer(model, messages, about, {signal, limits});
	};
};
