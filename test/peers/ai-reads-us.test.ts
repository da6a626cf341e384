// @module-tag long
import {randomUUID} from 'node:crypto';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {Message} from '../../src/contract/assistant.ts';
import {FRAMED_MODELS, MODELS} from '../../src/contract/names.ts';
import {valueOf} from '../api/describe-client.ts';
import {startModelServer, type ModelStream} from '../support/model-server.ts';
import {INSTALL_MS, installPeers} from './install-peers.ts';
import {askPeer} from './peer-process.ts';
import {realService, type RealService} from './real-service.ts';
import {waitFor} from '../support/wait-for.ts';

type Failed = {readonly name: string; readonly message: string} | null;
type Usage = {readonly promptTokens: number | null; readonly completionTokens: number | null};
/** Output of `processDataStream`. */
type Parts = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly parts: readonly (readonly [type: string, value: unknown])[];
	readonly failed: Failed;
};
/** Output of `callChatApi`. */
type Chat = {
	readonly message: {
		readonly id: string;
		readonly role: string;
		readonly content: string;
		readonly parts: readonly {readonly type: string}[];
	} | null;
	readonly finish: {readonly finishReason: string; readonly usage: Usage} | null;
	readonly restored: number;
	readonly failed: Failed;
};
type Asked = {
	readonly url: string;
	readonly apiKey: string;
	readonly messages: readonly Message[];
	readonly stopAfter?: number;
};

const question = (content: string): readonly Message[] => [{role: 'user', content}];
const textOf = ({parts}: Parts): string =>
	parts
		.filter(([type]) => type === 'text')
		.map(([, value]) => value)
		.join('');
const errorsOf = ({parts}: Parts): readonly unknown[] =>
	parts.filter(([type]) => type === 'error').map(([, value]) => value);
/** Kinds of the parts in order. Consecutive fragments count as one. */
const shape = ({parts}: Parts): string =>
	parts
		.map(([type]) => type)
		.filter((type, index, all) => type !== 'text' || all[index - 1] !== 'text')
		.join(' ');

/** Reads with both readers at the same time, each with its own request. */
const readBoth = async <const All extends readonly Asked[]>(
	...all: All
): Promise<{readonly [Index in keyof All]: readonly [Parts, Chat]}> =>
	askPeer('read-stream-process.mjs', all);

beforeAll(installPeers, INSTALL_MS);

const noisy = Array.from({length: 4000}, (_, index) => `${index} "quoted" \\ é表😀`).join('\n');
const questions: readonly (readonly [name: string, messages: readonly Message[]])[] = [
	['a short question', question('what is len')],
	[
		'a question about several files',
		question('what is in README.md, src/prices.py and data/gpu-prices.csv?'),
	],
	['a question with a long answer', question('what is in many.py')],
	['a question about a file of odd text', question('what is in odd.txt')],
	['a long question', question(`what is in prices.py?\n\`\`\`\n${noisy}\n\`\`\``)],
	[
		'a conversation',
		[
			...question('what is in prices.py'),
			{role: 'assistant', content: `It is Python: ${noisy}`},
			...question('and how many lines are in it?'),
		],
	],
];

