import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	codeParts,
	codeText,
	renderMarkdown,
	type Markdown,
	type MarkdownOptions,
} from '../../src/text/markdown/markdown.ts';
import {cellWidth} from '../../src/text/width/width.ts';
import {hostileString, printableString} from './hostile-characters.ts';
import {plainLook as plain} from './plain-look.ts';
import {testCases} from '../support/test-cases.ts';
import {codePoint} from '../support/code-points.ts';

const coloured: MarkdownOptions = {
	...plain,
	paint: (style, text) =>
		`\u001B[${{heading: 1, strong: 1, emphasis: 3, strike: 9, code: 36, link: 4, dim: 2, accent: 36}[style]}m${text}\u001B[0m`,
};
const rows = (text: string, width = 40): string => renderMarkdown(text, width, plain).rows.join('\n');
const codes = (text: string): readonly string[] =>
	renderMarkdown(text, 40, plain).codes.map(each => each.code);

/** Formats Markdown while it arrives in these parts. */
const streamed = (parts: readonly string[], width: number, look: MarkdownOptions): Markdown => {
	let laid = renderMarkdown('', width, look);
	let text = '';
	for (const part of parts) {
		text += part;
		laid = renderMarkdown(text, width, look, laid);
	}
	return laid;
};

const WORDS = [
	'a',
	'word',
	'zwölf',
	'日本語',
	'👩‍👩‍👧',
	'`code`',
	'`',
	'``',
	'**',
	'**bold**',
	'*em*',
	'_',
	'_x_',
	'~~',
	'~~old~~',
	'[t](http://a.b)',
	'[',
	']',
	'(',
	'![i](j)',
	'http://c.d/e?f',
	'<br>',
	'<b>',
	'&amp;',
	'&',
	'\\',
	'\\*',
	'|',
	'||',
	':-',
	'--',
	'#',
	'1.',
	'-',
	'>',
	'x'.repeat(90),
];
const LINES = [
	'',
	'',
	'',
	'# ',
	'## ',
	'- ',
	'* ',
	'  - ',
	'    - ',
	'1. ',
	'2. ',
	'10) ',
	'   ',
	'    ',
	'\t',
	'> ',
	'>> ',
	'> - ',
	'```',
	'```python',
	'~~~~',
	'````',
	'   ```',
	'  ```js',
	'---',
	'***',
	'===',
	'| a | b |',
	'|---|---|',
	'|:-:|',
	'a | b',
	'- | -',
	'| 1 | 2 | 3 |',
	'- [ ] ',
	'<div>',
	'</div>',
];
const markdown = fc
	.array(
		fc.tuple(
			fc.constantFrom(...LINES),
			fc.array(fc.constantFrom(...WORDS), {maxLength: 8}),
			fc.constantFrom('\n', '\n', '\n', '\n', '\n\n', '\r\n', '\r', '  \n', ''),
		),
		{maxLength: 40},
	)
	.map(lines => lines.map(([start, words, end]) => start + words.join(' ') + end).join(''));
const anyText = fc.oneof(markdown, fc.string({unit: codePoint, maxLength: 300}), hostileString(80));

