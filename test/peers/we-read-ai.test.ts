// @module-tag long
import fc from 'fast-check';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {ChatAnswer, ChatOptions} from '../../src/api/client-types.ts';
import type {Reply} from '../../src/api/failure.ts';
import {valueOf} from '../api/describe-client.ts';
import {connect, httpPeer, type Peer} from '../support/peer.ts';
import {INSTALL_MS, installPeers} from './install-peers.ts';
import {startPeerServer, type PeerServer} from './peer-process.ts';

const usage = {promptTokens: 11, completionTokens: 7};
const whole = (content: string, more: Partial<ChatAnswer> = {}) => ({
	content,
	messageId: expect.stringMatching(/^msg-/),
	finishReason: 'stop',
	usage,
	complete: true,
	problem: null,
	...more,
});
const failed = (message: string) => expect.objectContaining({kind: 'assistant', message});
const notes = (more: Partial<ChatAnswer['notes']>) => ({
	notes: {reasoning: '', skipped: {}, bad: 0, badSamples: [], ...more},
});

/** Expected result of our client for each scenario of `stream-process.mjs`. */
const expected = {
	plain: whole('Hello, world!'),
	characters: whole('é表😀 😀 "q" \\ \n\r\n\t\u0000\u001B[31m\u20280:"x"\nd:{}\n👨‍👩‍👧'),
	many: whole(Array.from({length: 3000}, (_, index) => `${index}é `).join('')),
	large: whole('表'.repeat(500_000)),
	empty: whole(''),
	length: whole('cut', {finishReason: 'length'}),
	filtered: whole('no', {finishReason: 'content-filter'}),
	unknown: whole('hm', {finishReason: 'unknown'}),
	'nan-usage': whole('free', {usage: {promptTokens: null, completionTokens: null}}),
	'half-usage': whole('free', {usage: {promptTokens: 3, completionTokens: null}}),
	'no-usage': whole('free', {usage: null}),
	// An option for composed streams. According to the API, an answer with an `f` line ends with a
	// `d` line.
	'no-finish': {
		...whole('free', {complete: false}),
		problem: expect.objectContaining({kind: 'connection-lost'}),
	},
	'masked-error': {
		...whole('half ', {complete: false, finishReason: 'error'}),
		problem: failed('An error occurred.'),
	},
	'error-in-the-middle': {
		...whole('half more', {complete: false, finishReason: 'error'}),
		problem: failed('The "model" fell over: é表😀'),
	},
	'error-at-the-end': {
		...whole('half ', {
			complete: false,
			finishReason: 'error',
			usage: {promptTokens: 0, completionTokens: 0},
		}),
		problem: failed('Overloaded.'),
	},
	'error-at-once': {
		content: '',
		messageId: null,
		finishReason: null,
		usage: null,
		complete: false,
		problem: failed('No such model.'),
	},
	'throw-in-the-middle': {
		content: 'half ',
		messageId: null,
		finishReason: null,
		usage: null,
		complete: false,
		problem: failed('Broken.'),
	},
	reasoning: {...whole('So be it.'), ...notes({reasoning: 'First think: é.', skipped: {i: 1, j: 1}})},
	sources: {...whole('See A.'), ...notes({skipped: {h: 1, k: 1}})},
	tools: {
		...whole('Looking. 21 degrees.', {usage: {promptTokens: 14, completionTokens: 11}}),
		...notes({skipped: {9: 2, a: 2, b: 1, c: 2}}),
	},
	continued: whole('one two three', {usage: {promptTokens: 22, completionTokens: 14}}),
	data: {...whole('with data'), ...notes({skipped: {2: 1, 8: 1}})},
} as const;
type Scenario = keyof typeof expected;

let sdk: PeerServer;
beforeAll(async () => {
	await installPeers();
	sdk = await startPeerServer('stream-process.mjs');
}, INSTALL_MS);
afterAll(async () => sdk?.[Symbol.asyncDispose]());

const ask = async (url: string, scenario: string, options?: ChatOptions): Promise<Reply<ChatAnswer>> =>
	connect(url).chat('s', scenario, [{role: 'user', content: 'why?'}], options);

