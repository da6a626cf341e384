import {randomUUID} from 'node:crypto';
import {Readable} from 'node:stream';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import type {Message} from '../../src/contract/assistant.ts';
import {FRAMED_MODELS, MODELS} from '../../src/contract/names.ts';
import {chatLines, streamOf, type Answerer} from '../../src/service/chat.ts';
import {valueOf} from '../api/describe-client.ts';
import {connect, httpPeer, type Peer} from '../support/peer.ts';
import {INSTALL_MS, installPeers} from './install-peers.ts';
import {askPeer} from './peer-process.ts';
import {realService, type RealService} from './real-service.ts';

type Failed = {readonly name: string; readonly message: string} | null;
type Usage = {readonly promptTokens: number | null; readonly completionTokens: number | null};
/** What `processDataStream` gave. */
type Parts = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly parts: readonly (readonly [type: string, value: unknown])[];
	readonly failed: Failed;
};
/** What `callChatApi` gave. */
type Chat = {
	readonly message: {readonly id: string; readonly role: string; readonly content: string; readonly parts: readonly {readonly type: string}[]} | null;
	readonly finish: {readonly finishReason: string; readonly usage: Usage} | null;
	readonly restored: number;
	readonly failed: Failed;
};
type Asked = {readonly url: string; readonly apiKey: string; readonly messages: readonly Message[]; readonly stopAfter?: number};

const question = (content: string): readonly Message[] => [{role: 'user', content}];
const textOf = ({parts}: Parts): string => parts.filter(([type]) => type === 'text').map(([, value]) => value).join('');
/** The kinds of the parts in order, a run of fragments as one. */
const shape = ({parts}: Parts): string => parts.map(([type]) => type).filter((type, index, all) => type !== 'text' || all[index - 1] !== 'text').join(' ');

/** Both of its readers, each with a request of its own; everything at the same time. */
const readBoth = async <const All extends readonly Asked[]>(...all: All): Promise<{readonly [Index in keyof All]: readonly [Parts, Chat]}> => askPeer('read-stream-process.mjs', all);

/** The service's own lines and body over HTTP, for an answerer of the test. */
const answering = async (model: string, answerer: Answerer): Promise<Peer> => httpPeer((response, request) => {
	const gone = new AbortController();
	request.once('close', () => gone.abort());
	const lines = chatLines(model, question('why?'), answerer, {signal: gone.signal, onFailure: () => 'The model "m" said no: é表😀'});
	response.writeHead(200, {'content-type': 'text/plain; charset=utf-8'});
	Readable.fromWeb(streamOf(lines)).pipe(response);
});

beforeAll(installPeers, INSTALL_MS);

const noisy = Array.from({length: 4000}, (_, index) => `${index} "quoted" \\ é表😀`).join('\n');
const questions: readonly (readonly [name: string, messages: readonly Message[]])[] = [
	['a short question', question('what is len')],
	['a question with a long answer', question('what is in README.md, src/prices.py and data/gpu-prices.csv?')],
	['a question about a file of odd text', question('what is in odd.txt')],
	['a long question', question(`what is in prices.py?\n\`\`\`\n${noisy}\n\`\`\``)],
	['a conversation', [...question('what is in prices.py'), {role: 'assistant', content: `It is Python: ${noisy}`}, ...question('and how many lines are in it?')]],
];

