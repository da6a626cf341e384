import fc from 'fast-check';
import {expect, test} from 'vitest';
import {otherLanguage} from '../../src/text/python/run-language.ts';
import {grapheme} from '../support/code-points.ts';

test.each([
	['', 'python3'],
	['python', 'python3'],
	['py', 'python3'],
	['Python3 title="a.py"', 'python3'],
	['{.python}', 'python3'],
	['ipython', 'my-environment'],
	['r', 'ir'],
	['R', 'ir'],
	['julia', 'julia-1.11'],
	['bash', 'bash'],
	['sh', 'calysto_bash'],
	['', 'ir'],
])('a fence %j runs in the kernel %s', (fence, kernel) => {
	expect(otherLanguage(fence, kernel)).toBeUndefined();
});

test.each([
	['bash', 'python3', 'not Python but bash'],
	['sh', 'python3', 'not Python but bash'],
	['console', 'my-environment', 'not Python but bash'],
	['json', 'python3', 'not Python but json'],
	['text', 'python3', 'not Python but text'],
	['R', 'python3', 'not Python but R'],
	['python', 'ir', 'not R but Python'],
	['brainfuck', 'python3', 'not Python but brainfuck'],
])('a fence %j is not run in the kernel %s, with the reason', (fence, kernel, words) => {
	expect(otherLanguage(fence, kernel)).toBe(words);
});

test('of all languages of a fence only Python and none are run as Python', () => {
	fc.assert(
		fc.property(fc.string({unit: grapheme}), fence => {
			const word = fence.trim().split(/\s+/)[0] ?? '';
			if (otherLanguage(fence, 'python3') === undefined) expect(word.toLowerCase()).toMatch(/^$|py/);
		}),
		{examples: [['javascript'], ['rust'], ['__proto__'], ['constructor'], ['py']]},
	);
});
