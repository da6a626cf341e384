import fc from 'fast-check';
import {describe, expect, test, vi} from 'vitest';
import {
	createLineDecoder,
	encodeLine,
	type DecoderLimits,
	type StreamEvent,
} from '../../src/contract/stream.ts';
import {testCases} from '../support/test-cases.ts';
import {codePoint} from '../support/code-points.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Decodes a body that arrives in these pieces. */
const decode = (pieces: readonly Uint8Array[], limits?: DecoderLimits) => {
	const decoder = createLineDecoder(limits);
	const events = [...pieces.flatMap(piece => decoder.push(piece)), ...decoder.end()];
	return {events, text: textOf(events), summary: decoder.summary};
};

const textOf = (events: readonly StreamEvent[]): string =>
	events.flatMap(event => (event.type === 'text' ? [event.text] : [])).join('');
const lines = (...texts: readonly string[]) => decode([bytesOf(texts.map(text => `${text}\n`).join(''))]);

const cut = (bytes: Uint8Array, places: readonly number[]): Uint8Array[] => {
	const bounds = [
		0,
		...[...places].map(place => place % (bytes.length + 1)).sort((a, b) => a - b),
		bytes.length,
	];
	return bounds.slice(1).map((end, index) => bytes.subarray(bounds[index], end));
};

const START = 'f:{"messageId":"m-1"}';
const END = 'd:{"finishReason":"stop","usage":{"promptTokens":5,"completionTokens":7}}';

/** Any JavaScript string, including lone surrogates. */
const anyText = fc.string({
	unit: fc.oneof(
		fc.string({unit: codePoint, minLength: 1, maxLength: 4}),
		fc.constantFrom('\ud83d', '\ude00', '\r', '\n', '\u2028', 'é', '表', '😀'),
	),
});

describe('however the network cuts an answer', () => {
	testCases('its text is the written text', 1000, cases => {
		fc.assert(
			fc.property(
				fc.array(anyText),
				fc.array(fc.nat()),
				fc.constantFrom('\n', '\r\n', '\n\n'),
				(fragments, places, ending) => {
					const body = fragments.map(fragment => encodeLine('0', fragment).replace(/\n$/, ending)).join('');
					const {text, summary} = decode(cut(bytesOf(body), places));
					expect(text).toBe(fragments.join(''));
					expect(summary).toMatchObject({bad: 0, truncated: false, valid: fragments.length});
				},
			),
			{numRuns: cases},
		);
	});

	testCases('its events joined and its summary are the same, for lines of any kind', 1000, cases => {
		const line = fc.oneof(
			fc
				.tuple(fc.constantFrom('0', '3', 'f', 'e', 'd', 'g', '2', 'zz'), fc.jsonValue())
				.map(([code, value]) => `${code}:${JSON.stringify(value)}`),
			fc.constantFrom(START, END, '0:"a', '', 'data: x', '<html>'),
			fc.string(),
		);
		fc.assert(
			fc.property(fc.array(line), fc.array(fc.nat()), fc.boolean(), (body, places, closed) => {
				const bytes = bytesOf(body.join('\n') + (closed ? '\n' : ''));
				const limits = {maxLine: 40, maxTotal: 300, maxBad: 3};
				const [whole, pieces] = [decode([bytes], limits), decode(cut(bytes, places), limits)];
				expect(pieces).toEqual(whole);
			}),
			{numRuns: cases},
		);
	});

	test('each of its bytes may come alone, also inside a character and between CR and LF', () => {
		const body = bytesOf(
			`${START}\r\n${encodeLine('0', 'é表😀')}\r\n${encodeLine('0', ' – done')}${END}\r\n`,
		);
		const {text, summary} = decode([...body].map(byte => Uint8Array.of(byte)));
		expect(text).toBe('é表😀 – done');
		expect(summary).toEqual({
			messageId: 'm-1',
			finishReason: 'stop',
			usage: {promptTokens: 5, completionTokens: 7},
			sawFrame: true,
			done: true,
			bad: 0,
			badSamples: [],
			skipped: {},
			truncated: false,
			tooLarge: false,
			stopped: false,
			valid: 4,
		});
	});

	test('the work grows with its bytes and not with their square', () => {
		const search = vi.spyOn(String.prototype, 'indexOf');
		const join = vi.spyOn(Array.prototype, 'join');
		try {
			const size = 2 << 20;
			const decoder = createLineDecoder();
			const body = bytesOf(encodeLine('0', 'x'.repeat(size)));
			let text = 0;
			for (let from = 0; from < body.length; from += 1024)
				text += textOf(decoder.push(body.subarray(from, from + 1024))).length;
			expect(text).toBe(size);
			const searched = search.mock.contexts.reduce((sum: number, context) => sum + String(context).length, 0);
			expect(searched).toBeGreaterThanOrEqual(size);
			expect(searched).toBeLessThan(2 * size);
			// Counts how often the pieces of the long line are joined. The test itself only joins
			// single events.
			expect(join.mock.contexts.filter(context => Array.isArray(context) && context.length > 1)).toHaveLength(
				1,
			);
		} finally {
			vi.restoreAllMocks();
		}
	});
});

