import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {globOf} from '../../src/text/glob.ts';
import {testCases} from '../support/test-cases.ts';

/**
 * Reference: tries every way to divide a text among the stars, which is slow but obviously right.
 */
const matches = (pattern: string, text: string): boolean => {
	if (pattern === '') return text === '';
	if (pattern.startsWith('*'))
		return matches(pattern.slice(1), text) || (text !== '' && matches(pattern, text.slice(1)));
	return (
		text !== '' &&
		(pattern.startsWith('?') || pattern[0] === text[0]) &&
		matches(pattern.slice(1), text.slice(1))
	);
};

describe('a pattern of the shell', () => {
	test.each([
		['', '', true],
		['', 'a', false],
		['*', '', true],
		['?', '', false],
		['import*', 'import os', true],
		['*os', 'import os', true],
		['*port*', 'import os', true],
		['*Port*', 'import os', false],
		['a*a', 'a', false],
		['a.c', 'abc', false],
		['[ab]*(', '[ab] = f(', true],
		['*\n?ass', 'if x:\n\tpass', false],
		['*\n??ass', 'if x:\n\tpass', true],
		['é?*', 'éa', true],
	])('%j fits %j: %j', (pattern, text, fits) => {
		expect(globOf(pattern)(text)).toBe(fits);
	});

	testCases('fits what trying every way would fit', 3000, cases => {
		fc.assert(
			fc.property(
				fc.string({unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 9}),
				fc.string({unit: fc.constantFrom('a', 'b'), maxLength: 9}),
				(pattern, text) => globOf(pattern)(text) === matches(pattern, text),
			),
			{numRuns: cases},
		);
	});

	test('finds a part of more than 32 and 64 characters', () => {
		for (const length of [31, 32, 33, 64, 65, 200]) {
			const part = `${'ab'.repeat(length).slice(0, length - 1)}?`;
			const text = `b${'ab'.repeat(length)}ab`;
			expect(globOf(`*${part}*`)(text), part).toBe(true);
			expect(globOf(`*${part}c*`)(text), part).toBe(false);
		}
	});

	test('answers at once where many stars could share a long text in many ways', () => {
		const text = 'a'.repeat(1_000_000);
		expect(globOf(`${'*a'.repeat(400)}*b`)(text)).toBe(false);
		expect(globOf(`*${'?a'.repeat(400)}*b`)(text)).toBe(false);
		expect(globOf(`*${'a'.repeat(500)}?b*`)(text)).toBe(false);
	});
});
