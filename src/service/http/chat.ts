import {randomUUID} from 'node:crypto';
import type {Message, Usage} from '../../contract/assistant.ts';
import {FRAMED_MODELS} from '../../contract/names.ts';
import {encodeLine} from '../../contract/stream.ts';

export type AnswerEnd = {readonly finishReason: string; readonly usage: Usage};

/**
 * Part of an answer: a piece of text, a piece of the model's reasoning, or the end, which comes
 * last.
 */
export type AnswerPart = string | {readonly thought: string} | AnswerEnd;

/** Generates an answer in pieces. Ends early if the signal is aborted. */
export type Answerer = (messages: readonly Message[], signal: AbortSignal) => AsyncGenerator<AnswerPart>;

const FAILED: AnswerEnd = {finishReason: 'error', usage: {promptTokens: null, completionTokens: null}};

/**
 * Lines of an answer in the stream. A failure adds a line of type `3`. A framed answer still ends
 * with a final line, whose reason is `error`.
 */
export async function* chatLines(
	model: string,
	messages: readonly Message[],
	answer: Answerer,
	{
		signal,
		takesThinking = false,
		onFailure,
	}: {
		readonly signal: AbortSignal;
		/** True if the client accepts lines of type `g`. */
		readonly takesThinking?: boolean;
		/** Logs the error and returns a sentence for the user. */
		readonly onFailure: (error: unknown) => string;
	},
): AsyncGenerator<string> {
	const framed = FRAMED_MODELS.has(model);
	if (framed) yield encodeLine('f', {messageId: `msg-${randomUUID()}`});
	let end = FAILED;
	try {
		for await (const part of answer(messages, signal)) {
			if (signal.aborted) return;
			if (typeof part === 'string') yield encodeLine('0', part);
			else if (!('thought' in part)) end = part;
			else if (takesThinking) yield encodeLine('g', part.thought);
		}
	} catch (error) {
		if (signal.aborted) return;
		yield encodeLine('3', onFailure(error));
	}
	if (!framed || signal.aborted) return;
	const {finishReason, usage} = end;
	yield encodeLine('e', {finishReason, usage, isContinued: false});
	yield encodeLine('d', {finishReason, usage});
}
