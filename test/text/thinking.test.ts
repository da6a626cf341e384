import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createThinkingFilter} from '../../src/text/thinking.ts';
import {testCases} from '../support/test-cases.ts';

const read = (pieces: readonly string[]): {readonly text: string; readonly reasoning: string} => {
	const filter = createThinkingFilter();
	const found = [...pieces.flatMap(piece => filter.push(piece)), ...filter.end()];
	const joined = (kind: 'text' | 'reasoning') =>
		found
			.filter(each => each.kind === kind)
			.map(({text}) => text)
			.join('');
	return {text: joined('text'), reasoning: joined('reasoning')};
};

test.each([
	['<think>hm</think>so', 'so', 'hm'],
	['\n <think>\nhm\n</think>\n\n  so\n', '  so\n', '\nhm\n'],
	['<think></think>\n\nso', 'so', ''],
	['<think>a</think>\n<think>b</think>so', 'so', 'ab'],
	['<think>a < b, </th', '', 'a < b, </th'],
	['<think>', '', ''],
	['<thin', '<thin', ''],
	['\n\n', '\n\n', ''],
	['', '', ''],
	['<think>a</think>', '', 'a'],
	['The tag <think>is</think> one', 'The tag <think>is</think> one', ''],
	['`<think>`', '`<think>`', ''],
	['<thinking>is</thinking> another', '<thinking>is</thinking> another', ''],
	['<think>a</think>b<think>c</think>', 'b<think>c</think>', 'a'],
])('%j answers %j', (whole, text, reasoning) => {
	expect(read([whole])).toEqual({text, reasoning});
});

testCases('the same for every cut', 1000, cases => {
	const part = fc.constantFrom('<think>', '</think>', '<', '</', 'think>', '\n', ' ', 'é😀', 'so');
	const texts = fc.array(part, {maxLength: 12}).map(parts => parts.join(''));
	fc.assert(
		fc.property(texts, fc.array(fc.nat(), {maxLength: 8}), (whole, cuts) => {
			const places = [0, ...cuts.map(cut => cut % (whole.length + 1)).sort((a, b) => a - b), whole.length];
			expect(read(places.slice(1).map((to, index) => whole.slice(places[index], to)))).toEqual(read([whole]));
		}),
		{numRuns: cases},
	);
});

test('nothing of an answer is held back that cannot be the tag', () => {
	const filter = createThinkingFilter();
	expect(filter.push('<b')).toEqual([{kind: 'text', text: '<b'}]);
	expect(filter.push('<think>')).toEqual([{kind: 'text', text: '<think>'}]);
	const thinking = createThinkingFilter();
	expect(thinking.push('<think>hm <')).toEqual([{kind: 'reasoning', text: 'hm '}]);
	expect(thinking.push('b')).toEqual([{kind: 'reasoning', text: '<b'}]);
});
