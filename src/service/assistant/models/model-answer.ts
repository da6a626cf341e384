import type {IncomingMessage} from 'node:http';
import * as z from 'zod';
import type {Message, Usage} from '../../../contract/assistant.ts';
import {jsonIn} from '../../../text/record.ts';
import type {AnswerPart} from '../../http/chat.ts';
import type {About} from '../about.ts';
import type {AssistantModel} from './assistant-models.ts';
import {ModelFault} from './model-fault.ts';
import {askModel, MODEL_LIMITS, type ModelLimits} from './model-request.ts';
import {brokenOff, contextFull, detailIn, missingKey, silent, unreadable, whoIs} from './model-words.ts';
import {EventTooLargeError, eventData} from './server-sent-events.ts';
import {systemPrompt} from './system-prompt.ts';

const count = z.number().nullish();
/** A chunk of OpenAI's chat completions, as far as it matters here. */
const chunk = z.looseObject({
	choices: z
		.array(
			z.looseObject({
				delta: z
					.looseObject({
						content: z.string().nullish(),
						reasoning_content: z.string().nullish(),
						reasoning: z.string().nullish(),
					})
					.nullish(),
				finish_reason: z.string().nullish(),
			}),
		)
		.nullish(),
	usage: z.looseObject({prompt_tokens: count, completion_tokens: count}).nullish(),
	error: z.unknown().optional(),
});

const chunkIn = (data: string, model: AssistantModel): z.output<typeof chunk> => {
	const parsed = chunk.safeParse(jsonIn(data));
	if (!parsed.success) throw unreadable(model);
	return parsed.data;
};

/** In the words of the stream protocol, which are the AI SDK's: `content-filter` for `content_filter`. */
const reasonOf = (reason: string): string =>
	reason === 'function_call' ? 'tool-calls' : reason.replaceAll('_', '-');

/** The pieces of an answer. `patience.left`: milliseconds that we go on waiting; time in which nobody asks for a piece does not count. */
async function* piecesOf(
	response: IncomingMessage,
	patience: {left: number; fault: () => ModelFault},
): AsyncGenerator<string> {
	const pieces = (response.setEncoding('utf8') as AsyncIterable<string>)[Symbol.asyncIterator]();
	for (;;) {
		const began = performance.now();
		const timer = setTimeout(() => response.destroy(patience.fault()), Math.max(0, patience.left));
		const {done, value} = await pieces.next().finally(() => clearTimeout(timer));
		patience.left -= performance.now() - began;
		if (done === true) return;
		yield value;
	}
}

const faultOf = (error: unknown, model: AssistantModel): unknown => {
	if (error instanceof EventTooLargeError) return unreadable(model);
	return error instanceof Error && 'code' in error ? brokenOff(model) : error;
};

const requestMessage = ({role, content}: Message) => ({
	role: role === 'assistant' || role === 'system' ? role : 'user',
	content,
});

/**
 * The answer of a model to a conversation, in fragments as they come with what it thinks, and its end last.
 * @throws {ModelFault}; once the signal is aborted, anything.
 */
export async function* modelAnswer(
	model: AssistantModel,
	messages: readonly Message[],
	about: About,
	{signal, limits = MODEL_LIMITS}: {readonly signal: AbortSignal; readonly limits?: ModelLimits | undefined},
): AsyncGenerator<AnswerPart> {
	if (model.key === null && model.keyVariable !== undefined) throw missingKey(model);
	// An answer that was stopped before its first word says nothing, and some servers refuse it.
	const conversation = messages
		.filter(({role, content}) => role !== 'assistant' || content !== '')
		.map(requestMessage);
	const response = await askModel(
		model,
		{
			messages: [
				{role: 'system', content: await systemPrompt(about, model.systemPrompt, signal)},
				...conversation,
			],
		},
		{signal, limits},
	);
	const usage: Usage = {promptTokens: null, completionTokens: null};
	let finishReason: string | null = null;
	const patience = {left: limits.silence, fault: () => silent(model, limits.silence)};
	try {
		for await (const data of eventData(piecesOf(response, patience))) {
			if (data === '[DONE]') {
				finishReason ??= 'unknown';
				break;
			}
			const {choices, usage: counted, error} = chunkIn(data, model);
			if (error !== undefined && error !== null) {
				const detail = detailIn({error}, model);
				throw (
					contextFull(model, detail) ??
					new ModelFault(`${whoIs(model)} failed in its answer: try again, or look at that server.`, detail)
				);
			}
			const [choice] = choices ?? [];
			usage.promptTokens = counted?.prompt_tokens ?? usage.promptTokens;
			usage.completionTokens = counted?.completion_tokens ?? usage.completionTokens;
			const {content, reasoning_content, reasoning} = choice?.delta ?? {};
			const thought = reasoning_content || reasoning;
			if (content || thought) patience.left = limits.silence;
			if (thought) yield {thought};
			if (content) yield content;
			if (choice?.finish_reason) {
				finishReason = reasonOf(choice.finish_reason);
				patience.left = limits.afterFinish;
			}
		}
	} catch (error) {
		// Where the last token came only usage or the end is missing: the answer is whole.
		if (finishReason === null) throw faultOf(error, model);
	} finally {
		response.destroy();
	}
	if (finishReason === null) throw brokenOff(model);
	yield {finishReason, usage};
}
