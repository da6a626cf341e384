import {expect, test} from 'vitest';
import {FRAMED_MODELS, MODELS} from '../../../src/contract/names.ts';
import {createTinyEngine} from '../../support/tiny-engine.ts';
import {startModelServer} from '../../support/model-server.ts';
import {ask, CANARY, modelService} from './support.ts';
import {waitFor} from '../../support/wait-for.ts';

const haiku = async () =>
	startModelServer(async stream => {
		await stream.event({choices: [{index: 0, delta: {role: 'assistant', content: ''}, finish_reason: null}]});
		for (const word of ['Skip ', 'blank "lines"', ':\n', 'é表😀']) await stream.text(word);
		await stream.finish();
		await stream.usage(12, 7);
		await stream.done();
	});
const said = 'Skip blank "lines":\né表😀';

test.each(MODELS)('%s is answered by its model, in the lines of that slot', async slot => {
	await using server = await haiku();
	await using service = await modelService(() => ({[slot]: {baseUrl: server.baseUrl, model: 'tiny'}}));
	const lines = await service.lines(slot);
	const usage = {promptTokens: 12, completionTokens: 7};
	expect(lines.map(line => line[0]).join('')).toBe(FRAMED_MODELS.has(slot) ? 'f0000ed' : '0000');
	const answer = await service.chat(slot, ask('why?'));
	expect(answer).toMatchObject({content: said, complete: true, problem: null, notes: {bad: 0, skipped: {}}});
	expect(answer).toMatchObject(
		FRAMED_MODELS.has(slot) ? {finishReason: 'stop', usage} : {finishReason: null, usage: null},
	);
});

