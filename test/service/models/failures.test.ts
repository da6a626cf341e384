import {createServer, type AddressInfo} from 'node:net';
import {expect, test} from 'vitest';
import {tlsPeer} from '../../support/peer.ts';
import {selfSigned} from '../../support/self-signed.ts';
import {startModelServer, type ModelStream} from '../../support/model-server.ts';
import {testRows} from '../../support/rows.ts';
import {waitFor} from '../../support/wait-for.ts';
import {ask, CANARY, modelService, SHORT, type ModelService} from './support.ts';

const payload = (line: string | undefined): unknown => JSON.parse((line ?? 'x:null').slice(2));
const unknownUsage = {promptTokens: null, completionTokens: null};

/**
 * Raw answer of a slot with frame lines and of one without: the text so far, one error line, and
 * the end of the frame.
 */
const failing = async (service: ModelService, text: string): Promise<string> => {
	const [framed, bare] = await Promise.all([service.lines('model_2'), service.lines('model_4')]);
	const fragments = framed
		.filter(line => line.startsWith('0:'))
		.map(payload)
		.join('');
	expect(fragments).toBe(text);
	const codes = framed.map(line => line[0]).join('');
	expect(codes).toMatch(/^f0*3ed$/);
	expect(bare.map(line => line[0]).join('')).toBe(codes.slice(1, -2));
	expect(payload(framed.at(-2))).toEqual({finishReason: 'error', usage: unknownUsage, isContinued: false});
	expect(payload(framed.at(-1))).toEqual({finishReason: 'error', usage: unknownUsage});
	const sentence = payload(framed.at(-3)) as string;
	expect(payload(bare.at(-1))).toBe(sentence.replaceAll('model_2', 'model_4'));
	const answer = await service.chat('model_2', ask('why?'));
	expect(answer).toMatchObject({content: text, problem: {kind: 'assistant', message: sentence}});
	const told = [...framed, ...bare, JSON.stringify(answer), service.log()].join('\n');
	expect(told).not.toContain(CANARY);
	expect(told).not.toMatch(/canary|Bearer sk/);
	expect(told).not.toMatch(/failure [0-9a-f]{8}/);
	return sentence;
};

const models =
	(baseUrl: string, more: object = {}) =>
	(keyFile: string) => ({
		model_2: {baseUrl, model: 'tiny', keyFile, ...more},
		model_4: {baseUrl, model: 'tiny', keyFile, ...more},
	});

/**
 * Uses short limits only where they must expire. Elsewhere a busy machine would look like a silent
 * model.
 */
const limitsFor = ({source}: RegExp) => (source.includes('timed out after') ? {modelLimits: SHORT} : {});

// Model server that repeats the key in every possible place.
const echo = {
	error: {
		message: `Incorrect API key provided: ${CANARY}. You sent Authorization: Bearer ${CANARY}\nNo model "tiny".`,
	},
};

