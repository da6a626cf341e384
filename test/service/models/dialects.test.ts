// Streams of model servers that differ from OpenAI's. They are written after documentation and bug
// reports, not recorded, because no such server runs here.
import {expect, test} from 'vitest';
import {startModelServer, type ModelStream} from '../../support/model-server.ts';
import {ask, modelService} from './support.ts';

const delta = (fields: object, finish_reason: string | null = null, more: object = {}) => ({
	choices: [{index: 0, delta: fields, finish_reason}],
	...more,
});

type Dialect = readonly [
	name: string,
	source: string,
	answer: (stream: ModelStream) => Promise<void>,
	expected: {
		readonly content?: string;
		readonly thinking?: string;
		readonly finishReason?: string;
		readonly tokens?: number;
		readonly problem?: RegExp;
	},
];

const dialects: readonly Dialect[] = [
	[
		'vLLM: reasoning, and the usage in an event without choices',
		'docs.vllm.ai/en/latest/features/reasoning_outputs.html',
		async stream => {
			await stream.event(delta({role: 'assistant', content: ''}));
			await stream.event(delta({reasoning: 'nine or nine point one'}));
			await stream.event(delta({content: '9.8'}));
			await stream.event(delta({}, 'stop', {stop_reason: null}));
			await stream.event({choices: [], usage: {prompt_tokens: 9, total_tokens: 12, completion_tokens: 3}});
			await stream.done();
		},
		{content: '9.8', thinking: 'nine or nine point one', finishReason: 'stop', tokens: 3},
	],
	[
		'vLLM before 0.10: an error without "error" around it',
		'github.com/block/goose/pull/8031',
		async stream => {
			await stream.event(delta({content: 'so'}));
			await stream.event({
				object: 'error',
				message: 'the engine is dead',
				type: 'InternalServerError',
				code: 500,
			});
			await stream.done();
		},
		{content: 'so', problem: /failed during its answer.* It says: the engine is dead$/},
	],
	[
		'vLLM: a request that it gave up',
		'github.com/vllm-project/vllm/pull/57089',
		async stream => {
			await stream.event(delta({content: 'so'}));
			await stream.event(delta({content: ''}, 'abort'));
			await stream.done();
		},
		{content: 'so', problem: /stopped before the end of its answer/},
	],
	[
		'vLLM: a list of invalid fields',
		'docs.vllm.ai/en/latest/serving/openai_compatible_server.html',
		async stream =>
			stream.refuse(422, {
				detail: [{type: 'extra_forbidden', loc: ['body', 'x'], msg: 'Extra inputs are not permitted'}],
			}),
		{content: '', problem: /rejected the question \(422\)\. It says: Extra inputs are not permitted$/},
	],
	[
		'llama.cpp: timings beside the choices, and progress without text',
		'github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md',
		async stream => {
			await stream.event(
				delta({role: 'assistant', content: null}, null, {prompt_progress: {total: 9, processed: 4}}),
			);
			await stream.event(delta({reasoning_content: 'hm'}));
			await stream.event(delta({content: 'yes'}));
			await stream.event(delta({}, 'stop', {timings: {prompt_n: 9, predicted_ms: 8.1}}));
			await stream.event({
				choices: [],
				usage: {prompt_tokens: 9, completion_tokens: 2},
				timings: {cache_n: 0},
			});
			await stream.done();
		},
		{content: 'yes', thinking: 'hm', finishReason: 'stop', tokens: 2},
	],
	[
		'llama.cpp in 2025: a failure in a field of its own',
		'github.com/coddy-project/coddy-agent/pull/106',
		async stream => {
			await stream.raw(
				'error: {"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"invalid_request_error"}\n\n',
			);
			await stream.done();
		},
		{
			content: '',
			problem: /the conversation is longer than its context window\. It says: the request exceeds/,
		},
	],
	[
		'llama.cpp: empty events that keep the connection alive',
		'github.com/coddy-project/coddy-agent/pull/106',
		async stream => {
			await stream.raw(': ping\n\ndata:\n\ndata: \n\n');
			await stream.event(delta({content: 'yes'}));
			await stream.raw('data: \n\n');
			await stream.event(delta({}, 'stop'));
			await stream.done();
		},
		{content: 'yes', finishReason: 'stop'},
	],
	[
		'Ollama: reasoning beside empty content, and the usage only at the end',
		'docs.ollama.com/api/openai-compatibility',
		async stream => {
			await stream.event(delta({role: 'assistant', content: '', reasoning: 'hm'}));
			await stream.event(delta({role: 'assistant', content: 'yes'}));
			await stream.event(delta({role: 'assistant', content: ''}, 'stop'));
			await stream.event({choices: [], usage: {prompt_tokens: 9, completion_tokens: 2, total_tokens: 11}});
			await stream.done();
		},
		{content: 'yes', thinking: 'hm', finishReason: 'stop', tokens: 2},
	],
	[
		'Ollama: a model that is not installed',
		'docs.ollama.com/api/errors',
		async stream =>
			stream.refuse(404, {
				error: {message: 'model "tiny" not found, try pulling it first', type: 'api_error', code: null},
			}),
		{content: '', problem: /was not found \(404\).* It says: model "tiny" not found, try pulling it first$/},
	],
	[
		'LM Studio: an error event, after the headers',
		'github.com/odysseus-dev/odysseus/pull/736',
		async stream => {
			await stream.raw(
				'event: error\ndata: {"error":{"message":"Error rendering prompt with jinja template"},"message":"Error rendering prompt with jinja template"}\n\n',
			);
			stream.end();
		},
		{content: '', problem: /failed during its answer.* It says: Error rendering prompt with jinja template$/},
	],
	[
		'LM Studio: a full context that ends without a word',
		'github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2339',
		async stream => {
			await stream.event(delta({role: 'assistant'}));
			await stream.event(delta({}, 'stop'));
			await stream.event({choices: [], usage: {prompt_tokens: 32_768, completion_tokens: 0}});
			await stream.done();
		},
		{
			content: '',
			problem: /returned an empty answer\. .* it may be longer than the model's context window\.$/,
		},
	],
	[
		'OpenRouter: comments, reasoning, and the usage beside a last empty delta',
		'openrouter.ai/docs/api/reference/streaming',
		async stream => {
			await stream.raw(': OPENROUTER PROCESSING\n\n');
			await stream.event(
				delta({
					role: 'assistant',
					content: '',
					reasoning: 'hm',
					reasoning_details: [{type: 'reasoning.text'}],
				}),
			);
			await stream.event(delta({role: 'assistant', content: 'yes'}, null, {provider: 'x'}));
			await stream.event(delta({role: 'assistant', content: ''}, 'stop', {native_finish_reason: 'end_turn'}));
			await stream.event({
				choices: [{index: 0, delta: {role: 'assistant', content: ''}, finish_reason: null}],
				usage: {prompt_tokens: 9, completion_tokens: 2, cost: 0.01},
			});
			await stream.done();
		},
		{content: 'yes', thinking: 'hm', finishReason: 'stop', tokens: 2},
	],
	[
		'OpenRouter: an error in the middle',
		'openrouter.ai/docs/api/errors',
		async stream => {
			await stream.event(delta({content: 'so'}));
			await stream.event(
				delta({content: ''}, 'error', {error: {code: 'server_error', message: 'Provider disconnected'}}),
			);
			stream.end();
		},
		{content: 'so', problem: /failed during its answer.* It says: Provider disconnected$/},
	],
	[
		'OpenRouter: the words of the provider behind it',
		'openrouter.ai/docs/api/errors',
		async stream =>
			stream.refuse(400, {
				error: {
					code: 400,
					message: 'Provider returned error',
					metadata: {provider_name: 'x', raw: '{"error":{"message":"temperature must be 1"}}'},
				},
			}),
		{content: '', problem: /rejected .* It says: Provider returned error: temperature must be 1$/},
	],
	[
		'Mistral: thinking as a part of the content, and its finish reason',
		'docs.mistral.ai/capabilities/reasoning',
		async stream => {
			await stream.event(delta({content: [{type: 'thinking', thinking: [{type: 'text', text: 'hm'}]}]}));
			await stream.event(delta({content: [{type: 'text', text: 'yes'}]}));
			await stream.event(
				delta({content: ''}, 'model_length', {usage: {prompt_tokens: 9, completion_tokens: 2}}),
			);
			await stream.done();
		},
		{content: 'yes', thinking: 'hm', finishReason: 'model-length', tokens: 2},
	],
	[
		'Mistral: a refusal in a list',
		'docs.mistral.ai/api',
		async stream =>
			stream.refuse(422, {
				object: 'error',
				message: {detail: [{type: 'missing', loc: ['body', 'model'], msg: 'Field required'}]},
				type: 'invalid_request_error',
			}),
		{content: '', problem: /rejected the question \(422\)\. It says: Field required$/},
	],
	[
		'Anthropic: an overloaded server',
		'platform.claude.com/docs/en/api/openai-sdk',
		async stream => {
			await stream.event(delta({content: 'so'}));
			await stream.raw(
				'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
			);
			stream.end();
		},
		{content: 'so', problem: /failed during its answer.* It says: Overloaded$/},
	],
	[
		'Anthropic: a refusal of the newest models',
		'platform.claude.com/docs/en/api/openai-sdk',
		async stream =>
			stream.refuse(400, {
				type: 'error',
				error: {type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum'},
			}),
		{content: '', problem: /longer than its context window\. It reads 200,000 tokens\./},
	],
	[
		'Google: an error in a list',
		'ai.google.dev/gemini-api/docs/openai',
		async stream =>
			stream.refuse(400, [{error: {code: 400, message: 'API key not valid.', status: 'INVALID'}}]),
		{content: '', problem: /rejected the question \(400\)\. It says: API key not valid\.$/},
	],
];

test.each(dialects)('%s (%s)', async (_name, _source, answer, {problem, tokens, ...expected}) => {
	await using server = await startModelServer(answer);
	await using service = await modelService(() => ({model_2: {baseUrl: server.baseUrl, model: 'tiny'}}));
	let thinking = '';
	const answered = await service.chat('model_2', ask('why?'), {
		onThought: fragment => {
			thinking += fragment;
		},
	});
	expect(answered.content).toBe(expected.content);
	expect(thinking).toBe(expected.thinking ?? '');
	if (problem) expect(answered.problem?.message).toMatch(problem);
	else {
		expect(answered.problem).toBeNull();
		expect(answered.finishReason).toBe(expected.finishReason);
	}
	if (tokens !== undefined) expect(answered.usage?.completionTokens).toBe(tokens);
});
