import {randomUUID} from 'node:crypto';
import type {Message} from '../contract/assistant.ts';
import {FRAMED_MODELS} from '../contract/names.ts';
import {encodeLine} from '../contract/stream.ts';

/** Answers in fragments; ends early when the signal is aborted. */
export type Answerer = (messages: readonly Message[], signal: AbortSignal) => AsyncGenerator<string>;

// The built-in assistant has no tokeniser: a word is its token, counted and not estimated.
const countTokens = (text: string): number => text.match(/\S+/g)?.length ?? 0;

/** The lines of one answer (interface 4.9). A failure is the protocol's `3` line and a stream without `d`. */
export async function* chatLines(model: string, messages: readonly Message[], answer: Answerer, {signal, onFailure}: {
	readonly signal: AbortSignal;
	/** Keeps the error and answers the sentence to show. */
	readonly onFailure: (error: unknown) => string;
}): AsyncGenerator<string> {
	const framed = FRAMED_MODELS.has(model);
	if (framed) yield encodeLine('f', {messageId: `msg-${randomUUID()}`});
	let text = '';
	try {
		for await (const fragment of answer(messages, signal)) {
			if (signal.aborted) return;
			text += fragment;
			yield encodeLine('0', fragment);
		}
	} catch (error) {
		if (!signal.aborted) yield encodeLine('3', onFailure(error));
		return;
	}
	if (!framed || signal.aborted) return;
	const usage = {
		promptTokens: messages.reduce((sum, message) => sum + countTokens(message.content), 0),
		completionTokens: countTokens(text),
	};
	yield encodeLine('e', {finishReason: 'stop', usage, isContinued: false});
	yield encodeLine('d', {finishReason: 'stop', usage});
}

/** A body that asks for the next line when the client has taken the last one, and for no more when the client goes. */
export const streamOf = (lines: AsyncGenerator<string>): ReadableStream<Uint8Array> => {
	const encoder = new TextEncoder();
	return new ReadableStream({
		async pull(controller) {
			const {done, value} = await lines.next();
			if (done === true) controller.close();
			else controller.enqueue(encoder.encode(value));
		},
		cancel() {
			void lines.return(undefined);
		},
	}, {highWaterMark: 0});
};
