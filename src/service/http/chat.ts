import {randomUUID} from 'node:crypto';
import type {Message, Usage} from '../../contract/assistant.ts';
import {FRAMED_MODELS} from '../../contract/names.ts';
import {encodeLine} from '../../contract/stream.ts';

/** How an answer ended. */
export type AnswerEnd = {readonly finishReason: string; readonly usage: Usage};

/** A fragment of text or of what was thought before it, or the end, which is the last part. */
export type AnswerPart = string | {readonly thought: string} | AnswerEnd;

/** Answers in fragments; ends early when the signal is aborted. */
export type Answerer = (messages: readonly Message[], signal: AbortSignal) => AsyncGenerator<AnswerPart>;

const FAILED: AnswerEnd = {finishReason: 'error', usage: {promptTokens: null, completionTokens: null}};

/**
 * The lines of one answer (interface 4.9). A failure is the protocol's `3` line after the text that came; what answers in frames ends them
 * all the same, with `error` as the reason.
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
		/** The one who asked takes `g` lines. */
		readonly takesThinking?: boolean;
		/** Keeps the error and answers the sentence to show. */
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
