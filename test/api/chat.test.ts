import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {ChatAnswer, ChatOptions} from '../../src/api/client-types.ts';
import type {Limits} from '../../src/api/limits.ts';
import {answering, connect, drip, httpPeer, limited, rawPeer, streaming, type Peer} from '../support/peer.ts';
import {valueOf} from './describe-client.ts';

const START = 'f:{"messageId":"m-1"}\n';
const END =
	'e:{"finishReason":"stop","usage":{"promptTokens":5,"completionTokens":7},"isContinued":false}\nd:{"finishReason":"stop","usage":{"promptTokens":5,"completionTokens":7}}\n';
const text = (fragment: string): string => `0:${JSON.stringify(fragment)}\n`;

const ask = (peer: Peer, options?: ChatOptions, limits?: Limits) =>
	connect(peer.url, limits).chat('s', 'model_2', [{role: 'user', content: 'why?'}], options);
/** Reads a chat response that arrives in these pieces. */
const answered = async (...pieces: readonly (string | Buffer)[]): Promise<ChatAnswer> => {
	await using peer = await streaming(pieces);
	return valueOf(await ask(peer));
};

const usage = {promptTokens: 5, completionTokens: 7};

describe('an answer', () => {
	test('with first and last lines is complete, with its name and its numbers', async () => {
		expect(await answered(START, text('a'), text('b'), END)).toEqual({
			messageId: 'm-1',
			content: 'ab',
			finishReason: 'stop',
			usage,
			complete: true,
			problem: null,
			notes: {reasoning: '', skipped: {}, bad: 0, badSamples: []},
		});
	});

	test('of bare lines is complete at its end, with unknown usage', async () => {
		expect(await answered(text('a'), text('b'))).toMatchObject({
			messageId: null,
			content: 'ab',
			finishReason: null,
			usage: null,
			complete: true,
			problem: null,
		});
	});

	test('of no words is an answer', async () => {
		expect(await answered(START, END)).toMatchObject({content: '', complete: true, problem: null});
	});

	test('with unknown and unreadable lines keeps count of them', async () => {
		expect(await answered(START, '2:[]\n', 'g:"hm"\n', 'bad\n', text('a'), END)).toMatchObject({
			content: 'a',
			complete: true,
			notes: {reasoning: 'hm', skipped: {2: 1}, bad: 1, badSamples: ['no code: bad']},
		});
	});

	test("comes without the model's reasoning before it, in any form", async () => {
		for (const lines of [
			['g:"let me "\n', 'g:"see"\n', text('a')],
			[text('<thi'), text('nk>let me see</th'), text('ink>\n\na')],
		])
			expect(await answered(START, ...lines, END)).toMatchObject({
				content: 'a',
				complete: true,
				notes: {reasoning: 'let me see'},
			});
	});

	test('arrives fragment by fragment', async () => {
		let more: () => void = () => {};
		await using peer = await httpPeer(response => {
			response.writeHead(200, {'content-type': 'text/plain'}).write(text('first'));
			more = () => response.end(text('second'));
		});
		const heard: string[] = [];
		const reply = ask(peer, {onText: fragment => heard.push(fragment)});
		await expect.poll(() => heard).toEqual(['first']);
		more();
		expect(valueOf(await reply).content).toBe('firstsecond');
		expect(heard).toEqual(['first', 'second']);
	});

	test('whose listener throws rejects: a bug is no fault of the network', async () => {
		await using peer = await streaming([text('a')]);
		const onText = () => {
			throw new RangeError('ours');
		};
		await expect(ask(peer, {onText})).rejects.toThrow(new RangeError('ours'));
	});
});

test('an answer that the service ends with an error is not whole, with or without a reason', async () => {
	expect(await answered(START, text('half'), 'd:{"finishReason":"error"}\n')).toMatchObject({
		content: 'half',
		complete: false,
		problem: {kind: 'assistant', message: expect.stringContaining('without a reason')},
	});
	expect(await answered(START, '3:"quota"\n', 'd:{"finishReason":"ERROR"}\n')).toMatchObject({
		complete: false,
		problem: {kind: 'assistant', message: 'quota'},
	});
});

test('an answer is exact in single bytes, with split characters, CRLF and split surrogates', async () => {
	const body = Buffer.from(
		`${START}${text('é表😀')}0:"\\ud83d"\n0:"\\ude00"\n${END}`.replaceAll('\n', '\r\n'),
	);
	expect(await answered(...[...body].map(byte => Buffer.of(byte)))).toMatchObject({
		content: 'é表😀😀',
		complete: true,
	});
});

