// Server that sends streams of `ai` 4 over HTTP. The last segment of a path is the name of a
// scenario. Prints its address on the first line, and ends with its stdin.
import {createServer} from 'node:http';
import {Readable} from 'node:stream';
import {createDataStreamResponse, streamText, tool} from 'ai';
import {MockLanguageModelV1, simulateReadableStream} from 'ai/test';
import {z} from 'zod';

const usage = {promptTokens: 11, completionTokens: 7};
const text = (...fragments) => fragments.map(textDelta => ({type: 'text-delta', textDelta}));
const finish = (finishReason = 'stop', tokens = usage) => ({
	type: 'finish',
	finishReason,
	usage: tokens,
	logprobs: undefined,
});

/** A model that sends these parts; one list for each step. */
const modelOf = (...steps) => {
	let step = 0;
	return new MockLanguageModelV1({
		doStream: async () => ({
			stream: simulateReadableStream({chunks: steps[step++], initialDelayInMs: null, chunkDelayInMs: null}),
			rawCall: {rawPrompt: null, rawSettings: {}},
		}),
	});
};

const failing = error =>
	new MockLanguageModelV1({
		async doStream() {
			throw error;
		},
	});

let aborted = 0;
/** Words without end, until the reader disconnects. */
const endless = () =>
	new MockLanguageModelV1({
		doStream: async ({abortSignal}) => {
			abortSignal?.addEventListener('abort', () => aborted++);
			return {
				rawCall: {rawPrompt: null, rawSettings: {}},
				stream: new ReadableStream({
					async pull(controller) {
						await new Promise(resolve => setTimeout(resolve, 5));
						if (!abortSignal?.aborted) controller.enqueue({type: 'text-delta', textDelta: 'more '});
					},
				}),
			};
		},
	});

const weather = tool({
	description: 'weather',
	parameters: z.object({city: z.string()}),
	execute: async ({city}) => ({city, degrees: 21}),
});
const call = (toolCallId, city) => ({
	type: 'tool-call',
	toolCallType: 'function',
	toolCallId,
	toolName: 'weather',
	args: JSON.stringify({city}),
});
const said = {getErrorMessage: error => (error instanceof Error ? error.message : String(error))};
const everything = {...said, sendReasoning: true, sendSources: true};
// Errors are expected, so they are not written to stderr.
const quiet = {prompt: 'why?', maxRetries: 0, onError() {}};
const ask = (model, more = {}) => streamText({...quiet, model, ...more});