test('a text cut between the halves of an emoji is handed on whole', () => {
	const {events} = lines('0:"a\\ud83d"', '0:"\\ude00b"', '0:"\\ud83d"', '0:"c"', '0:"\\ud83d"');
	expect(events.map(event => event.type === 'text' && event.text)).toEqual(['a', '😀b', '\ud83dc', '\ud83d']);
});

describe('a line outside the protocol', () => {
	test('of a code that is not ours is skipped and counted', () => {
		expect(lines(START, '2:[1]', '8:[]', '2:[2]', 'zz:not even JSON', '0:"a"', END).summary).toMatchObject({
			skipped: {2: 2, 8: 1, zz: 1},
			bad: 0,
			valid: 3,
		});
	});

	test.each([
		'0:"a',
		'0:5',
		'g:[]',
		'f:{}',
		'e:{"usage":{}}',
		'no colon',
		'0',
		':x',
		'data: {}',
		'0:"\u0000"',
		'{"error":"x"}',
		'<p style="a:b">',
	])('%j is counted and loses no text', line => {
		const {text, summary} = lines('0:"before"', line, '0:" after"');
		expect(text).toBe('before after');
		expect(summary.bad).toBe(1);
		expect(summary.badSamples[0]).toContain(line);
	});

	test('is shown in at most three samples of eighty characters', () => {
		const {summary} = lines(...Array.from({length: 9}, () => 'x'.repeat(500)));
		expect(summary.badSamples).toEqual(Array.from({length: 3}, () => `no code: ${'x'.repeat(80)}`));
	});

	test('ends the reading when there is too much of it', () => {
		const {text, summary} = lines('0:"a"', ...Array.from({length: 21}, () => 'bad'), '0:"b"');
		expect(text).toBe('a');
		expect(summary).toMatchObject({bad: 21, stopped: true, tooLarge: false});
	});

	test('as an empty line or a byte order mark is accepted', () => {
		expect(lines('\ufeff0:"a"', '', '\r', '0:"b"')).toMatchObject({text: 'ab', summary: {bad: 0, valid: 2}});
	});
});

