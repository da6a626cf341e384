// The AI SDK v4's own client reads answers of an assistant. Stdin: a list of questions; stdout: the
// results of both of its readers as JSON. A question is {url, apiKey, messages, stopAfter}: a
// reader disconnects after that many fragments.
import {json} from 'node:stream/consumers';
import {callChatApi, processDataStream} from '@ai-sdk/ui-utils';

const describe = error => ({name: error.name, message: error.message});

/** Reads an answer with the function below `useChat`: every part with its type, in order. */
const readParts = async ({url, apiKey, messages, stopAfter}) => {
	const stop = new AbortController();
	const parts = [];
	let texts = 0;
	const note = type => value => {
		parts.push([type, value]);
		if (type === 'text' && ++texts === stopAfter) stop.abort();
	};
	let status = 0;
	let headers = {};
	let failed = null;
	try {
		const response = await fetch(url, {
			method: 'POST',
			body: JSON.stringify({messages}),
			headers: {apiKey, 'content-type': 'application/json'},
			signal: stop.signal,
		});
		status = response.status;
		headers = Object.fromEntries(response.headers);
		await processDataStream({
			stream: response.body,
			onTextPart: note('text'),
			onErrorPart: note('error'),
			onStartStepPart: note('start'),
			onFinishStepPart: note('step'),
			onFinishMessagePart: note('finish'),
			onReasoningPart: note('other'),
			onReasoningSignaturePart: note('other'),
			onRedactedReasoningPart: note('other'),
			onSourcePart: note('other'),
			onFilePart: note('other'),
			onDataPart: note('other'),
			onToolCallStreamingStartPart: note('other'),
			onToolCallDeltaPart: note('other'),
			onToolCallPart: note('other'),
			onToolResultPart: note('other'),
			onMessageAnnotationsPart: note('other'),
		});
	} catch (error) {
		failed = describe(error);
	}
	return {status, headers, parts, failed};
};

/**
 * Reads an answer with the function that `useChat` v4 calls: the message as it grows, and its end.
 */
const readChat = async ({url, apiKey, messages, stopAfter}) => {
	const stop = new AbortController();
	let updates = 0;
	let message = null;
	let finish = null;
	let restored = 0;
	let failed = null;
	try {
		await callChatApi({
			api: url,
			body: {messages},
			headers: {apiKey},
			streamProtocol: 'data',
			lastMessage: messages.at(-1),
			abortController: () => stop,
			restoreMessagesOnFailure: () => restored++,
			onUpdate(update) {
				message = update.message;
				if (message.content !== '' && ++updates === stopAfter) stop.abort();
			},
			onFinish(whole, end) {
				message = whole;
				finish = end;
			},
			generateId: () => 'made-by-the-reader',
		});
	} catch (error) {
		failed = describe(error);
	}
	return {message, finish, restored, failed};
};

const questions = await json(process.stdin);
process.stdout.write(
	JSON.stringify(
		await Promise.all(questions.map(question => Promise.all([readParts(question), readChat(question)]))),
	),
);
