import type {Message} from '../../contract/assistant.ts';
import type {Answerer, AnswerPart} from '../http/chat.ts';
import type {About} from './about.ts';
import type {AssistantModel, AssistantModels} from './models/assistant-models.ts';
import {ModelFault} from './models/model-fault.ts';
import {ModelsError} from '../../settings/models.ts';
import type {ModelLimits} from './models/model-request.ts';
import {referenceAnswer} from './reference.ts';

// Approximate token count: the built-in assistant has no tokeniser, so it counts words.
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
	/** @throws {ModelsError} if the models file cannot be used. */
	readonly models: () => AssistantModels;
	readonly about: About;
	readonly limits?: ModelLimits | undefined;
};

const modelFor = (id: string, models: AnswererOptions['models']): AssistantModel | ModelFault | undefined => {
	try {
		return models().get(id);
	} catch (error) {
		if (error instanceof ModelsError) return new ModelFault(`${error.message} Fix it, then ask again.`);
		throw error;
	}
};

/**
 * Returns the function that answers as a model: the configured language model, or else the built-in
 * assistant.
 */
export const answererOf = (id: string, {models, about, limits}: AnswererOptions): Answerer => {
	const model = modelFor(id, models);
	if (model instanceof ModelFault)
		return async function* () {
			throw model;
		};
	if (!model) return (messages, signal) => withWordCount(messages, referenceAnswer(messages, about, signal));
	return async function* (messages, signal) {
		const {modelAnswer} = await import('./models/model-answer.ts');
		yield* modelAnswer(model, messages, about, {signal, limits});
	};
};
