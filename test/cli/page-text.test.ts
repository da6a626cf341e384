import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {pageText} from '../../src/cli/page-text.ts';
import {cellWidth} from '../../src/text/width/width.ts';

const DOCS = join(import.meta.dirname, '../../src/docs');
const PAGES = readdirSync(DOCS)
	.filter(name => name.endsWith('.md'))
	.map(name => [name, readFileSync(join(DOCS, name), 'utf8')] as const);

test('a page becomes lines: headings, paragraphs and lists that fit, fenced lines as they are', () => {
	const page = [
		'# A page\n',
		'![A picture](pictures/one.svg)\n',
		'One **bold** word,\nand `code **as it is**`.\n',
		'- the first, which is longer than one row has room for',
		'- the second\n',
		'```sh\n\tsvc-tui servers   # a line that is longer than the width\n```\n',
		'## Is it right?\n',
		'See [the keys](keys.md) and [svc-tui help run](run.md), or [the site](https://a.example).',
	].join('\n');
	expect(pageText(page, 40).split('\n')).toEqual([
		'A page:',
		'',
		'One bold word, and code **as it is**.',
		'',
		'- the first, which is longer than one',
		'  row has room for',
		'- the second',
		'',
		'    svc-tui servers   # a line that is longer than the width',
		'',
		'Is it right?',
		'',
		'See the keys (svc-tui help keys) and',
		'svc-tui help run, or the site.',
		'',
	]);
});

test('a table with a short first column is laid out side by side, with a long one below each other', () => {
	const table = (name: string): string => `| a | b |\n| --- | --- |\n| ${name} | what it means |\n`;
	expect(pageText(table('`n`'), 30)).toBe('n  what it means\n');
	expect(pageText(table('`svc-tui open SERVER A \\| B`<br>`--first`'), 30)).toBe(
		'svc-tui open SERVER A | B\n  --first\n    what it means\n',
	);
});

test.each(PAGES)('%s has no mark of markdown left, and no row beyond the terminal', (_, page) => {
	for (const width of [40, 80, 100]) {
		const fenced = new Set(
			[...page.matchAll(/^```\w*\n([^]*?)^```$/gm)].flatMap(([, text = '']) =>
				text.split('\n').map(line => `  ${line.replaceAll('\t', '  ')}`),
			),
		);
		const rows = pageText(page, width)
			.split('\n')
			.filter(row => !fenced.has(row));
		expect(rows.filter(row => cellWidth(row) > width)).toEqual([]);
		expect(rows.filter(row => /\]\(|<!--|^#|^\||^```|<br>|\0|\*\*/.test(row))).toEqual([]);
	}
});