describe('the AI SDK reads the service', () => {
	let service: RealService;
	const address = (model: string): string => `${service.url}/api/assistant/welcome/${model}`;
	beforeAll(async () => {
		service = await realService();
		// Text with quotes, escapes, controls, characters of two to four bytes, and separators that
		// JSON does not escape.
		const content = 'a "b" \\ \\n 0:"x"\r\n\u0000\u0007\u001B[31m é表😀 👨‍👩‍👧 \u2028\u2029\uFEFF\n'.repeat(8);
		valueOf(await service.client.putFile('welcome', 'odd.txt', {content, format: 'text', type: 'file'}));
		// Words of 600 bytes, so that a long answer can be sent quickly.
		const many = Array.from(
			{length: 40},
			(_, index) => `def step_${index}():\n    """${'é表😀'.repeat(150)}"""\n`,
		).join('');
		valueOf(
			await service.client.putFile('welcome', 'many.py', {content: many, format: 'text', type: 'file'}),
		);
	});
	afterAll(async () => service?.[Symbol.asyncDispose]());

	describe.each(MODELS)('%s', model => {
		test('answers long and short questions, and no reader misses a character', async () => {
			const asked = [...questions].map(([, messages]) => ({
				url: address(model),
				apiKey: service.apiKey,
				messages,
			}));
			const [read, ours] = await Promise.all([
				readBoth(...asked),
				Promise.all(
					asked.map(async ({messages}) => valueOf(await service.client.chat('welcome', model, messages))),
				),
			]);
			for (const [index, [parts, chat]] of read.entries()) {
				const {content, usage, ...rest} = ours[index]!;
				const [name] = questions[index]!;
				expect(content.length, name).toBeGreaterThan(100);
				expect(rest, name).toMatchObject({complete: true, problem: null, notes: {bad: 0, skipped: {}}});
				expect(parts, name).toMatchObject({
					status: 200,
					headers: {'content-type': 'text/plain; charset=utf-8'},
					failed: null,
				});
				expect(textOf(parts), name).toBe(content);
				expect(chat, name).toMatchObject({message: {role: 'assistant', content}, restored: 0, failed: null});
				if (FRAMED_MODELS.has(model)) {
					expect(shape(parts), name).toBe('start text step finish');
					expect(parts.parts[0]?.[1], name).toEqual({messageId: expect.stringMatching(/^msg-/)});
					expect(
						parts.parts.slice(-2).map(([, value]) => value),
						name,
					).toEqual([
						{finishReason: 'stop', usage, isContinued: false},
						{finishReason: 'stop', usage},
					]);
					expect(usage?.completionTokens, name).toBeGreaterThan(10);
					expect(chat, name).toMatchObject({
						message: {
							id: expect.stringMatching(/^msg-/),
							parts: [{type: 'step-start'}, {type: 'text', text: content}],
						},
						finish: {finishReason: 'stop', usage},
					});
				} else {
					expect(shape(parts), name).toBe('text');
					expect(usage, name).toBeNull();
					// Values that the reader uses for missing fields: a name of its own, and NaN
					// (null in JSON).
					expect(chat, name).toMatchObject({
						message: {id: 'made-by-the-reader'},
						finish: {finishReason: 'unknown', usage: {promptTokens: null, completionTokens: null}},
					});
				}
			}
			expect(Math.max(...ours.map(({content}) => content.length))).toBeGreaterThan(20_000);
		});

		test('stopped by the reader ends at the service too, and keeps a beginning of the answer', async () => {
			const messages = question('what is in prices.py?');
			const earlier = service.answerSizes().length;
			const whole = valueOf(await service.client.chat('welcome', model, messages)).content;
			// The log contains an answer only after it has ended.
			await expect.poll(() => service.answerSizes().length).toBe(earlier + 1);
			const [[parts, chat]] = await readBoth({
				url: address(model),
				apiKey: service.apiKey,
				messages,
				stopAfter: 5,
			});
			for (const [text, failed] of [
				[textOf(parts), parts.failed],
				[chat.message?.content ?? '', chat.failed],
			] as const) {
				expect(failed?.name).toBe('AbortError');
				expect(text).not.toBe('');
				expect(whole.startsWith(text) && text !== whole).toBe(true);
			}
			await expect.poll(() => service.answerSizes().length).toBe(earlier + 3);
			const [full = 0, ...stopped] = service.answerSizes().slice(earlier);
			for (const size of stopped) expect(size).toBeLessThan(full);
		});
	});

	test("with a wrong key gets the service's sentence, and no answer", async () => {
		const [[parts, chat]] = await readBoth({
			url: address('model_2'),
			apiKey: randomUUID(),
			messages: question('what is len'),
		});
		expect(parts.status).toBe(401);
		expect(parts.failed).not.toBeNull();
		expect(chat).toMatchObject({
			message: null,
			finish: null,
			restored: 1,
			failed: {message: expect.stringContaining('key')},
		});
	});
});

test('a Python that is killed is an error line that every reader shows, and the next question is answered', async () => {
	await using service = await realService();
	const messages = question('what is str.join');
	const before = await service.children();
	const asked = MODELS.map(model => ({
		url: `${service.url}/api/assistant/welcome/${model}`,
		apiKey: service.apiKey,
		messages,
	}));
	let answered = false;
	const all = Promise.all([
		readBoth(...asked),
		Promise.all(MODELS.map(async model => valueOf(await service.client.chat('welcome', model, messages)))),
	]).finally(() => {
		answered = true;
	});
	let killed = 0;
	// Waits until each lookup process of the service has ended.
	await waitFor(
		async () => {
			for (const pid of await service.children()) {
				if (before.has(pid)) continue;
				process.kill(pid, 'SIGKILL');
				killed++;
			}
			expect(answered).toBe(true);
		},
		{interval: 50},
	);
	expect(killed).toBeGreaterThan(0);
	const [read, ours] = await all;
	const sentence = /^Internal error; see \S+ in the service log\.$/;
	for (const [index, [parts, chat]] of read.entries()) {
		const framed = FRAMED_MODELS.has(MODELS[index]!);
		expect(parts).toMatchObject({status: 200, failed: null});
		expect(shape(parts)).toBe(framed ? 'start error step finish' : 'error');
		expect(errorsOf(parts)).toEqual([expect.stringMatching(sentence)]);
		// `useChat` v4 reports an error line by throwing.
		expect(chat).toMatchObject({
			finish: null,
			restored: 0,
			failed: {name: 'Error', message: expect.stringMatching(sentence)},
		});
		expect(ours[index]).toMatchObject({
			content: '',
			problem: {kind: 'assistant', message: expect.stringMatching(sentence)},
		});
	}
	expect(valueOf(await service.client.chat('welcome', 'model_2', messages))).toMatchObject({
		complete: true,
		content: expect.stringContaining('iterable'),
	});
});