const before: readonly (readonly [
	name: string,
	answer: (stream: ModelStream) => Promise<void> | void,
	sentence: RegExp,
])[] = [
	[
		'401',
		stream => stream.refuse(401, {error: {message: 'Incorrect API key provided: sk-canary***789.'}}),
		/^tiny at 127\.0\.0\.1:\d+ rejected the key \(401\)\. Check the file that model_\d names/,
	],
	['403', stream => stream.refuse(403, echo), /rejected the key \(403\)/],
	[
		'404',
		stream => stream.refuse(404, echo),
		/was not found \(404\): check model and baseUrl .* It says: Incorrect API key provided: …\. You sent Authorization: Bearer … No model "tiny"\.$/,
	],
	[
		'429',
		stream => stream.refuse(429, {message: 'quota'}),
		/accepts no more questions for now \(429\).* It says: quota$/,
	],
	['500', stream => stream.refuse(500, {error: `boom ${CANARY}`}), /failed \(500\).* It says: boom …$/],
	['500 with a long text', stream => stream.refuse(500, {error: `${'x'.repeat(290)}${CANARY}`}), /x…$/],
	[
		'400',
		stream => stream.refuse(400, {detail: 'too long'}),
		/rejected the question \(400\)\. It says: too long$/,
	],
	[
		'a conversation that is longer than the model reads',
		stream =>
			stream.refuse(400, {
				error: {
					message:
						'request (9012 tokens) exceeds the available context size (8192 tokens), try increasing it',
				},
			}),
		/^tiny at 127\.0\.0\.1:\d+: the conversation is longer than its context window\. It reads 8,192 tokens\. It says: request/,
	],
	[
		'a redirect',
		stream => stream.refuse(307, {}, {location: `https://evil.example/?key=${CANARY}`}),
		/redirects to another address \(307\), where the key is not sent/,
	],
	[
		'a page',
		stream => stream.refuse(200, '<html>', {'content-type': 'text/html'}),
		/sent an unreadable answer\. Check that its baseUrl/,
	],
	['an answer that is no stream', stream => stream.refuse(200, {choices: []}), /sent an unreadable answer/],
	[
		'an error that never ends',
		stream => {
			stream.refuse(502, {error: {message: 'x'.repeat(100_000)}});
		},
		/failed \(502\)\. Try again or check that server\.$/,
	],
	[
		'a cut connection',
		stream => stream.cut(),
		/cannot be reached: the connection broke \(ECONNRESET\); try again\.$/,
	],
	[
		'that its context is full',
		async stream => stream.event({error: {message: 'Context size has been exceeded.'}}),
		/the conversation is longer than its context window\. It says: Context size has been exceeded\.$/,
	],
	[
		'an answer that is no stream and no answer',
		stream => stream.refuse(200, {object: 'list', data: []}),
		/sent an unreadable answer/,
	],
	[
		'an error in an answer that is no stream',
		stream => stream.refuse(200, {error: {message: `no room for ${CANARY}`}}),
		/failed during its answer\. .* It says: no room for …$/,
	],
	[
		'a call of a tool and no text',
		async stream => {
			await stream.event({
				choices: [{delta: {content: null, tool_calls: [{index: 0, function: {name: 'get_weather'}}]}}],
			});
			await stream.event({choices: [{delta: {tool_calls: [{index: 0, function: {arguments: '{}'}}]}}]});
			await stream.finish('tool_calls');
			await stream.done();
		},
		/called a tool \("get_weather"\) instead of answering, although it was given no tools\. Ask again/,
	],
	[
		'a call of a function and no text in an answer that is no stream',
		stream =>
			stream.refuse(200, {
				choices: [
					{
						message: {content: null, function_call: {name: 'f', arguments: '{}'}},
						finish_reason: 'function_call',
					},
				],
			}),
		/called a tool \("f"\) instead of answering/,
	],
	[
		'a picture and no text',
		async stream => {
			await stream.event({choices: [{delta: {content: [{type: 'image_url', image_url: {url: 'x'}}]}}]});
			await stream.finish('stop');
			await stream.done();
		},
		/answered without text \(with "image_url"\)\. Only text can be shown here/,
	],
	['silence', () => {}, /timed out after 0\.6 s without data\. .* "silence" for model_\d in models\.json/],
	['silence after the headers', stream => stream.begin(), /timed out after 0\.6 s without data/],
];

testRows(
	'%s before the answer is a sentence of what to do',
	before,
	before.length - 1,
	async ([_, answer, sentence]) => {
		await using server = await startModelServer(answer);
		await using service = await modelService(models(server.baseUrl), limitsFor(sentence));
		const told = await failing(service, '');
		expect(told).toMatch(sentence);
		// Each question was sent once, and no request waits at the model.
		expect(server.asked).toHaveLength(3);
		await waitFor(() => expect(server.open()).toBe(0));
	},
);

