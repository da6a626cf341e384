import type * as z from 'zod';
import type {IncomingMessage} from 'node:http';
import type {Message, Usage} from '../../../contract/assistant.ts';
import {jsonIn} from '../../../text/record.ts';
import type {AnswerPart} from '../../http/chat.ts';
import type {About} from '../about.ts';
import {chunk, saidIn} from './answer-parts.ts';
import type {AssistantModel} from './assistant-models.ts';
import {askModel, limitsOf, type ModelLimits} from './model-request.ts';
import {
	brokenOff,
	contextFull,
	detailIn,
	failedMidway,
	missingKey,
	noText,
	nothing,
	silent,
	unreadable,
	wantsTool,
} from './model-words.ts';
import {systemPrompt} from './system-prompt.ts';
import {createParser} from 'eventsource-parser';

/** Maximum length of an event, in UTF-16 units. */
const LONGEST = 1 << 20;

/** An event exceeded the maximum length, so reading was stopped. */
export class EventTooLargeError extends Error {}

/**
 * Yields the `data` of each server-sent event (WHATWG HTML, 9.2.6). The pieces may have any size.
 * Skips comments and all other fields except `error`, which llama.cpp used for failures until the
 * end of 2025.
 * @throws {EventTooLargeError} if an event exceeds the maximum length.
 */
export async function* eventData(pieces: AsyncIterable<string>): AsyncGenerator<string> {
	let come: string[] = [];
	let isTooLarge = false;
	const parser = createParser({
		maxBufferSize: LONGEST,
		onEvent: ({data}) => come.push(data),
		onError({type, field, value}) {
			isTooLarge ||= type === 'max-buffer-size-exceeded';
			if (field === 'error') come.push(`{"error":${value}}`);
		},
	});
	const read = function* (piece: string): Generator<string> {
		come = [];
		parser.feed(piece);
		yield* come;
		if (isTooLarge) throw new EventTooLargeError();
	};
	for await (const piece of pieces) yield* read(piece);
	// Completes the last event if the server omitted the final empty line.
	yield* read('\n\n');
}

const chunkIn = (data: string, model: AssistantModel): z.output<typeof chunk> => {
	const parsed = chunk.safeParse(jsonIn(data));
	if (!parsed.success) throw unreadable(model);
	return parsed.data;
};

/** Converts a finish reason to the AI SDK's form: `content_filter` becomes `content-filter`. */
const reasonOf = (reason: string): string =>
	reason === 'function_call' ? 'tool-calls' : reason.replaceAll('_', '-');

/**
 * Time left for the next piece, in ms. Each piece resets it to `most`. After the finish reason
 * `most` is null, so the time is not reset.
 */
type Patience = {left: number; most: number | null; fault: () => Error};

/** Pieces of a response. The time that the caller takes between reads does not count. */
async function* piecesOf(response: IncomingMessage, patience: Patience): AsyncGenerator<string> {
	const pieces = (response.setEncoding('utf8') as AsyncIterable<string>)[Symbol.asyncIterator]();
	for (;;) {
		const began = performance.now();
		const timer = setTimeout(() => response.destroy(patience.fault()), Math.max(0, patience.left));
		const {done, value} = await pieces.next().finally(() => clearTimeout(timer));
		patience.left -= performance.now() - began;
		if (done === true) return;
		if (patience.most !== null) patience.left = patience.most;
		yield value;
	}
}

/** Maximum length of a response that is not a stream, in UTF-16 units. */
const LONGEST_WHOLE = 16 << 20;

/** Events of a response. A response that is not a stream is treated as one event. */
async function* eventsOf(pieces: AsyncGenerator<string>, isJson: boolean): AsyncGenerator<string> {
	const first: string[] = [];
	for (let isBlank = true; isBlank;) {
		const {done, value} = await pieces.next();
		if (done === true) break;
		first.push(value);
		isBlank = value.trim() === '';
	}
	const all = (async function* () {
		yield* first;
		yield* pieces;
	})();
	if (!isJson && !first.join('').trimStart().startsWith('{')) return yield* eventData(all);
	const whole: string[] = [];
	let length = 0;
	for await (const piece of all) {
		length += piece.length;
		if (length > LONGEST_WHOLE) throw new EventTooLargeError();
		whole.push(piece);
	}
	yield whole.join('');
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
 * Streams a model's answer to a conversation: pieces of text and reasoning, then the end.
 * @throws {ModelFault} if the model fails. After the signal is aborted, any error may be thrown.
 */
export async function* modelAnswer(
	model: AssistantModel,
	messages: readonly Message[],
	about: About,
	{
		signal,
		limits = limitsOf(model),
	}: {readonly signal: AbortSignal; readonly limits?: ModelLimits | undefined},
): AsyncGenerator<AnswerPart> {
	if (model.key === null && model.keyVariable !== undefined) throw missingKey(model);
	// Drops answers that were stopped before their first word, because some servers reject empty
	// messages.
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
	let hasText = false;
	let hasThought = false;
	let called: string | null = null;
	let shown: string | null = null;
	const patience: Patience = {
		left: limits.silence,
		most: limits.silence,
		fault: () => silent(model, limits.silence),
	};
	const isJson = /\bjson\b/i.test(response.headers['content-type'] ?? '');
	try {
		for await (const data of eventsOf(piecesOf(response, patience), isJson)) {
			if (data === '[DONE]') {
				finishReason ??= 'unknown';
				break;
			}
			// Some routers send empty events to keep the connection open.
			if (data.trim() === '') continue;
			const said = chunkIn(data, model);
			const {choices, usage: counted, error, object} = said;
			// Older vLLM and Mistral send the fields of an error at the top level, without `error`
			// around them.
			if (error != null || object === 'error') {
				const detail = detailIn(said, model);
				throw contextFull(model, detail) ?? failedMidway(model, detail);
			}
			const [choice] = choices ?? [];
			usage.promptTokens = counted?.prompt_tokens ?? usage.promptTokens;
			usage.completionTokens = counted?.completion_tokens ?? usage.completionTokens;
			// Some servers repeat the whole message at the end of the stream, so the repetition is
			// skipped.
			const isRepeated = hasText && choice?.message != null && !choice.delta;
			const {text, thought, tool, other} = saidIn(isRepeated ? undefined : choice);
			hasText ||= text !== '';
			called ||= tool;
			shown ??= other;
			hasThought ||= thought !== '';
			if (thought !== '') yield {thought};
			if (text !== '') yield text;
			if (choice?.finish_reason === 'error') throw failedMidway(model, '');
			// Reason with which vLLM ends a request that it aborted.
			if (choice?.finish_reason === 'abort') throw brokenOff(model);
			if (choice?.finish_reason) {
				finishReason = reasonOf(choice.finish_reason);
				patience.left = limits.afterFinish;
				patience.most = null;
			}
			// A response that is not a stream ends with its message, even without a finish reason.
			if (choice?.message) finishReason ??= 'unknown';
		}
	} catch (error) {
		// After the finish reason only token counts and the end of the stream can be missing, so
		// the answer is complete.
		if (finishReason === null) throw faultOf(error, model);
	} finally {
		response.destroy();
	}
	if (finishReason === null) throw isJson ? unreadable(model) : brokenOff(model);
	if (!hasText && called !== null) throw wantsTool(model, called);
	if (!hasText && shown !== null) throw noText(model, shown);
	if (!hasText && !hasThought && ['stop', 'unknown'].includes(finishReason)) throw nothing(model);
	yield {finishReason, usage};
}