const scenarios = {
	plain: () => ask(modelOf([...text('Hello', ', ', 'world', '!'), finish()])).toDataStreamResponse(),
	characters: () =>
		ask(
			modelOf([
				...text(
					'é表',
					'😀 \uD83D',
					'\uDE00',
					' "q" \\ \n\r\n\t\u0000\u001B[31m\u2028',
					'0:"x"\nd:{}\n',
					'👨‍👩‍👧',
				),
				finish(),
			]),
		).toDataStreamResponse(),
	many: () =>
		ask(
			modelOf([...text(...Array.from({length: 3000}, (_, index) => `${index}é `)), finish()]),
		).toDataStreamResponse(),
	large: () => ask(modelOf([...text('表'.repeat(500_000)), finish()])).toDataStreamResponse(),
	empty: () => ask(modelOf([finish()])).toDataStreamResponse(),
	length: () => ask(modelOf([...text('cut'), finish('length')])).toDataStreamResponse(),
	filtered: () => ask(modelOf([...text('no'), finish('content-filter')])).toDataStreamResponse(),
	unknown: () => ask(modelOf([...text('hm'), finish('unknown')])).toDataStreamResponse(),
	'nan-usage': () =>
		ask(
			modelOf([...text('free'), finish('stop', {promptTokens: NaN, completionTokens: NaN})]),
		).toDataStreamResponse(),
	'half-usage': () =>
		ask(
			modelOf([...text('free'), finish('stop', {promptTokens: 3, completionTokens: NaN})]),
		).toDataStreamResponse(),
	'no-usage': () => ask(modelOf([...text('free'), finish()])).toDataStreamResponse({sendUsage: false}),
	'no-finish': () =>
		ask(modelOf([...text('free'), finish()])).toDataStreamResponse({experimental_sendFinish: false}),
	'masked-error': () =>
		ask(
			modelOf([...text('half '), {type: 'error', error: new Error('secret')}, finish('error')]),
		).toDataStreamResponse(),
	'error-in-the-middle': () =>
		ask(
			modelOf([
				...text('half '),
				{type: 'error', error: new Error('The "model" fell over: é表😀')},
				...text('more'),
				finish('error'),
			]),
		).toDataStreamResponse(said),
	'error-at-the-end': () =>
		ask(modelOf([...text('half '), {type: 'error', error: new Error('Overloaded.')}])).toDataStreamResponse(
			said,
		),
	'error-at-once': () => ask(failing(new Error('No such model.'))).toDataStreamResponse(said),
	'throw-in-the-middle': () =>
		createDataStreamResponse({
			execute(writer) {
				writer.write('0:"half "\n');
				throw new Error('Broken.');
			},
			onError: said.getErrorMessage,
		}),
	reasoning: () =>
		ask(
			modelOf([
				{type: 'reasoning', textDelta: 'First '},
				{type: 'reasoning', textDelta: 'think: é.'},
				{type: 'reasoning-signature', signature: 's'},
				{type: 'redacted-reasoning', data: 'r'},
				...text('So ', 'be it.'),
				finish(),
			]),
		).toDataStreamResponse(everything),
	sources: () =>
		ask(
			modelOf([
				{type: 'source', source: {sourceType: 'url', id: '1', url: 'https://example.com/a', title: 'A'}},
				...text('See A.'),
				{type: 'file', mimeType: 'image/png', data: 'aGk='},
				finish(),
			]),
		).toDataStreamResponse(everything),
	tools: () =>
		ask(
			modelOf(
				[...text('Looking. '), call('c1', 'Rome'), finish('tool-calls')],
				[
					{
						type: 'tool-call-delta',
						toolCallType: 'function',
						toolCallId: 'c2',
						toolName: 'weather',
						argsTextDelta: '{"city":',
					},
					{
						type: 'tool-call-delta',
						toolCallType: 'function',
						toolCallId: 'c2',
						toolName: 'weather',
						argsTextDelta: '"Oslo"}',
					},
					call('c2', 'Oslo'),
					finish('tool-calls', {promptTokens: 1, completionTokens: 1}),
				],
				[...text('21 degrees.'), finish('stop', {promptTokens: 2, completionTokens: 3})],
			),
			{tools: {weather}, maxSteps: 5, toolCallStreaming: true},
		).toDataStreamResponse(said),
	continued: () =>
		ask(modelOf([...text('one two '), finish('length')], [...text('three'), finish()]), {
			maxSteps: 3,
			experimental_continueSteps: true,
		}).toDataStreamResponse(said),
	data: () =>
		createDataStreamResponse({
			execute(writer) {
				writer.writeData({any: 'thing'});
				writer.writeMessageAnnotation({note: 1});
				ask(modelOf([...text('with data'), finish()])).mergeIntoDataStream(writer);
			},
			onError: said.getErrorMessage,
		}),
	endless: signal => ask(endless(), {abortSignal: signal}).toDataStreamResponse(),
	aborts: () => Response.json(aborted),
};

const answer = async (request, response) => {
	const gone = new AbortController();
	response.once('close', () => gone.abort());
	const scenario = scenarios[request.url.split('/').at(-1)];
	const {status, headers, body} =
		scenario?.(gone.signal) ?? new Response(`no scenario ${request.url}`, {status: 404});
	response.writeHead(status, Object.fromEntries(headers));
	Readable.fromWeb(body)
		.on('error', () => response.destroy())
		.pipe(response);
};

// If the client disconnects, promises inside the SDK reject and nothing awaits them.
process.on('unhandledRejection', () => {});
const server = createServer((request, response) => {
	request.resume().on('end', () => void answer(request, response));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.resume().on('end', () => {
	server.closeAllConnections();
	server.close();
});