describe('the end of an answer', () => {
	test('needs no last newline', () => {
		expect(decode([bytesOf('0:"a"\n0:"b"')])).toMatchObject({
			text: 'ab',
			summary: {truncated: false, bad: 0},
		});
	});

	test.each(['0:"b', '0:"b\\', '0', '2:[1'])(
		'inside the line %j keeps the text before it and reports it',
		last => {
			expect(decode([bytesOf(`0:"a"\n${last}`)])).toMatchObject({text: 'a', summary: {truncated: true}});
		},
	);

	test('inside the last line is not an end', () => {
		expect(decode([bytesOf(`${START}\n0:"a"\n${END.slice(0, -3)}`)]).summary).toMatchObject({
			done: false,
			sawFrame: true,
			truncated: true,
		});
	});

	test('may be followed by more text', () => {
		expect(lines(START, '0:"a"', END, '0:" b"')).toMatchObject({text: 'a b', summary: {done: true}});
	});

	test('takes its numbers from d, else from the last e; the first f names the answer', () => {
		const step = (reason: string) =>
			`e:{"finishReason":"${reason}","usage":{"promptTokens":1,"completionTokens":2},"isContinued":true}`;
		expect(lines(START, 'f:{"messageId":"m-2"}', step('length'), step('tool-calls')).summary).toMatchObject({
			messageId: 'm-1',
			finishReason: 'tool-calls',
			done: false,
			usage: {promptTokens: 1},
		});
		expect(lines(START, step('length'), END, step('other')).summary).toMatchObject({
			finishReason: 'stop',
			done: true,
			usage: {promptTokens: 5},
		});
	});

	test('may not know its numbers', () => {
		expect(
			lines('d:{"finishReason":"stop","usage":{"promptTokens":null,"completionTokens":null}}').summary,
		).toMatchObject({done: true, bad: 0, usage: {promptTokens: null, completionTokens: null}});
		expect(lines('d:{"finishReason":"stop"}').summary).toMatchObject({done: true, bad: 0, usage: null});
	});

	test.each<[string, unknown]>([
		['{}', null],
		['[]', null],
		['"many"', null],
		['7', null],
		['{"promptTokens":NaN,"completionTokens":-Infinity}', {promptTokens: null, completionTokens: null}],
		['{"promptTokens":1e999,"completionTokens":Infinity}', {promptTokens: null, completionTokens: null}],
		['{"promptTokens":"12","completionTokens":-3}', {promptTokens: 12, completionTokens: null}],
		['{"completionTokens":4}', {promptTokens: null, completionTokens: 4}],
		[
			'{"promptTokens":{},"completionTokens":1.5,"x":"NaN"}',
			{promptTokens: null, completionTokens: null, x: 'NaN'},
		],
	])('keeps its reason with any usage: %s', (usage, read) => {
		expect(lines('0:"a"', `d:{"finishReason":"length","usage":${usage}}`)).toMatchObject({
			text: 'a',
			summary: {done: true, bad: 0, finishReason: 'length', usage: read},
		});
	});

	test('keeps its usage with any reason', () => {
		const usage = {promptTokens: 1, completionTokens: 2};
		for (const reason of ['null', '{}', 'NaN', 'true'])
			expect(lines(`d:{"finishReason":${reason},"usage":${JSON.stringify(usage)}}`).summary).toMatchObject({
				done: true,
				bad: 0,
				finishReason: null,
				usage,
			});
	});

	test('is one also where its line lacks something', () => {
		expect(lines('0:"a"', 'd:{}').summary).toMatchObject({done: true, bad: 1, finishReason: null});
	});
});

test('an error line keeps the text so far, and is shown in any form', () => {
	const {events} = lines('0:"a"', '3:"model is down"', '3:{"code":7}', 'g:"hm"');
	expect(events).toEqual([
		{type: 'text', text: 'a'},
		{type: 'error', text: 'model is down'},
		{type: 'error', text: '{"code":7}'},
		{type: 'reasoning', text: 'hm'},
	]);
});

describe('an endless answer', () => {
	test('is cut at the bound of a line', () => {
		const flood = ['0:"a"\n', '0:"', ...Array.from({length: 50}, () => 'x'.repeat(10))].map(bytesOf);
		expect(decode(flood, {maxLine: 100})).toMatchObject({
			text: 'a',
			summary: {tooLarge: true, stopped: true, truncated: false},
		});
	});

	test('is cut at the limit of the whole, at any cut', () => {
		const body = bytesOf('0:"a"\n'.repeat(100));
		for (const size of [1, 7, body.length]) {
			const pieces = cut(
				body,
				Array.from({length: Math.ceil(body.length / size)}, (_, index) => index * size),
			);
			expect(decode(pieces, {maxTotal: 61})).toMatchObject({text: 'a'.repeat(10), summary: {tooLarge: true}});
		}
	});

	test('of exactly the bound is whole', () => {
		expect(decode([bytesOf('0:"a"\n')], {maxTotal: 6, maxLine: 5})).toMatchObject({
			text: 'a',
			summary: {tooLarge: false},
		});
	});
});

test('a value outside JSON gives no line', () => {
	expect(() => encodeLine('0', undefined)).toThrow(TypeError);
	expect(encodeLine('d', {finishReason: 'stop'})).toBe('d:{"finishReason":"stop"}\n');
});
