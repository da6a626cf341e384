import {expect, test} from 'vitest';
import {htmlPlainText} from '../../src/text/output/html-plain.ts';
import {readHtml} from '../../src/text/output/html-text.ts';

const textOf = (html: string): string => htmlPlainText(readHtml(html));

test.each([
	[
		'white space in <pre>',
		'<p>x</p><pre>\n  def f():\n\n      return  1\n</pre>after',
		'x\n\n  def f():\n\n      return  1\n\nafter',
	],
	['tags and entities in <pre>', '<pre><span></span><b>a</b> &lt;\n\t&amp;  b</pre>', 'a <\n\t&  b'],
	['a first line of <pre> that is indented', '<div><pre>   a\n  b</pre></div>', '   a\n  b'],
	['<pre> that is not closed', '<pre>a\n  b', 'a\n  b'],
	['white space elsewhere', '<p>  a \n\t b  <b> c</b> </p>', 'a b c'],
	['paragraphs that are not closed', '<p>one<p>two', 'one\n\ntwo'],
	['elements in each other', '<div><div>a</div><div>b</div></div><section><p>c</p></section>', 'a\nb\n\nc'],
	['line breaks', 'a<br>b<br/><br>c', 'a\nb\n\nc'],
	[
		'lists in lists',
		'<ul><li>one<ul><li>two</li><li>three</li></ul></li><li>four</li></ul>',
		'- one\n  - two\n  - three\n- four',
	],
	[
		'numbered lists',
		'<ol><li>a</li><li><p>b</p><p>c</p></li></ol><ol start="9"><li>i<li>j</ol>',
		'1. a\n2. b\n\n   c\n\n9. i\n10. j',
	],
	['a list between paragraphs', '<p>a</p><ul><li>b</ul>c', 'a\n\n- b\n\nc'],
	['quotes', '<blockquote><p>a</p><p>b</p></blockquote>c', '> a\n\n> b\n\nc'],
	['rules', 'a<hr>b', 'a\n\n---\n\nb'],
	[
		'links',
		'<p>see <a href="https://e.org/a?b=1&amp;c">the page</a>.',
		'see the page (https://e.org/a?b=1&c).',
	],
	[
		'links that say their address',
		'<a href=https://e.org>https://e.org</a> <a href="mailto:a@e.org">a@e.org</a>',
		'https://e.org a@e.org',
	],
	[
		'links that lead nowhere',
		'<a href="#x">up</a> <a name=y>here</a> <a href="javascript:alert(1)">run</a>',
		'up here run',
	],
	['entities', '&lt;&#8364;&#x41;&nbsp;&unknown; &eacute;', '<€A &unknown; é'],
	[
		'scripts and styles',
		'<style>p > a {}</style>a<script>if (1 < 2) "</p>"</script><template>no</template>b<STYLE>c</STYLE>',
		'ab',
	],
	['remarks', 'a<!-- <b>no</b> --><!doctype html><!-->b', 'ab'],
	['a > within an attribute', '<p title="a > b" data-x=\'>\'>c', 'c'],
	['an attribute that is never closed', '<p title="a>b', 'b'],
	['details', '<details><summary>More</summary>inside</details>', 'More\ninside'],
	['elements with names of their own', '<my-table>a</my-table><pre-x>b  c</pre-x>', 'ab c'],
	[
		'captions, wherever they stand',
		'<table><caption>A &lt; <b>B</b></caption><tr><td>a</td></tr><tr><td>b<caption>c</table>',
		'A < B c\na\nb',
	],
	['a caption without a table below it', '<table><caption>alone</caption></table>', 'alone'],
	['what is no tag', 'a < b and <1> & c', 'a < b and <1> & c'],
])('HTML as text: %s', (_, html, text) => expect(textOf(html)).toBe(text));

test('a table within a cell is below the text of its row, and no cell around it is lost', () => {
	const inner = '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>';
	const html = `<table><tr><td>before</td><td>0</td></tr><tr><td>label ${inner} end</td><td>x</td></tr><tr><td>after</td><td>9</td></tr></table>`;
	expect(textOf(html)).toBe('before  0\nlabel end  x\na  b\n1  2\nafter  9');
	const parts = readHtml(html);
	expect(parts.map(({kind}) => kind)).toEqual(['table', 'text', 'table', 'table']);
	expect(parts.every(part => part.kind === 'text' || part.isExact)).toBe(true);
});

test('tables side by side in a table are tables of their own', () => {
	const frame = (name: string): string =>
		`<table><thead><tr><th></th><th>${name}</th></tr></thead><tr><th>0</th><td>1</td></tr></table>`;
	expect(textOf(`<table><tr><td>${frame('a')}</td><td>${frame('b')}</td></tr></table>`)).toBe(
		'   a\n0  1\n   b\n0  1',
	);
});

test('deep and damaged HTML is read to its end', () => {
	const half = 250_000;
	for (const html of [
		'<table><tr><td>'.repeat(60_000) + 'text',
		'<ul><li>'.repeat(100_000) + 'text',
		'<blockquote>'.repeat(80_000) + 'text',
		`${'<iframe '.repeat(100_000)}>text`,
		`${'<iframe>'.repeat(100_000)}text`,
		`${'<a href="x">'.repeat(80_000)}text`,
		`<p title="${'<p title='.repeat(80_000)}>text`,
		`${'<p a='.repeat(half / 2)}>text`,
		`${'</table>'.repeat(100_000)}text`,
	]) {
		expect(textOf(html).endsWith('text')).toBe(html.endsWith('text'));
	}
});
