import {expect, test} from 'vitest';
import {endSentence} from '../../src/text/sentence.ts';

test('a text that ends as a sentence gets no second full stop', () => {
	expect(endSentence('ValueError: no')).toBe('ValueError: no.');
	for (const ended of ['files are kept.', 'really?', 'no!', 'and so on…', 'he said "no."'])
		expect(endSentence(ended)).toBe(ended);
	expect(endSentence('')).toBe('.');
});
