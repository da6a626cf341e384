import fc from 'fast-check';
import {expect, test} from 'vitest';
import {endsFence, fenced, fenceIn} from '../../src/text/markdown/fence.ts';
import {blockLanguage, languageNamed, languageOfFile} from '../../src/text/python/code-language.ts';

test('text as a code block is read back unchanged, with any content', () => {
	const text = fc.string({unit: fc.constantFrom('`', '~', ' ', 'a', '\n', '```', '~~~\n', '```\n')});
	fc.assert(
		fc.property(text, fc.constantFrom('', 'python'), (inner, language) => {
			const [first = '', ...lines] = fenced(inner, language).split('\n');
			const fence = fenceIn(first);
			expect(fence).toMatchObject({indent: 0, language});
			if (fence === null) return;
			const end = lines.findIndex(line => endsFence(line, fence));
			expect(end).toBe(lines.length - 1);
			expect(lines.slice(0, end).join('\n')).toBe(inner.replace(/\n$/, ''));
		}),
	);
});

test('a fence of the other mark, a shorter one, or one with a word behind it ends no code block', () => {
	const fence = fenceIn('  ~~~~ c++ more');
	expect(fence).toEqual({mark: '~~~~', indent: 2, language: 'c++'});
	if (fence === null) return;
	expect(['````', '~~~', '~~~~ c', '    ~~~~'].map(line => endsFence(line, fence))).toEqual([
		false,
		false,
		false,
		false,
	]);
	expect(endsFence('~~~~~  ', fence)).toBe(true);
});

test.each(['train.py', 'a.toml', 'index.html', 'x.ipynb', 'run.sh', 'kernel.cu', 'a.c', 'Dockerfile'])(
	'the word of a code block with %s is coloured as the file is',
	name => {
		expect(languageNamed(blockLanguage(name) ?? '')).toBe(languageOfFile(name));
	},
);
