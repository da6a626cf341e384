import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {chatLines} from '../../src/service/http/chat.ts';
import {readyService} from '../support/local-service.ts';
import {waitFor} from '../support/wait-for.ts';

const question = {messages: [{role: 'user', content: 'what is len'}]};
const linesOf = (text: string): string[] => text.split('\n').slice(0, -1);
const payload = (line: string | undefined): unknown => JSON.parse((line ?? '').slice(2));
const textOf = (lines: readonly string[]): string =>
	lines
		.filter(line => line.startsWith('0:'))
		.map(payload)
		.join('');
const words = (text: string): number => text.match(/\S+/g)?.length ?? 0;

test.each(['model_2', 'model_3', 'model_5'])(
	'%s answers an f line, fragments, an e line and a d line',
	async model => {
		await using local = await readyService();
		const {status, headers, text} = await local.call('POST', `/api/assistant/welcome/${model}`, question);
		expect([status, headers.get('content-type'), headers.get('x-vercel-ai-data-stream')]).toEqual([
			200,
			'text/plain; charset=utf-8',
			'v1',
		]);
		expect(text.endsWith('\n')).toBe(true);
		const lines = linesOf(text);
		expect(lines.map(line => line[0]).join('')).toMatch(/^f0{2,}ed$/);
		expect(payload(lines[0])).toEqual({messageId: expect.stringMatching(/^msg-/)});
		const usage = {promptTokens: 3, completionTokens: words(textOf(lines))};
		expect(payload(lines.at(-2))).toEqual({finishReason: 'stop', usage, isContinued: false});
		expect(payload(lines.at(-1))).toEqual({finishReason: 'stop', usage});
	},
);

test.each(['model_1', 'model_4'])('%s answers fragments only', async model => {
	await using local = await readyService();
	const {text} = await local.call('POST', `/api/assistant/welcome/${model}`, question);
	const lines = linesOf(text);
	expect(lines.length).toBeGreaterThan(1);
	expect(lines.every(line => line.startsWith('0:'))).toBe(true);
	expect(textOf(lines)).toContain('not a language model');
});

test('an answer arrives in pieces, and going away ends it', async () => {
	await using local = await readyService();
	const sizes = (): number[] =>
		[
			...readFileSync(join(local.folder, 'service.log'), 'utf8').matchAll(
				/POST \/api\/assistant\S+ 200 \d+ms (\d+)b/g,
			),
		].map(([, size]) => Number(size));
	await local.call('POST', '/api/assistant/welcome/model_2', question);
	const client = new AbortController();
	const response = await fetch(`${local.service.url}/api/assistant/welcome/model_2`, {
		method: 'POST',
		body: JSON.stringify(question),
		signal: client.signal,
		headers: {apiKey: local.key, 'content-type': 'application/json'},
	});
	const first = await response.body?.getReader().read();
	expect(new TextDecoder().decode(first?.value)).toMatch(/^f:/);
	client.abort();
	await waitFor(() => expect(sizes()).toHaveLength(2));
	const [whole = 0, part = 0] = sizes();
	expect(part).toBeLessThan(whole);
});

const collect = async (lines: AsyncGenerator<string>): Promise<string[]> => {
	const all: string[] = [];
	for await (const line of lines) all.push(line);
	return all;
};

test('an answer that fails keeps its text, ends with an error in a 3 line and an error as the reason of its frame', async () => {
	const lines = await collect(
		chatLines(
			'model_2',
			question.messages,
			async function* () {
				yield 'half ';
				throw new Error('secret detail');
			},
			{signal: new AbortController().signal, onFailure: () => 'It failed.'},
		),
	);
	expect(lines.slice(1, 3)).toEqual(['0:"half "\n', '3:"It failed."\n']);
	const end = {finishReason: 'error', usage: {promptTokens: null, completionTokens: null}};
	expect(lines.slice(3).map(line => [line[0], payload(line)])).toEqual([
		['e', {...end, isContinued: false}],
		['d', end],
	]);
});

test('an answer that is stopped ends without a finish', async () => {
	const client = new AbortController();
	const lines = await collect(
		chatLines(
			'model_3',
			question.messages,
			async function* () {
				yield 'one ';
				client.abort();
				yield 'two ';
			},
			{signal: client.signal, onFailure: String},
		),
	);
	expect(lines.map(line => line[0])).toEqual(['f', '0']);
});
