import {expect, test} from 'vitest';
import {resolvedMarkdown} from '../../src/text/markdown/resolved.ts';

test.each([
	['a reference with a text', '[text][r] end\n\n[r]: https://e.org', '[text](<https://e.org>) end\n'],
	[
		'its name in other letters',
		'[text][My  Ref]\n\n[my ref]: <https://e.org/a b> "Title"',
		'[text](<https://e.org/a b>)\n',
	],
	['a reference that is its own text', '[r][] and [r].\n\n[r]: /x', '[r](</x>) and [r](</x>).\n'],
	[
		'a picture, in a link too',
		'![a][p] [![b][p]][r]\n\n[p]: p.png\n[r]: /r',
		'![a](<p.png>) [![b](<p.png>)](</r>)\n',
	],
	['the first of two definitions', '[r]: /one\n[r]: /two\n\n[r]', '\n[r](</one>)'],
	[
		'a name that nothing defines',
		'[text][no] and [x] and [a](b)\n\n[r]: /r',
		'[text][no] and [x] and [a](b)\n',
	],
	[
		'code',
		'`[r]` ``a ` [r]``\n\n```\n[r]: /no\n[r] <!-- x -->\n```\n\n    [r]: /no\n\n[r]: /r',
		'`[r]` ``a ` [r]``\n\n```\n[r]: /no\n[r] <!-- x -->\n```\n\n    [r]: /no\n',
	],
	[
		'brackets behind a backslash',
		'\\[r] \\![p][r] \\[^1]\n\n[r]: /r\n\n[^1]: n',
		'\\[r] \\![p](</r>) \\[^1]\n\n---\n\n\\[1\\] n\n',
	],
	['a task list', '- [x] done\n\n[r]: /r', '- [x] done\n'],
	['comments', 'a <!-- b --> c\n<!-- one\n\ntwo --> d\n\n`<!-- code -->`', 'a  c\n d\n\n`<!-- code -->`'],
	['a comment that holds a fence', 'a\n\n<!--\n```\n-->\n\nb', 'a\n\n\nb'],
	['a comment that is never closed', 'a\n<!-- b\nc', 'a'],
	[
		'a title on the next line',
		"[a] ![b]\n\n[a]: /a\n  'T'\n[b]: /b\n(U)\n\n'text'",
		"[a](</a>) ![b](</b>)\n\n\n'text'",
	],
	['an address on the next line', '[a]\n\n[a]:\n  </a> "T"\n\n[b]:\n\nc', '[a](</a>)\n\n\n[b]:\n\nc'],
	[
		'details',
		'<details><summary>Sum <b>of</b> it</summary>\n\nhidden\n\n</details>',
		'\n\n\n**Sum of it**\n\n\n\nhidden\n\n\n',
	],
])('in markdown %s', (_, source, text) => expect(resolvedMarkdown(source)).toBe(text));

test('footnotes are numbered in order of mention and placed at the end; none is lost', () => {
	const source =
		'B[^b] and a[^a], b again[^b], none[^no].\n\n[^a]: note a\n    goes on\n[^b]: note b\n[^c]: unused\n\nEnd.';
	expect(resolvedMarkdown(source)).toBe(
		'B\\[1\\] and a\\[2\\], b again\\[1\\], none[^no].\n\nEnd.\n\n---\n\n\\[1\\] note b\n\n\\[2\\] note a\ngoes on\n\n\\[3\\] unused\n',
	);
});

test('a text without any of these is the same', () => {
	const source = '# Title\r\n\r\n[a](b) `x`';
	expect(resolvedMarkdown(source)).toBe(source);
});

test('damaged text is read to its end', () => {
	for (const part of ['[', '[a][', '![', '`', '<!--', '<summary>', '[^', '[a]: ', '\\'])
		expect(resolvedMarkdown(`${part.repeat(100_000)}\n\n[r]: /r\n<!-- -->`)).toEqual(expect.any(String));
	for (const part of ['[', '[a][', '![', '`', '``` ', '<!--', '<summary>', '[^', '\\'])
		expect(resolvedMarkdown(`${`${part.repeat(4000 / part.length)}\n`.repeat(20)}\n[r]: /r`)).toEqual(
			expect.any(String),
		);
});
