import {expect, test} from 'vitest';
import {readContent} from '../../src/api/read-content.ts';
import {createRandom, newSeed} from '../support/random.ts';

const answerOf = (entry: object, indent?: number): string =>
	JSON.stringify({status: 'success', content: entry}, null, indent);

/** Reads a response. Its first bytes arrive together, the rest in pieces of these lengths. */
const readIn = (
	body: Buffer,
	first: number,
	next: () => number,
	onBeginning?: (answer: Readonly<Record<string, unknown>>) => void,
) => {
	const reader = readContent(body.subarray(0, first), onBeginning);
	if (reader === null) return null;
	for (let at = first; at < body.length;) {
		const length = next();
		reader.take(body.subarray(at, at + length));
		at += length;
	}
	return {value: reader.value()};
};

const PARTS = [
	'a',
	'"',
	'\\',
	'\n',
	'\u0000',
	'é',
	'€',
	'😀',
	'\ud83d',
	'\\u',
	'u00e9',
	'\u2028',
	'longer words ',
];

test('cut anywhere, a content is what JSON.parse makes of the whole', () => {
	const seed = newSeed();
	const random = createRandom(seed);
	for (let round = 0; round < 300; round++) {
		const content = Array.from({length: 1 + random.below(200)}, () => random.pick(PARTS)).join('');
		const entry = random.pick([
			{name: 'é"', format: 'text', content},
			{content, format: 'text', name: 'é"', more: [1, {content: 'x'}]},
		]);
		let text = answerOf(entry, random.pick([undefined, 2]));
		// Services may escape all non-ASCII characters.
		if (random.below(2) === 0)
			text = text.replaceAll(
				/[\u0080-\uffff]/g,
				unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
			);
		const body = Buffer.from(text);
		const begins = Buffer.from(text.slice(0, text.indexOf('"content"', 12) + 12)).length;
		const read = readIn(body, Math.min(body.length, begins + random.below(12)), () => 1 + random.below(9));
		// The value is null if the response ended within the first bytes.
		if (read === null) continue;
		expect(read.value, `SEED=${seed}, ${text}`).toEqual(JSON.parse(body.toString()));
	}
});

test('a truncated value, or one outside JSON, is not a value', () => {
	const whole = Buffer.from(answerOf({format: 'text', content: 'word '.repeat(100)}));
	const by = (body: Buffer) => readIn(body, 80, () => 7);
	expect(by(whole)?.value).toEqual(JSON.parse(whole.toString()));
	expect(by(whole.subarray(0, -20))).toEqual({value: undefined});
	expect(by(whole.subarray(0, -1))).toEqual({value: undefined});
	const broken = Buffer.from(whole);
	broken[300] = 0x0a;
	expect(by(broken)).toEqual({value: undefined});
});

test.each([
	['a folder', {format: 'json', content: [{name: 'a', content: 'x'.repeat(200)}]}],
	['a notebook as JSON', {content: {cells: ['x'.repeat(200)]}}],
	['an entry without content', {name: 'x'.repeat(200)}],
	['a short content', {content: 'short', name: 'x'.repeat(200)}],
])('%s is left to JSON.parse', (_, entry) => {
	expect(readContent(Buffer.from(answerOf(entry)).subarray(0, 120))).toBe(null);
});

test('the start is passed on once, and only if it is announced as text', () => {
	const content = 'é, "quoted"\n'.repeat(200_000);
	for (const [entry, times] of [
		[{name: 'a.csv', format: 'text', content}, 1],
		[{name: 'a.csv', format: 'base64', content}, 0],
		[{name: 'a.csv', content, format: 'text'}, 0],
		[{name: 'a.csv', format: 'text', content: content.slice(0, 1_000_000)}, 0],
	] as const) {
		const begun: Readonly<Record<string, unknown>>[] = [];
		const read = readIn(
			Buffer.from(answerOf(entry)),
			1000,
			() => 60_001,
			answer => begun.push(answer),
		);
		expect(read?.value).toEqual({status: 'success', content: entry});
		expect(begun.length).toBe(times);
		for (const answer of begun) {
			const first = (answer['content'] as {readonly content: string}).content;
			expect(answer).toEqual({
				status: 'success',
				content: {...entry, content: content.slice(0, first.length)},
			});
			expect(first.length).toBeGreaterThan(1_000_000);
		}
	}
});
