import fc from 'fast-check';
import {expect, test} from 'vitest';
import {bracketAt, pythonTokens} from '../../src/text/python/python-tokens.ts';
import {codePoint} from '../support/code-points.ts';

const read = (code: string): string =>
	pythonTokens(code)
		.map(({kind, from, to}) => `${kind[0]}:${code.slice(from, to)}`)
		.join(' ');

test.each([
	['def load(path):', 'k:def d:load b:( n:path b:)'],
	['x = 0x1F + 1.5e3 # "no string', 'n:x n:0x1F n:1.5e3 c:# "no string'],
	["rb\"a\\\"b\" + f'{x}' + u''", "s:rb\"a\\\"b\" s:f'{x}' s:u''"],
	['"""two\nlines""" if """open\n', 's:"""two\nlines""" k:if s:"""open\n'],
	['"open\nnext', 's:"open n:next'],
	['größe.keys()[1:]', 'n:größe n:keys b:( b:) b:[ n:1 b:]'],
])('%s is read as Python reads it', (code, tokens) => {
	expect(read(code)).toBe(tokens);
});

const partner = (code: string): string => {
	const cursor = code.indexOf('|');
	const text = code.replace('|', '');
	const found = bracketAt(text, pythonTokens(text), cursor);
	return found === null ? 'none' : `${found.bracket} ${found.partner}`;
};

test.each([
	['f(a[1])|', '6 1'],
	['f(|a[1])', '1 6'],
	['f|(a)', '1 3'],
	['f(a[1|)', '5 null'],
	['f(a])|', '4 null'],
	['(|', '0 null'],
	['")"|(', '3 null'],
	['("(")|', '4 0'],
	['a|b', 'none'],
	['([|)]', '1 null'],
])('at | in %s the match is %s', (code, match) => {
	expect(partner(code)).toBe(match);
});

test('any text is read in order and to its end', () => {
	fc.assert(
		fc.property(
			fc
				.array(
					fc.oneof(
						fc.constantFrom('"', "'", '"""', '\\', '#', '\n', '(', ']', 'def ', 'f', '1.'),
						fc.string({unit: codePoint, maxLength: 3}),
					),
				)
				.map(parts => parts.join('')),
			fc.nat(50),
			(code, cursor) => {
				let at = 0;
				for (const {from, to} of pythonTokens(code)) {
					expect(from).toBeGreaterThanOrEqual(at);
					expect(to).toBeGreaterThan(from);
					at = to;
				}
				expect(at).toBeLessThanOrEqual(code.length);
				bracketAt(code, pythonTokens(code), cursor);
			},
		),
	);
});