test('the model gets the whole conversation after a word on where it is, its name and the key', async () => {
	await using server = await haiku();
	await using service = await modelService(keyFile => ({
		model_2: {baseUrl: `${server.baseUrl}/`, model: 'tiny', keyFile},
	}));
	await service.client.putFile('welcome', 'src/train\n.py', {content: 'x = 1', format: 'text', type: 'file'});
	await service.client.putFile('welcome', 'train.py', {content: 'x = 1', format: 'text', type: 'file'});
	const conversation = [
		...ask('why?'),
		{role: 'assistant', content: 'Because.'},
		...ask('again?'),
		{role: 'assistant', content: ''},
		{role: 'tool', content: 'and now?'},
	];
	await service.chat('model_2', conversation);
	const [asked] = server.asked;
	expect(asked?.path).toBe('POST /v1/chat/completions');
	expect(asked?.headers).toMatchObject({authorization: `Bearer ${CANARY}`, accept: 'text/event-stream'});
	expect(asked?.body).toMatchObject({model: 'tiny', stream: true, stream_options: {include_usage: true}});
	const [system, ...turns] = asked?.body.messages ?? [];
	expect(system?.role).toBe('system');
	expect(system?.content).toMatch(/"welcome", environment "ai"/);
	expect(system?.content).toMatch(/Files on the server: \[.*"README\.md".*"train\.py"/);
	expect(turns).toEqual([
		...ask('why?'),
		{role: 'assistant', content: 'Because.'},
		...ask('again?'),
		{role: 'user', content: 'and now?'},
	]);
});

test('each slot has a system prompt, a temperature, headers and a header for its key', async () => {
	await using server = await haiku();
	const {baseUrl} = server;
	await using service = await modelService(keyFile => ({
		model_2: {
			baseUrl,
			model: 'tiny',
			keyFile,
			keyHeader: 'api-key',
			headers: {'X-Title': 'Notebooks'},
			systemPrompt: 'Speak in verse.\nNever in prose.',
			temperature: 0,
		},
		model_3: {baseUrl, model: 'tiny'},
	}));
	await service.chat('model_2', ask('why?'));
	await service.chat('model_3', ask('why?'));
	const [own, plain] = server.asked;
	expect(own?.headers).toMatchObject({'x-title': 'Notebooks', 'api-key': CANARY});
	expect(own?.headers).not.toHaveProperty('authorization');
	expect(own?.body).toMatchObject({temperature: 0});
	expect(own?.body.messages[0]?.content).toMatch(
		/^You are the assistant[^]*\nSpeak in verse\.\nNever in prose\.$/,
	);
	expect(plain?.headers).not.toHaveProperty('x-title');
	expect(plain?.body).not.toHaveProperty('temperature');
	expect(plain?.body.messages[0]?.content).not.toContain('verse');
	expect(service.log()).not.toContain(CANARY);
});

test("a model's reasoning reaches clients that ask for it, apart from the answer, and no others", async () => {
	await using server = await startModelServer(async stream => {
		await stream.event({choices: [{delta: {reasoning_content: 'let me '}}]});
		await stream.event({choices: [{delta: {reasoning: 'see'}}]});
		await stream.text('so');
		await stream.finish();
		await stream.done();
	});
	await using service = await modelService(() => ({model_2: {baseUrl: server.baseUrl, model: 'tiny'}}));
	const heard: string[] = [];
	const taking = {
		onText: (text: string) => heard.push(text),
		onThought: (text: string) => heard.push(`(${text})`),
	};
	const {content, notes} = await service.chat('model_2', ask('why?'), taking);
	expect([content, notes?.reasoning, heard.join('')]).toEqual(['so', 'let me see', '(let me )(see)so']);
	expect((await service.lines('model_2')).map(line => line[0]).join('')).toBe('f0ed');
});

test('the service of this machine lists the names of its models, and nothing else of them', async () => {
	await using service = await modelService(keyFile => ({
		model_2: {baseUrl: 'http://127.0.0.1:1/v1', model: 'llama3', keyFile},
		model_4: {baseUrl: 'http://127.0.0.1:1/v1', model: 'gpt', name: 'Example'},
	}));
	const named = [
		{id: 'model_2', name: 'llama3'},
		{id: 'model_4', name: 'Example'},
	];
	expect(await service.client.modelNames()).toEqual({ok: true, value: named});
	const {status, text} = await service.local.call('GET', '/local/models');
	expect([status, JSON.parse(text)]).toEqual([200, {status: 'success', models: named}]);
	expect((await service.local.call('GET', '/local/models', undefined, {key: 'another'})).status).toBe(401);
});

test('many files do not make the question long', async () => {
	await using server = await haiku();
	await using service = await modelService(() => ({model_2: {baseUrl: server.baseUrl, model: 'tiny'}}));
	await Promise.all(
		Array.from({length: 100}, async (_, index) =>
			service.client.putFile('welcome', `many/${'long-name-'.repeat(8)}${index}.txt`, {
				content: '',
				format: 'text',
				type: 'file',
			}),
		),
	);
	await service.chat('model_2', ask('why?'));
	const [system] = server.asked[0]?.body.messages ?? [];
	expect(system?.content).toMatch(/Files on the server, the first \d+: \["/);
	expect(system?.content.length).toBeLessThan(5000);
});

test('a model without a key gets no key', async () => {
	await using server = await haiku();
	await using service = await modelService(() => ({model_4: {baseUrl: server.baseUrl, model: 'tiny'}}));
	await service.chat('model_4', ask('why?'));
	expect(server.asked[0]?.headers).not.toHaveProperty('authorization');
});

test('the other models stay with the built-in assistant', async () => {
	await using server = await haiku();
	await using service = await modelService(() => ({model_2: {baseUrl: server.baseUrl, model: 'tiny'}}));
	expect((await service.chat('model_3', ask('what is len'))).content).toContain('not a language model');
	expect(server.asked).toEqual([]);
});

test('a fragment reaches the user before the model has the next one', async () => {
	const seen: string[] = [];
	const next = Promise.withResolvers<void>();
	await using server = await startModelServer(async stream => {
		await stream.text('first ');
		await next.promise;
		await stream.text('second');
		await stream.finish();
		await stream.done();
	});
	await using service = await modelService(() => ({model_1: {baseUrl: server.baseUrl, model: 'tiny'}}));
	const answer = service.chat('model_1', ask('why?'), {onText: text => seen.push(text)});
	await waitFor(() => expect(seen).toEqual(['first ']));
	next.resolve();
	expect((await answer).content).toBe('first second');
});

test('an answer comes while a cell runs on the server', async () => {
	const engine = createTinyEngine();
	await using server = await haiku();
	await using service = await modelService(() => ({model_2: {baseUrl: server.baseUrl, model: 'tiny'}}), {
		openEngine: async () => engine,
	});
	const cell = service.client.runCode('welcome', {code: 'wait', kernel_name: 'python3'});
	await waitFor(() => expect(engine.waiting()).toBe(1));
	expect((await service.chat('model_2', ask('why?'))).content).toBe(said);
	expect(engine.waiting()).toBe(1);
	engine.release();
	await cell;
});

test.each([
	['sends none', async () => {}],
	[
		'sends null',
		async (stream: {event(value: unknown): Promise<void>}) => stream.event({choices: [], usage: null}),
	],
	['sends null counts', async (stream: {usage(a: null, b: null): Promise<void>}) => stream.usage(null, null)],
])('usage is not known, and not 0, where the model %s', async (_, tellUsage) => {
	await using server = await startModelServer(async stream => {
		await stream.text('so');
		await stream.finish('length');
		await tellUsage(stream);
		await stream.done();
	});
	await using service = await modelService(() => ({model_5: {baseUrl: server.baseUrl, model: 'tiny'}}));
	expect(await service.chat('model_5', ask('why?'))).toMatchObject({
		content: 'so',
		finishReason: 'length',
		usage: {promptTokens: null, completionTokens: null},
		complete: true,
		problem: null,
	});
});

test('a model that ends without [DONE] or an empty line, or never ends after its last token, has answered', async () => {
	let hangs = false;
	await using server = await startModelServer(async stream => {
		await stream.text('so');
		if (hangs) return stream.finish('content_filter');
		await stream.raw(`data:${JSON.stringify({choices: [{delta: {}, finish_reason: 'content_filter'}]})}`);
		stream.end();
	});
	await using service = await modelService(() => ({model_2: {baseUrl: server.baseUrl, model: 'tiny'}}), {
		modelLimits: {firstByte: 500_000, silence: 500_000, afterFinish: 50},
	});
	for (hangs of [false, true])
		expect(await service.chat('model_2', ask('why?'))).toMatchObject({
			content: 'so',
			finishReason: 'content-filter',
			complete: true,
			problem: null,
		});
	await waitFor(() => expect(server.open()).toBe(0));
});

test('a model server that does not know stream_options is asked without them', async () => {
	await using server = await startModelServer(async stream => {
		if (stream.asked.body.stream_options !== undefined)
			return stream.refuse(400, {error: {message: 'Unknown field: stream_options'}});
		await stream.text('so');
		await stream.finish();
		await stream.done();
	});
	await using service = await modelService(() => ({model_2: {baseUrl: server.baseUrl, model: 'tiny'}}));
	expect(await service.chat('model_2', ask('why?'))).toMatchObject({content: 'so', problem: null});
	expect(server.asked).toHaveLength(2);
});

test('comments, CRLF, other fields and bytes cut inside a character change nothing', async () => {
	await using server = await startModelServer(async stream => {
		const bytes = Buffer.from(
			`: ping\r\n\r\nevent: x\r\nid: 1\r\ndata: ${JSON.stringify({choices: [{delta: {content: 'é表😀'}}]})}\r\n\r\ndata: ${JSON.stringify({choices: [{delta: {reasoning_content: 'hm'}, finish_reason: 'stop'}]})}\r\n\r\n`,
		);
		for (const byte of bytes) await stream.raw(Uint8Array.of(byte));
		await stream.done();
	});
	await using service = await modelService(() => ({model_2: {baseUrl: server.baseUrl, model: 'tiny'}}));
	expect(await service.chat('model_2', ask('why?'))).toMatchObject({
		content: 'é表😀',
		finishReason: 'stop',
		problem: null,
	});
});