describe('a lost connection', () => {
	test('keeps the received text and reports that it is incomplete', async () => {
		await using peer = await httpPeer((response, request) => {
			response.writeHead(200, {'content-type': 'text/plain'}).write(START + text('half an ans'));
			request.once('go', () => request.socket.resetAndDestroy());
			resets.push(() => request.emit('go'));
		});
		const resets: (() => void)[] = [];
		const reply = valueOf(await ask(peer, {onText: () => resets[0]?.()}));
		expect(reply).toMatchObject({
			content: 'half an ans',
			complete: false,
			problem: {kind: 'connection-lost', path: '/api/assistant/s/model_2'},
		});
		expect(reply.problem).not.toHaveProperty('ambiguous');
	});

	test('at any byte of the answer leaves a beginning of it, complete only as a whole', async () => {
		const lines = [START, ...Array.from({length: 6}, (_, index) => text(`é表😀${index} `)), END].join('');
		const full = 'é表😀0 é表😀1 é表😀2 é表😀3 é表😀4 é表😀5 ';
		const chunks = lines
			.split(/(?<=\n)/)
			.map(line => `${Buffer.byteLength(line).toString(16)}\r\n${line}\r\n`)
			.join('');
		const wire = Buffer.from(
			`HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
		);
		let cut = 0;
		await using peer = await rawPeer(socket => socket.once('data', () => socket.end(wire.subarray(0, cut))));
		for (cut = 1; cut < wire.length; cut += 3) {
			const reply = await ask(peer);
			if (!reply.ok) {
				expect(['connection-lost', 'not-http']).toContain(reply.failure.kind);
				continue;
			}
			expect(full.startsWith(reply.value.content)).toBe(true);
			expect(reply.value.complete).toBe(reply.value.problem === null);
			if (reply.value.complete) expect(reply.value.content).toBe(full);
		}
		cut = wire.length;
		expect(valueOf(await ask(peer))).toMatchObject({content: full, complete: true});
	});
});

describe('an answer without its last line', () => {
	test.each([
		[START, text('a')],
		[START, text('a'), 'e:{"finishReason":"stop"}\n'],
		[START, text('a'), END.slice(0, -4)],
		[text('a'), '0:"b'],
	])('is not complete: %j', async (...pieces) => {
		expect(await answered(...pieces)).toMatchObject({
			content: 'a',
			complete: false,
			problem: {kind: 'connection-lost', message: expect.stringContaining('was cut off')},
		});
	});
});

describe('an error line', () => {
	test('is shown and the text remains', async () => {
		expect(await answered(START, text('half'), '3:"The model is overloaded."\n')).toMatchObject({
			content: 'half',
			complete: false,
			problem: {kind: 'assistant', message: 'The model is overloaded.'},
		});
		expect(await answered(text('half'), '3:"The model is overloaded."\n')).toMatchObject({
			content: 'half',
			complete: false,
			problem: {kind: 'assistant'},
		});
	});

	test('is one line regardless of its content, and several are', async () => {
		expect(await answered(text('half'), '3:"\\u001b[31m\\u0007\\tred\\nand\\r\\nmore"\n')).toMatchObject({
			problem: {message: '\u001B[31m\u0007 red and more'},
		});
		expect(
			await answered(text('half'), '3:"overloaded"\n', '3:"{\\"message\\":\\"ask later\\"}"\n'),
		).toMatchObject({problem: {message: 'overloaded; ask later'}});
	});

	test('without any text is an answer too', async () => {
		expect(await answered('3:"No model here."\n')).toMatchObject({
			content: '',
			complete: false,
			problem: {kind: 'assistant', message: 'No model here.'},
		});
	});
});

describe('a plain 200 response', () => {
	test.each([
		[
			'a web page',
			'<html>login</html>',
			'text/html',
			'sent a web page instead of an answer of the assistant.',
		],
		[
			'JSON',
			'{"status":"error"}',
			'application/json',
			'sent something that is not an answer of the assistant.',
		],
		[
			'server-sent events',
			'event: text\ndata: {"a":1}\n\nid: 7\ndata: [DONE]\n\n',
			'text/event-stream',
			'sent something that is not an answer of the assistant.',
		],
		[
			'a web page said to be text',
			'<html>login</html>',
			'text/plain',
			'sent a web page instead of an answer of the assistant.',
		],
		[
			'plain words',
			'Hello: I am no stream',
			'text/plain',
			'sent something that is not an answer of the assistant.',
		],
		['nothing', '', 'text/plain', 'sent an empty response.'],
	])('that is %s is not understood, and shown', async (_, body, type, message) => {
		await using peer = await answering(200, body, {'content-type': type});
		const reply = await ask(peer);
		expect(reply).toMatchObject({
			ok: false,
			failure: {kind: 'off-contract', status: 200, message: `${new URL(peer.url).host} ${message}`},
		});
		expect(!reply.ok && (reply.failure.body ?? '')).toBe(body);
	});

	test('that is an endless page is left', async () => {
		await using peer = await streaming([START], response => {
			drip(response, 'garbage\n'.repeat(5));
		});
		expect(valueOf(await ask(peer))).toMatchObject({
			content: '',
			complete: false,
			problem: {kind: 'off-contract', message: expect.stringContaining('too many unreadable lines')},
			notes: {bad: 21},
		});
		await expect.poll(peer.open).toBe(0);
	});
});

test.each([
	[401, 'auth'],
	[404, 'not-found'],
	[409, 'conflict'],
	[429, 'rate-limited'],
	[500, 'server'],
])("status %i of a chat is a failure in the service's words", async (status, kind) => {
	await using peer = await answering(status, '{"message":"Not so."}');
	expect(await ask(peer)).toMatchObject({
		ok: false,
		failure: {kind, status, message: expect.stringContaining('Not so.')},
	});
});

describe('an answer that stalls', () => {
	const silent = limited({silence: 150});

	test('is abandoned when no new text comes, and its text remains', async () => {
		await using peer = await streaming([START + text('half')], () => {});
		expect(valueOf(await ask(peer, {}, silent))).toMatchObject({
			content: 'half',
			complete: false,
			problem: {kind: 'timeout', message: `No new text from ${new URL(peer.url).host} for 0.15 s.`},
		});
		await expect.poll(peer.open).toBe(0);
	});

	test('is left also while empty or unknown lines drip', async () => {
		await using peer = await streaming([text('half')], response => {
			drip(response, '\n2:[]\n');
		});
		expect(valueOf(await ask(peer, {}, silent))).toMatchObject({
			content: 'half',
			complete: false,
			problem: {kind: 'timeout'},
		});
	});

	test('is awaited while empty lines drip from a service that declares them a sign of life', async () => {
		const began = performance.now();
		await using peer = await httpPeer(response => {
			response.writeHead(200, {'content-type': 'text/plain', 'x-svc-beats': '1'});
			drip(response, '\n');
			void expect
				.poll(() => performance.now() - began)
				.toBeGreaterThan(500)
				.then(() => response.end(text('at last')));
		});
		expect(valueOf(await ask(peer, {}, silent))).toMatchObject({content: 'at last', problem: null});
		await using mute = await httpPeer(response => {
			response.writeHead(200, {'content-type': 'text/plain', 'x-svc-beats': '1'}).flushHeaders();
		});
		expect(await ask(mute, {}, silent)).toMatchObject({ok: false, failure: {kind: 'timeout'}});
	});

	test('before its first line fails', async () => {
		await using peer = await httpPeer(response =>
			response.writeHead(200, {'content-type': 'text/plain'}).flushHeaders(),
		);
		expect(await ask(peer, {}, silent)).toMatchObject({ok: false, failure: {kind: 'timeout'}});
		await using mute = await httpPeer(() => {});
		expect(await ask(mute, {}, limited({chat: {timeout: {response: 100}}}))).toMatchObject({
			ok: false,
			failure: {kind: 'timeout', message: expect.stringContaining('sent no response for 0.1 s')},
		});
	});

	test('after its last line is complete, and soon over', async () => {
		await using peer = await streaming([START, text('all'), END], () => {});
		expect(valueOf(await ask(peer, {}, limited({afterDone: 50})))).toMatchObject({
			content: 'all',
			complete: true,
			problem: null,
		});
		await expect.poll(peer.open).toBe(0);
	});
});

describe('a very large answer', () => {
	test('with one line of 10 MB is read', async () => {
		const long = 'x'.repeat(10 << 20);
		expect((await answered(START, text(long), END)).content.length).toBe(long.length);
	});

	test('is cut at its bound with a note', async () => {
		await using peer = await streaming([
			START,
			...Array.from({length: 40}, () => text('x'.repeat(60_000))),
			END,
		]);
		const answer = valueOf(await ask(peer, {}, limited({chat: {cap: 1 << 20}})));
		expect(answer).toMatchObject({complete: false, problem: {kind: 'too-large'}});
		expect(answer.content).toMatch(/^x+$/);
		expect(answer.content.length).toBeGreaterThan(900_000);
		expect(answer.content.length).toBeLessThan(1 << 20);
		await expect.poll(peer.open).toBe(0);
	});
});

describe('a chat that the user stops', () => {
	test('after any fragment keeps exactly the received text; the service sees it', async () => {
		await fc.assert(
			fc.asyncProperty(fc.integer({min: 1, max: 8}), async count => {
				await using peer = await httpPeer(response => {
					drip(response.writeHead(200, {'content-type': 'text/plain'}), text('a'));
				});
				const stop = new AbortController();
				let heard = '';
				const reply = await ask(peer, {
					signal: stop.signal,
					onText(fragment) {
						heard += fragment;
						if (heard.length >= count) stop.abort();
					},
				});
				expect(valueOf(reply)).toMatchObject({content: heard, complete: false, problem: {kind: 'cancelled'}});
				await expect.poll(peer.open).toBe(0);
			}),
			{numRuns: 15},
		);
	});

	test('before its first line fails as stopped', async () => {
		await using peer = await httpPeer(() => {});
		const stop = new AbortController();
		const reply = ask(peer, {signal: stop.signal});
		await expect.poll(() => peer.asked).toHaveLength(1);
		stop.abort();
		expect(await reply).toMatchObject({ok: false, failure: {kind: 'cancelled'}});
		await expect.poll(peer.open).toBe(0);
	});
});