describe('with a language model behind it', () => {
	const TEXT = 'half "an" answer é表😀 ';
	const answers: Readonly<Record<string, (stream: ModelStream) => Promise<void>>> = {
		async counted(stream) {
			await stream.text(TEXT);
			await stream.finish('length');
			await stream.usage(5, 7);
			await stream.done();
		},
		async uncounted(stream) {
			await stream.text(TEXT);
			await stream.finish();
			await stream.done();
		},
		async broken(stream) {
			await stream.text(TEXT);
			await stream.event({error: {message: 'The model "m" is gone: é表😀'}});
			stream.end();
		},
		async cut(stream) {
			await stream.text(TEXT);
			stream.cut();
		},
		async refused(stream) {
			stream.refuse(503, {error: {message: 'Loading.'}});
		},
	};
	let resources: AsyncDisposableStack;
	let service: RealService;
	beforeAll(async () => {
		await using starting = new AsyncDisposableStack();
		const server = starting.use(
			await startModelServer(async stream =>
				answers[stream.asked.body.messages.at(-1)?.content ?? '']?.(stream),
			),
		);
		service = starting.use(
			await realService({
				models: Object.fromEntries(MODELS.map(model => [model, {baseUrl: server.baseUrl, model: 'tiny'}])),
			}),
		);
		resources = starting.move();
	});
	afterAll(async () => resources?.disposeAsync());

	const ask = async (content: string) => {
		const messages = question(content);
		const asked = MODELS.map(model => ({
			url: `${service.url}/api/assistant/welcome/${model}`,
			apiKey: service.apiKey,
			messages,
		}));
		const [read, ours] = await Promise.all([
			readBoth(...asked),
			Promise.all(MODELS.map(async model => valueOf(await service.client.chat('welcome', model, messages)))),
		]);
		return MODELS.map((model, index) => ({
			framed: FRAMED_MODELS.has(model),
			parts: read[index]![0],
			chat: read[index]![1],
			ours: ours[index]!,
		}));
	};

	test.each([
		['counted', 'length', {promptTokens: 5, completionTokens: 7}],
		['uncounted', 'stop', {promptTokens: null, completionTokens: null}],
	])('every reader has the answer that is %s, and how it ended', async (content, finishReason, usage) => {
		for (const {framed, parts, chat, ours} of await ask(content)) {
			expect(shape(parts)).toBe(framed ? 'start text step finish' : 'text');
			expect(textOf(parts)).toBe(TEXT);
			expect(ours).toMatchObject({
				content: TEXT,
				complete: true,
				problem: null,
				finishReason: framed ? finishReason : null,
				usage: framed ? usage : null,
			});
			expect(chat).toMatchObject({
				message: {content: TEXT},
				failed: null,
				finish: {
					finishReason: framed ? finishReason : 'unknown',
					usage: framed ? usage : {promptTokens: null, completionTokens: null},
				},
			});
		}
	});

	test.each([
		['broken', TEXT, /^tiny at \S+ failed during its answer.* It says: The model "m" is gone: é表😀$/],
		['cut', TEXT, /^tiny at \S+ stopped before the end/],
		['refused', '', /^tiny at \S+ .*Loading\./],
	])('every reader keeps the text of an answer that is %s, and shows why', async (content, text, reason) => {
		for (const {framed, parts, chat, ours} of await ask(content)) {
			expect(parts).toMatchObject({status: 200, failed: null});
			expect(shape(parts)).toBe(
				[framed && 'start', text !== '' && 'text', 'error', framed && 'step finish']
					.filter(Boolean)
					.join(' '),
			);
			expect(textOf(parts)).toBe(text);
			expect(errorsOf(parts)).toEqual([expect.stringMatching(reason)]);
			if (framed) expect(parts.parts.at(-1)?.[1]).toMatchObject({finishReason: 'error'});
			// `useChat` v4 reports an error line by throwing.
			expect(chat).toMatchObject({
				finish: null,
				restored: 0,
				failed: {name: 'Error', message: expect.stringMatching(reason)},
			});
			expect(chat.message?.content ?? '').toBe(text);
			expect(ours).toMatchObject({
				content: text,
				problem: {kind: 'assistant', message: expect.stringMatching(reason)},
			});
		}
	});
});
