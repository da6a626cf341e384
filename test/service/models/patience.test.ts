// The longest silence that a model may keep, and the bytes that count as a sign of life.
import {writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {withBeats} from '../../../src/service/http/beats.ts';
import {startModelServer, type ModelStream} from '../../support/model-server.ts';
import {waitFor} from '../../support/wait-for.ts';
import {ask, modelService} from './support.ts';

const elapsed = async (milliseconds: number): Promise<void> => {
	const began = performance.now();
	await waitFor(() => expect(performance.now() - began).toBeGreaterThan(milliseconds), {interval: 20});
};

test.each([
	['comments', ': still here\n\n'],
	['pieces without a word', 'data: {"choices":[{"delta":{"content":""}}]}\n\n'],
])('%s show that a slow model is still at work, however long it takes', async (_, sign) => {
	await using server = await startModelServer(async stream => {
		stream.beat(sign);
		await elapsed(1500);
		await stream.text('at last');
		await stream.finish();
		await stream.done();
	});
	await using service = await modelService(() => ({model_2: {baseUrl: server.baseUrl, model: 'tiny'}}), {
		modelLimits: {firstByte: 600, silence: 600, afterFinish: 50},
	});
	expect(await service.chat('model_2', ask('why?'))).toMatchObject({
		content: 'at last',
		complete: true,
		problem: null,
	});
});

test('a model has the silence of its settings, before its answer and within', async () => {
	let answer: (stream: ModelStream) => unknown = () => {};
	await using server = await startModelServer(async stream => void (await answer(stream)));
	await using service = await modelService(() => ({
		model_2: {baseUrl: server.baseUrl, model: 'tiny', silence: 1},
	}));
	for (answer of [() => {}, (stream: ModelStream) => stream.text('so')])
		expect(await service.chat('model_2', ask('why?'))).toMatchObject({
			problem: {message: expect.stringMatching(/timed out after 1 s without data\. .*"silence" for model_2/)},
		});
});

const message = (content: unknown, more: object = {}) => ({
	choices: [{index: 0, message: {role: 'assistant', content, ...more}, finish_reason: 'stop'}],
	usage: {prompt_tokens: 3, completion_tokens: 2},
});
const whole =
	(body: unknown, type = 'application/json') =>
	(stream: ModelStream) =>
		stream.refuse(200, body, {'content-type': type});

test.each<readonly [string, (stream: ModelStream) => Promise<void> | void]>([
	['an answer that is no stream', whole(message('so it is'))],
	['an answer that is no stream and says it is one', whole(message('so it is'), 'text/event-stream')],
	['a whole answer of parts', whole(message([{type: 'text', text: 'so '}, 'it is']))],
	['a refusal in words', whole(message(null, {refusal: 'so it is'}))],
	[
		'parts in a stream',
		async stream => {
			await stream.event({choices: [{delta: {content: [{type: 'text', text: 'so '}]}}]});
			await stream.event({
				choices: [
					{delta: {content: [{type: 'text', text: 'it'}, {type: 'image_url'}, {type: 'text', text: ' is'}]}},
				],
			});
			await stream.event({choices: [{delta: {content: []}, finish_reason: 'stop'}]});
			await stream.usage(3, 2);
			await stream.done();
		},
	],
	[
		'a part alone, and counts that are no numbers',
		async stream => {
			await stream.event({
				choices: [{delta: {content: {type: 'text', text: 'so it is'}}}],
				usage: {prompt_tokens: '?', completion_tokens: [2]},
			});
			await stream.finish('stop');
			await stream.usage(3, 2);
			await stream.done();
		},
	],
	[
		'texts of the older completions',
		async stream => {
			await stream.event({choices: [{text: 'so '}]});
			await stream.event({choices: [{text: 'it is', finish_reason: 'stop'}]});
			await stream.usage(3, 2);
			await stream.done();
		},
	],
	[
		'the whole message once more at the end of its stream',
		async stream => {
			await stream.text('so it is');
			await stream.event(message('so it is'));
			await stream.done();
		},
	],
])('%s is read', async (_, answer) => {
	await using server = await startModelServer(answer);
	await using service = await modelService(() => ({model_2: {baseUrl: server.baseUrl, model: 'tiny'}}));
	expect(await service.chat('model_2', ask('why?'))).toMatchObject({
		content: 'so it is',
		finishReason: 'stop',
		usage: {promptTokens: 3, completionTokens: 2},
		complete: true,
		problem: null,
	});
});

test('reasoning in parts arrives apart from the answer, and text beside a tool call is the answer', async () => {
	await using server = await startModelServer(async stream => {
		await stream.event({
			choices: [{delta: {content: [{type: 'thinking', thinking: [{type: 'text', text: 'let me see'}]}]}}],
		});
		await stream.text('so');
		await stream.event({choices: [{delta: {tool_calls: [{index: 0, function: {name: 'f'}}]}}]});
		await stream.finish('tool_calls');
		await stream.done();
	});
	await using service = await modelService(() => ({model_2: {baseUrl: server.baseUrl, model: 'tiny'}}));
	let thought = '';
	const answer = await service.chat('model_2', ask('why?'), {
		onThought: text => {
			thought += text;
		},
	});
	expect([thought, answer.content, answer.finishReason]).toEqual(['let me see', 'so', 'tool-calls']);
});

test('the file of the models is read for each question: a change applies, a mistake is reported, and a corrected file works', async () => {
	await using server = await startModelServer(async stream => {
		await stream.text(stream.asked.body.model);
		await stream.finish();
		await stream.done();
	});
	const {baseUrl} = server;
	await using service = await modelService(() => ({model_2: {baseUrl, model: 'first'}}));
	const edit = (content: string): void => writeFileSync(service.modelsFile, content);
	const answer = async () => service.chat('model_2', ask('why?'));
	const names = async () => (await service.client.modelNames()).ok;
	expect((await answer()).content).toBe('first');
	edit(JSON.stringify({model_2: {baseUrl, model: 'second'}}));
	expect((await answer()).content).toBe('second');
	edit('{"model_2": ');
	expect((await answer()).problem?.message).toMatch(
		/models\.json: line 1 is not JSON.*Fix it, then ask again\.$/,
	);
	expect(await names()).toBe(true);
	edit(JSON.stringify({model_2: {baseUrl, model: 'third'}}));
	expect((await answer()).content).toBe('third');
	edit('{}');
	expect((await answer()).content).toMatch(/language model/);
});

test('lines have an empty one among them where none comes for a while, and end as they end', async () => {
	const {promise, resolve} = Promise.withResolvers<string>();
	const lines = async function* () {
		yield 'a\n';
		yield await promise;
	};
	const got: string[] = [];
	for await (const line of withBeats(lines(), 5)) {
		got.push(line);
		if (got.length === 4) resolve('b\n');
	}
	expect(got.slice(0, 4)).toEqual(['a\n', '\n', '\n', '\n']);
	expect(got.filter(line => line !== '\n')).toEqual(['a\n', 'b\n']);
	const failing = async function* () {
		yield 'a\n';
		throw new Error('no more');
	};
	const failed = withBeats(failing(), 5);
	expect(await failed.next()).toEqual({done: false, value: 'a\n'});
	await expect(failed.next()).rejects.toThrow('no more');
});