type Cuts = {
	/** Number of bytes of each piece. After the last size, the first one is used again. */
	sizes: readonly number[];
	/** Number of bytes after which the connection is reset. */
	end: number;
};

/** A proxy between the SDK and our client, which divides the SDK's bytes into other pieces. */
const cutter = async (cuts: Cuts): Promise<Peer> =>
	httpPeer((response, request) => {
		const send = async (): Promise<void> => {
			const answer = await fetch(sdk.url + request.url, {method: 'POST'});
			const bytes = Buffer.from(await answer.arrayBuffer());
			response.writeHead(answer.status, {'content-type': answer.headers.get('content-type') ?? ''});
			const end = Math.min(cuts.end, bytes.length);
			for (let [at, piece] = [0, 0]; at < end; piece++) {
				const to = Math.min(end, at + (cuts.sizes[piece % cuts.sizes.length] ?? 1));
				await new Promise(resolve => response.write(bytes.subarray(at, to), resolve));
				// Lets the client, which runs in the same process, read the piece before the next
				// one is sent. Otherwise the pieces would be joined again.
				await new Promise(resolve => setImmediate(resolve));
				at = to;
			}
			if (cuts.end < bytes.length) request.socket.resetAndDestroy();
			else response.end();
		};
		void send();
	});

// Each piece is a write, and 500,000 pieces of one byte prove no more than 500.
const largest = (scenario: string): {readonly min: number; readonly max: number} =>
	scenario === 'large'
		? {min: 500, max: 60_000}
		: scenario === 'many'
			? {min: 20, max: 900}
			: {min: 1, max: 90};

describe.each(Object.keys(expected) as Scenario[])('%s, streamed by the AI SDK', scenario => {
	test('is read as it comes', async () => {
		const heard: string[] = [];
		const answer = valueOf(await ask(sdk.url, scenario, {onText: fragment => heard.push(fragment)}));
		expect(answer).toMatchObject({...notes({}), ...expected[scenario]});
		expect(heard.join('')).toBe(expected[scenario].content);
	});

	test('is the same however its bytes are cut', async () => {
		const cuts: Cuts = {sizes: [1], end: Infinity};
		await using proxy = await cutter(cuts);
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.integer(largest(scenario)), {minLength: 1, maxLength: 20}),
				async sizes => {
					cuts.sizes = sizes;
					expect(valueOf(await ask(proxy.url, scenario))).toMatchObject({
						...notes({}),
						...expected[scenario],
					});
				},
			),
			{numRuns: 8},
		);
	});
});

test.each(['plain', 'characters', 'tools', 'continued', 'reasoning', 'nan-usage'] as const)(
	'%s, broken off at any byte, is a beginning of the answer and never called complete before its end',
	async scenario => {
		const {content} = expected[scenario];
		const cuts: Cuts = {sizes: [40], end: 0};
		await using proxy = await cutter(cuts);
		let unfinished = 0;
		await fc.assert(
			fc.asyncProperty(fc.integer({min: 0, max: 300}), async end => {
				cuts.end = end;
				const reply = await ask(proxy.url, scenario);
				if (!reply.ok) {
					expect(reply.failure.kind).toBe('connection-lost');
					return;
				}
				const answer = reply.value;
				expect(content.startsWith(answer.content)).toBe(true);
				expect(answer.complete).toBe(answer.problem === null);
				if (answer.complete) expect(answer.content).toBe(content);
				else unfinished++;
			}),
			{numRuns: 40},
		);
		expect(unfinished).toBeGreaterThan(0);
	},
);

test('an answer that the user stops reaches the model of the AI SDK', async () => {
	const stop = new AbortController();
	const heard: string[] = [];
	const reply = await ask(sdk.url, 'endless', {
		signal: stop.signal,
		onText: fragment => heard.push(fragment) === 5 && stop.abort(),
	});
	expect(valueOf(reply)).toMatchObject({
		content: heard.join(''),
		complete: false,
		problem: {kind: 'cancelled'},
	});
	expect(heard.slice(0, 5)).toEqual(Array.from({length: 5}, () => 'more '));
	await expect.poll(async () => (await fetch(`${sdk.url}/aborts`)).json()).toBe(1);
});
