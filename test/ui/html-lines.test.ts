import fc from 'fast-check';
import {expect, test} from 'vitest';
import {readHtml} from '../../src/text/html-text.ts';
import {cellWidth} from '../../src/text/width.ts';
import {htmlLines} from '../../src/ui/components/html-lines.ts';

// As pandas writes it.
const FRAME = `<div>
<style scoped>
    .dataframe tbody tr th { vertical-align: top; }
</style>
<table border="1" class="dataframe">
  <thead>
    <tr style="text-align: right;"><th></th><th>gpu</th><th>price</th><th>note</th></tr>
  </thead>
  <tbody>
    <tr><th>0</th><td>A100 80G</td><td>1.5</td><td>R&amp;D &lt;b&gt;</td></tr>
    <tr><th>1</th><td>H100</td><td>12.25</td><td>NaN</td></tr>
  </tbody>
</table>
<p>2 rows × 3 columns</p>
</div>`;

const plain = (lines: readonly string[]): string => lines.map(line => line.replaceAll(/\u001B\[\d+m/g, '').trimEnd()).join('\n');

test("a DataFrame's HTML comes as a table with its numbers to the right", () => {
	expect(plain(htmlLines(FRAME, 60))).toBe([
		'   gpu       price  note',
		'0  A100 80G    1.5  R&D <b>',
		'1  H100      12.25  NaN',
		'2 rows × 3 columns',
	].join('\n'));
});

test('of a table that is too wide the first and the last columns are shown, and the others are counted', () => {
	const wide = `<table>${['name', 'left', 'lost', 'right'].map(word => `<th>${word.padEnd(20, '.')}</th>`).join('')}</table>`;
	expect(plain(htmlLines(wide, 50))).toBe(`${'name'.padEnd(20, '.')}  …  ${'right'.padEnd(20, '.')}\n… 2 of 4 columns do not fit here`);
});

test('paragraphs, lists and entities read as text; styles and scripts do not', () => {
	expect(readHtml('<h1>Title</h1><script>alert("<p>no</p>")</script><p>a &#8364; b<br>c</p><ul><li>one<li>two</ul><!-- no <b> -->end')).toEqual([{kind: 'text', text: 'Title\n\na € b\nc\n\n- one\n- two\nend'}]);
});

test('any text is read without an error, and never wider than its room', () => {
	const fragment = fc.constantFrom('<table>', '</table>', '<tr>', '<td>', '<th colspan=3>', '</td>', '<thead>', '<p>', '<style>', '</style>', '<!--', '-->', '<', '>', '&amp;', '&#x41;', '&#55555;', '\u001B[31m', '日本', 'word ', '\n');
	fc.assert(fc.property(fc.array(fc.oneof(fragment, fc.string({unit: 'binary', maxLength: 5})), {maxLength: 60}), fc.integer({min: 10, max: 90}), (parts, width) => {
		for (const line of htmlLines(parts.join(''), width)) {
			expect(cellWidth(line)).toBeLessThanOrEqual(width);
			expect(line.replaceAll(/\u001B\[\d+m/g, '')).not.toMatch(/[\u0000-\u001F\u007F-\u009F]/);
		}
	}));
});