describe('the AI SDK reads the service', () => {
	let service: RealService;
	const address = (model: string): string => `${service.url}/api/assistant/welcome/${model}`;
	beforeAll(async () => {
		service = await realService();
		// Quotes, escapes, controls, text of two, three and four bytes, separators that JSON leaves as they are.
		const content = 'a "b" \\ \\n 0:"x"\r\n\u0000\u0007\u001B[31m é表😀 👨‍👩‍👧 \u2028\u2029\uFEFF\n'.repeat(8);
		valueOf(await service.client.putFile('welcome', 'odd.txt', {content, format: 'text', type: 'file'}));
	}, 60_000);
	afterAll(async () => service?.[Symbol.asyncDispose]());

	describe.each(MODELS)('%s', model => {
		test('answers long and short questions, and no reader misses a character', async () => {
			const asked = [...questions].map(([, messages]) => ({url: address(model), apiKey: service.apiKey, messages}));
			const [read, ours] = await Promise.all([readBoth(...asked), Promise.all(asked.map(async ({messages}) => valueOf(await service.client.chat('welcome', model, messages))))]);
			for (const [index, [parts, chat]] of read.entries()) {
				const {content, usage, ...rest} = ours[index]!;
				const [name] = questions[index]!;
				expect(content.length, name).toBeGreaterThan(100);
				expect(rest, name).toMatchObject({complete: true, problem: null, notes: {bad: 0, skipped: {}}});
				expect(parts, name).toMatchObject({status: 200, headers: {'content-type': 'text/plain; charset=utf-8'}, failed: null});
				expect(textOf(parts), name).toBe(content);
				expect(chat, name).toMatchObject({message: {role: 'assistant', content}, restored: 0, failed: null});
				if (FRAMED_MODELS.has(model)) {
					expect(shape(parts), name).toBe('start text step finish');
					expect(parts.parts[0]?.[1], name).toEqual({messageId: expect.stringMatching(/^msg-/)});
					expect(parts.parts.slice(-2).map(([, value]) => value), name).toEqual([{finishReason: 'stop', usage, isContinued: false}, {finishReason: 'stop', usage}]);
					expect(usage?.completionTokens, name).toBeGreaterThan(10);
					expect(chat, name).toMatchObject({message: {id: expect.stringMatching(/^msg-/), parts: [{type: 'step-start'}, {type: 'text', text: content}]}, finish: {finishReason: 'stop', usage}});
				} else {
					expect(shape(parts), name).toBe('text');
					expect(usage, name).toBeNull();
					// What the reader has for what was not sent: a name that it made itself, NaN (null in JSON).
					expect(chat, name).toMatchObject({message: {id: 'made-by-the-reader'}, finish: {finishReason: 'unknown', usage: {promptTokens: null, completionTokens: null}}});
				}
			}
			expect(Math.max(...ours.map(({content}) => content.length))).toBeGreaterThan(2000);
		});

		test('stopped by the reader ends at the service too, and keeps a beginning of the answer', async () => {
			const messages = question('what is in prices.py?');
			const earlier = service.answerSizes().length;
			const whole = valueOf(await service.client.chat('welcome', model, messages)).content;
			// The log tells of an answer when it has ended.
			await expect.poll(() => service.answerSizes().length).toBe(earlier + 1);
			const [[parts, chat]] = await readBoth({url: address(model), apiKey: service.apiKey, messages, stopAfter: 5});
			for (const [text, failed] of [[textOf(parts), parts.failed], [chat.message?.content ?? '', chat.failed]] as const) {
				expect(failed?.name).toBe('AbortError');
				expect(text).not.toBe('');
				expect(whole.startsWith(text) && text !== whole).toBe(true);
			}
			await expect.poll(() => service.answerSizes().length).toBe(earlier + 3);
			const [full = 0, ...stopped] = service.answerSizes().slice(earlier);
			for (const size of stopped) expect(size).toBeLessThan(full);
		});
	});

	test('with a wrong key gets the service\'s sentence, and no answer', async () => {
		const [[parts, chat]] = await readBoth({url: address('model_2'), apiKey: randomUUID(), messages: question('what is len')});
		expect(parts.status).toBe(401);
		expect(parts.failed).not.toBeNull();
		expect(chat).toMatchObject({message: null, finish: null, restored: 1, failed: {message: expect.stringContaining('key')}});
	});
});

describe('an answer that the service fails', () => {
	test('because its Python is killed is an error line that every reader shows; the next question is answered', async () => {
		await using service = await realService();
		const messages = question('what is str.join');
		const before = await service.children();
		const asked = MODELS.map(model => ({url: `${service.url}/api/assistant/welcome/${model}`, apiKey: service.apiKey, messages}));
		let answered = false;
		const all = Promise.all([readBoth(...asked), Promise.all(MODELS.map(async model => valueOf(await service.client.chat('welcome', model, messages))))]).finally(() => {
			answered = true;
		});
		let killed = 0;
		// Each process that the service starts to look something up, until nobody asks any more.
		await vi.waitFor(async () => {
			for (const pid of await service.children()) {
				if (before.has(pid)) continue;
				process.kill(pid, 'SIGKILL');
				killed++;
			}
			expect(answered).toBe(true);
		}, {timeout: 20_000, interval: 10});
		expect(killed).toBeGreaterThan(0);
		const [read, ours] = await all;
		const sentence = /^Something went wrong in the service; its log says more under \S+\.$/;
		for (const [index, [parts, chat]] of read.entries()) {
			const framed = FRAMED_MODELS.has(MODELS[index]!);
			expect(parts).toMatchObject({status: 200, failed: null});
			expect(shape(parts)).toBe(framed ? 'start error' : 'error');
			expect(parts.parts.at(-1)?.[1]).toMatch(sentence);
			// Throwing is how `useChat` v4 gets an error line.
			expect(chat).toMatchObject({finish: null, restored: 0, failed: {name: 'Error', message: expect.stringMatching(sentence)}});
			expect(ours[index]).toMatchObject({content: '', complete: false, problem: {kind: 'assistant', message: expect.stringMatching(sentence)}});
		}
		expect(valueOf(await service.client.chat('welcome', 'model_2', messages))).toMatchObject({complete: true, content: expect.stringContaining('iterable')});
	});

	test.each(MODELS)('in the middle of %s keeps the text so far with every reader', async model => {
		const breaksOff: Answerer = async function* () {
			yield 'half "an" ';
			yield 'answer é表😀 ';
			throw new Error('the model went away');
		};
		await using peer = await answering(model, breaksOff);
		const [[[parts, chat]], ours] = await Promise.all([
			readBoth({url: `${peer.url}/api/assistant/s/${model}`, apiKey: 'none', messages: question('why?')}),
			connect(peer.url).chat('s', model, question('why?')).then(valueOf),
		]);
		const text = 'half "an" answer é表😀 ';
		expect(shape(parts)).toBe(FRAMED_MODELS.has(model) ? 'start text error' : 'text error');
		expect(textOf(parts)).toBe(text);
		expect(parts).toMatchObject({failed: null});
		expect(parts.parts.at(-1)).toEqual(['error', 'The model "m" said no: é表😀']);
		expect(chat).toMatchObject({message: {content: text}, finish: null, failed: {name: 'Error', message: 'The model "m" said no: é表😀'}});
		expect(ours).toMatchObject({content: text, complete: false, problem: {kind: 'assistant', message: 'The model "m" said no: é表😀'}});
	});
});
