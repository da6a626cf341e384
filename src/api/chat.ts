import type {Message} from '../contract/assistant.ts';
import {answerEnd} from '../text/answer-end.ts';
import {createLineDecoder, type StreamEvent, type StreamSummary} from '../contract/stream.ts';
import {contractFailure, refusedCall, refusalIn, describeUnexpected} from './responses.ts';
import type {ChatAnswer, ChatOptions} from './client-types.ts';
import type {Failure, FailureKind, Reply} from './failure.ts';
import {reasonIn} from './reason.ts';
import {isSuccess} from './read-response.ts';
import type {RawResponse, Call, Send, Transport} from './transport.ts';
import {isContextFull} from '../text/context-full.ts';
import {createThinkingFilter, type AnswerPiece} from '../text/thinking.ts';

/**
 * Number of bytes stored from the start of a body. They describe the body if it is not an answer.
 */
const LONGEST_START = 8192;
/** Longest part of the assistant's own error that is shown, in characters. */
const LONGEST_ERROR = 2048;
const NO_REASON = 'The assistant reports an error at the end of its answer, without a reason.';
const SHORTER = 'Attach less, start a new conversation, or choose a model with a larger context.';

/** True if the answer has its `d` line, or has `0` lines only and its body ended cleanly. */
const isWhole = ({done, sawFrame, truncated, stopped}: StreamSummary, endedWell: boolean): boolean =>
	done || (endedWell && !sawFrame && !truncated && !stopped);

/** Failure that cut the stream off. Undefined if the answer is complete. */
const brokenOff = (
	transport: Transport,
	call: Call,
	summary: StreamSummary,
	lost: Failure | undefined,
): Failure | undefined => {
	if (summary.done) return undefined;
	if (lost) return lost;
	const {host} = transport;
	const broken = (kind: FailureKind, message: string): Failure => transport.fail(call, {kind, message});
	if (summary.tooLarge) return broken('too-large', `The answer from ${host} is too large; stopped reading.`);
	if (summary.stopped)
		return broken('off-contract', `${host} sent too many unreadable lines; stopped reading.`);
	return summary.sawFrame || summary.truncated
		? broken('connection-lost', `The answer from ${host} was cut off.`)
		: undefined;
};

/** Reason in the error lines. Plain text is not shortened, unlike other reasons. */
const messageIn = (errors: readonly string[]): string => {
	const reason = reasonIn(errors);
	const whole = errors.join(' ');
	return reason === '' || whole.startsWith(reason.replace(/…$/, '')) ? whole : reason;
};

const silent = (transport: Transport, call: Call): Failure =>
	transport.fail(call, {
		kind: 'timeout',
		message: `No new text from ${transport.host} for ${transport.limits.silence / 1000} s.`,
	});

type Talk = {readonly call: Call; readonly send: Send; readonly silence: AbortController} & Pick<
	ChatOptions,
	'onText' | 'onThought'
>;

const listenTo = async (
	transport: Transport,
	{call, send, silence, onText, onThought}: Talk,
): Promise<Reply<ChatAnswer>> => {
	const {limits} = transport;
	let timer: NodeJS.Timeout | undefined;
	const listen = (milliseconds: number) => {
		clearTimeout(timer);
		timer = setTimeout(() => silence.abort(), milliseconds);
	};

	const decoder = createLineDecoder({maxTotal: limits.chat.cap});
	const [content, reasoning, errors]: [string[], string[], string[]] = [[], [], []];
	const thinking = createThinkingFilter();
	const take = ({kind, text}: AnswerPiece): void => {
		(kind === 'text' ? content : reasoning).push(text);
		(kind === 'text' ? onText : onThought)?.(text);
	};
	const note = (events: readonly StreamEvent[]) => {
		for (const event of events) {
			if (event.type === 'error') errors.push(event.text);
			if (event.type === 'reasoning') take({kind: 'reasoning', text: event.text});
			if (event.type === 'text') for (const piece of thinking.push(event.text)) take(piece);
		}
	};

	let start = Buffer.alloc(0);
	let streamed = false;
	let hasBeats = false;
	const reply = await send({
		accepts: ({contentType, beats}) => {
			hasBeats = beats !== undefined;
			streamed = !/\b(html|json)\b/i.test(contentType);
			if (streamed) listen(limits.silence);
			return streamed;
		},
		take: bytes => {
			if (start.length < LONGEST_START)
				start = Buffer.concat([start, bytes.subarray(0, LONGEST_START - start.length)]);
			const events = decoder.push(bytes);
			const {done, stopped} = decoder.summary;
			// Empty and unreadable lines restart the timeout only if the service sends heartbeats.
			if (events.length > 0 || (hasBeats && !done)) listen(done ? limits.afterDone : limits.silence);
			note(events);
			return !stopped;
		},
	}).finally(() => clearTimeout(timer));

	const strange = (got: RawResponse): Failure => {
		const refused = refusalIn(transport, call, got);
		return refused?.reason === undefined
			? contractFailure(transport, call, got, describeUnexpected(got, 'an answer of the assistant'))
			: refused;
	};
	if (reply.ok && !isSuccess(reply.value))
		return {ok: false, failure: refusedCall(transport, call, reply.value)};
	if (reply.ok && !streamed) return {ok: false, failure: strange(reply.value)};
	note(decoder.end());
	for (const piece of thinking.end()) take(piece);
	const {summary} = decoder;
	const lost = reply.ok ? undefined : silence.signal.aborted ? silent(transport, call) : reply.failure;
	if (summary.valid === 0) {
		const got = {status: reply.ok ? reply.value.status : 200, contentType: '', body: start};
		return {ok: false, failure: lost ?? strange(got)};
	}
	// The service may report at the end, without a reason, that the model failed.
	if (errors.length === 0 && summary.done && answerEnd(summary.finishReason) === 'error')
		errors.push(NO_REASON);
	const message = transport.redact(messageIn(errors)).slice(0, LONGEST_ERROR);
	return {
		ok: true,
		value: {
			messageId: summary.messageId,
			content: content.join(''),
			finishReason: summary.finishReason,
			usage: summary.usage,
			complete:
				isWhole(summary, reply.ok) &&
				(errors.length === 0 || (summary.done && answerEnd(summary.finishReason) !== 'error')),
			problem:
				errors.length > 0
					? transport.fail(call, {
							kind: 'assistant',
							message,
							...(isContextFull(message) && {advice: SHORTER}),
						})
					: (brokenOff(transport, call, summary, lost) ?? null),
			notes: {
				reasoning: reasoning.join(''),
				skipped: summary.skipped,
				bad: summary.bad,
				badSamples: summary.badSamples.map(transport.redact),
			},
		},
	};
};

export const streamAnswer = (
	transport: Transport,
	path: string,
	messages: readonly Message[],
	{signal, ...taking}: ChatOptions = {},
): Promise<Reply<ChatAnswer>> => {
	const silence = new AbortController();
	const call: Call = {
		kind: 'chat',
		method: 'POST',
		path,
		body: {messages},
		signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
	};
	return transport.make(
		call,
		(watched, send) => listenTo(transport, {call: watched, send, silence, ...taking}),
		({problem}) => problem,
	);
};