const cutAt = (text: string, cuts: readonly number[]): readonly string[] => {
	const places = [0, ...cuts.map(cut => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
	return places.slice(1).map((to, index) => text.slice(places[index], to));
};

testCases(
	'an answer that arrives in any fragments ends as the same screen and the same code blocks as a whole one',
	3000,
	cases => {
		fc.assert(
			fc.property(
				anyText,
				fc.array(fc.nat(), {maxLength: 60}),
				fc.integer({min: 12, max: 90}),
				(text, cuts, width) => {
					const whole = renderMarkdown(text, width, coloured);
					const parts = streamed(cutAt(text, cuts), width, coloured);
					expect(parts.rows).toEqual(whole.rows);
					expect(parts.codes).toEqual(whole.codes);
				},
			),
			{numRuns: cases},
		);
	},
);

testCases('an answer that arrives character by character ends like a whole one', 300, cases => {
	fc.assert(
		fc.property(markdown, fc.integer({min: 12, max: 90}), (text, width) => {
			expect(streamed([...text], width, plain).rows).toEqual(renderMarkdown(text, width, plain).rows);
		}),
		{numRuns: cases},
	);
});

testCases('no row is wider than the pane and none holds a control', 2000, cases => {
	fc.assert(
		fc.property(anyText, fc.integer({min: 12, max: 90}), (text, width) => {
			for (const row of renderMarkdown(text, width, plain).rows) {
				expect(cellWidth(row)).toBeLessThanOrEqual(width);
				expect(row).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
			}
		}),
		{numRuns: cases},
	);
});

test('a very long paragraph, line or list is formatted in parts, and ends as it would have whole', () => {
	for (const text of [
		'word '.repeat(4000),
		'x'.repeat(20_000),
		`- ${'item text\n  '.repeat(1500)}`,
		`> ${'quoted\n> '.repeat(1500)}`,
		`| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(1200)}`,
		`\`\`\`\n${'line of code\n'.repeat(3000)}`,
	]) {
		const parts = Array.from({length: Math.ceil(text.length / 997)}, (_, index) =>
			text.slice(index * 997, (index + 1) * 997),
		);
		expect(streamed(parts, 60, plain).rows).toEqual(renderMarkdown(text, 60, plain).rows);
	}
});

test('titles, lists, quotes and emphasis read as they mean', () => {
	expect(
		rows(
			'# Title #\nSome *em* and **bold**, ~~gone~~ &lt;3\n\n- one\n- two\n  1. in\n  1. side\n\n> said\n> twice\n\n***',
		),
	).toBe(
		[
			'Title',
			'Some em and bold, gone <3',
			'',
			'• one',
			'• two',
			'  1. in',
			'  2. side',
			'',
			'│ said',
			'│ twice',
			'',
			'─'.repeat(40),
		].join('\n'),
	);
	expect(rows('Title\n===\n5. five\n6. six\n- [x] done')).toBe(
		['Title', '5. five', '6. six', '• [x] done'].join('\n'),
	);
	expect(rows('see [the page](https://a.b/c) or https://d.e')).toBe(
		'see the page (https://a.b/c) or\nhttps://d.e',
	);
});

test('a table fits: columns give way, and in a pane too narrow for columns each row is labelled with its heads', () => {
	expect(rows('| name | price |\n|:--|--:|\n| T4 | 0.35 |\n| A100 | 1.5 |')).toBe(
		'name │ price\n────────────\nT4   │  0.35\nA100 │   1.5',
	);
	const wide = rows(`| a | b |\n|---|---|\n| ${'long text '.repeat(6)}| short |`, 30);
	expect(wide).toContain('│ short');
	expect(
		rows('| first | second | third |\n|---|---|---|\n| one and more | two and more | three and more |', 16),
	).toMatch(/first: one and\n {2}more\nsecond: two and/);
});

test('a table that is too wide breaks few words: numbers yield their width to names', () => {
	const table = [
		'| host | gpu | vram_gb | cpus | memory_gb | price_per_hour |',
		'|---|---|---|---|---|---|',
		'| massedcompute | A5000 | 24 | 10 | 48 | 0.41 |',
		'| hyperstack | A4000 | 16 | 6 | 24 | 0.43 |',
		'| lambdalabs | RTX6000 | 24 | 14 | 46 | 0.5 |',
	];
	const laid = rows(table.join('\n'), 62);
	for (const word of ['massedcompute', 'hyperstack', 'lambdalabs', 'RTX6000']) expect(laid).toContain(word);
	for (const row of laid.split('\n')) expect(cellWidth(row)).toBeLessThanOrEqual(62);
});

test('code has its language above and a rule at its left, and nothing is lost', () => {
	expect(rows('Run:\n```python\nprint("a")\n\tx\n```\ndone')).toBe(
		['Run:', '', 'python', '│ print("a")', '│         x', '', 'done'].join('\n'),
	);
});

test('prose takes 92 cells at most, also in lists and quotes; code and tables take all the width', () => {
	const words = 'word '.repeat(60);
	const wide = 'x'.repeat(110);
	const laid = rows(
		`# ${words}\n\n${words}\n\n- ${words}\n  > ${words}\n\n---\n\n\`\`\`\n${wide}\n\`\`\``,
		120,
	).split('\n');
	const code = laid.filter(row => row.includes('│ x'));
	expect(code).toEqual([`│ ${wide}`]);
	const prose = laid.filter(row => !code.includes(row)).map(row => cellWidth(row));
	expect(Math.max(...prose)).toBeGreaterThan(88);
	expect(Math.max(...prose)).toBeLessThanOrEqual(92);
});

test('code within a line has no backticks', () => {
	expect(rows('The column `comment`, and `` a`b ``.')).toBe('The column comment, and a`b.');
});

test('a long line of code hangs below its own indentation behind a mark, between words where it can', () => {
	expect(rows('```\n  total = price * hours + storage * days\n```', 30)).toBe(
		['code', '│   total = price * hours +', '│   ↪ storage * days'].join('\n'),
	);
	fc.assert(
		fc.property(
			fc.array(fc.oneof(printableString(12), fc.constant('  '))),
			fc.integer({min: 4, max: 60}),
			(words, cells) => {
				const line = codeText(words.join(' '));
				const parts = codeParts(line, cells, plain);
				for (const {before, text, from} of parts) {
					expect(cellWidth(before + text)).toBeLessThanOrEqual(cells);
					expect(line.slice(from, from + text.length)).toBe(text);
				}
				expect(parts.map(({text}) => text.replaceAll(' ', '')).join('')).toBe(line.replaceAll(' ', ''));
			},
		),
	);
});

test('the text of a code block is that between its fences, to the byte', () => {
	expect(codes('```py\na\n\tb  \n\n```\n')).toEqual(['a\n\tb  \n\n']);
	expect(codes('```py\r\na\r\nb\r\n```\r\nmore\r\n~~~\nc\r~~~')).toEqual(['a\r\nb\r\n', 'c\r']);
	expect(codes('````\n```\ninner\n```\n````')).toEqual(['```\ninner\n```\n']);
	expect(codes('- x\n  ```\n  in a list\n    deeper\n  ```')).toEqual(['in a list\n  deeper\n']);
	expect(codes('```\nnot closed')).toEqual(['not closed']);
});

test('an entity becomes its character, and an unknown one stays unchanged', () => {
	expect(rows('&lt;a&gt; &amp;amp; &#233; &#x1F600; &mdash; &euro;')).toBe('<a> &amp; é 😀 — €');
	expect(rows('&toString; &valueOf; &nonsense;')).toBe('&toString; &valueOf; &nonsense;');
});