const middle: readonly (readonly [
	name: string,
	answer: (stream: ModelStream) => Promise<void> | void,
	sentence: RegExp,
])[] = [
	['a cut connection', stream => stream.cut(), /stopped before the end of its answer\. Try again\.$/],
	['an end that is none', stream => stream.end(), /stopped before the end of its answer/],
	[
		'a line that is no JSON',
		async stream => stream.raw(`data: {"choices": [${CANARY}\n\n`),
		/sent an unreadable answer/,
	],
	['a line of another shape', async stream => stream.event({choices: 'none'}), /sent an unreadable answer/],
	[
		'a line without end',
		async stream => stream.raw(`data: ${'x'.repeat(2 << 20)}`),
		/sent an unreadable answer/,
	],
	[
		'an error',
		async stream => stream.event({error: {message: `out of memory for ${CANARY}`}}),
		/failed during its answer\. Try again or check that server\. It says: out of memory for …$/,
	],
	[
		'that its context is full',
		async stream => stream.event({error: {message: 'Context size has been exceeded.'}}),
		/the conversation is longer than its context window\. It says: Context size has been exceeded\.$/,
	],
	['silence', () => {}, /timed out after 0\.6 s without data/],
];

testRows(
	'%s in the middle keeps the text so far',
	middle,
	middle.length - 1,
	async ([_, answer, sentence]) => {
		await using server = await startModelServer(async stream => {
			await stream.text('half "an" ');
			await stream.text('answer');
			await answer(stream);
		});
		await using service = await modelService(models(server.baseUrl), limitsFor(sentence));
		expect(await failing(service, 'half "an" answer')).toMatch(sentence);
		await waitFor(() => expect(server.open()).toBe(0));
	},
);

test('an unreachable model server is named by its host', async () => {
	const server = createServer().listen(0, '127.0.0.1');
	await new Promise(resolve => server.once('listening', resolve));
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	await new Promise(resolve => server.close(resolve));
	await using service = await modelService(models(`http://${host}/v1`, {name: 'Our Llama'}));
	expect(await failing(service, '')).toBe(
		`Our Llama at ${host} cannot be reached: nothing listens there; start the model server.`,
	);
});

test('a model server with an untrusted certificate gets no key', async () => {
	await using peer = await tlsPeer(selfSigned());
	await using service = await modelService(models(`${peer.url}/v1`));
	expect(await failing(service, '')).toMatch(
		/cannot be reached: its certificate is not trusted \([A-Z_]+\); set NODE_EXTRA_CA_CERTS to the file of its CA certificate\.$/,
	);
	expect(peer.asked).toEqual([]);
});

test('an unknown host name is reported, and so is a required key that is not set', async () => {
	await using server = await startModelServer(stream => stream.refuse(401, {}));
	await using service = await modelService(() => ({
		model_1: {baseUrl: 'https://model.invalid/v1', model: 'tiny'},
		model_3: {baseUrl: server.baseUrl, model: 'tiny', keyVariable: 'SVC_TEST_NOT_SET'},
		model_5: {baseUrl: server.baseUrl, model: 'tiny'},
	}));
	expect((await service.chat('model_1', ask('why?'))).problem?.message).toMatch(
		/^tiny at model\.invalid cannot be reached: /,
	);
	expect((await service.chat('model_3', ask('why?'))).problem?.message).toMatch(
		/needs a key, but the variable SVC_TEST_NOT_SET is not set: set it where svc-tui is started/,
	);
	expect(server.asked).toEqual([]);
	expect((await service.chat('model_5', ask('why?'))).problem?.message).toMatch(
		/needs a key \(401\): name one for model_5 with keyFile or keyVariable/,
	);
});

test('the log reports that a model failed, without its words', async () => {
	await using server = await startModelServer(stream =>
		stream.refuse(500, {error: 'the question was: secret plans'}),
	);
	await using service = await modelService(models(server.baseUrl));
	expect(await failing(service, '')).toContain('secret plans');
	expect(service.log()).toMatch(
		/ model_2: tiny at 127\.0\.0\.1:\d+ failed \(500\)\. Try again or check that server\.\n/,
	);
	expect(service.log()).not.toContain('secret plans');
});
