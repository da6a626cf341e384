import fc from 'fast-check';
import {expect, test} from 'vitest';
import {readHtml} from '../../../src/text/output/html-text.ts';
import {cellWidth} from '../../../src/text/width/width.ts';
import {htmlLines as linesOf, isExact} from '../../../src/tui/core/components/html-lines.ts';
import {codePoint} from '../../support/code-points.ts';

// HTML as pandas writes it.
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

const htmlLines = (html: string, width: number, left = 0): readonly string[] =>
	linesOf(readHtml(html), width, left);

const plain = (lines: readonly string[]): string =>
	lines.map(line => line.replaceAll(/\u001B\[\d+m/g, '').trimEnd()).join('\n');

test("a DataFrame's HTML comes as a table with its numbers to the right", () => {
	expect(plain(htmlLines(FRAME, 60))).toBe(
		[
			'   gpu       price  note',
			'0  A100 80G    1.5  R&D <b>',
			'1  H100      12.25  NaN',
			'2 rows × 3 columns',
		].join('\n'),
	);
});

test('a table that is too wide is shown from its left, by whole columns, and columns beyond an edge are counted', () => {
	const row = (kind: string, words: readonly string[]): string =>
		`<tr><th>${words[0]}</th>${words
			.slice(1)
			.map(word => `<${kind}>${word}</${kind}>`)
			.join('')}</tr>`;
	const wide = `<table><thead>${row('th', ['', 'one', 'two', 'three', 'four'])}</thead>${row('td', ['index', '11111', '22222', '33333', '44444'])}</table>`;
	expect(plain(htmlLines(wide, 22))).toBe(
		['         one    two', '──── 2 more columns »', 'index  11111  22222'].join('\n'),
	);
	expect(plain(htmlLines(wide, 22, 1))).toBe(
		['         two  three', ' « 1 ──────────── 1 »', 'index  22222  33333'].join('\n'),
	);
	const last = ['       three   four', ' « 2 more columns ────', 'index  33333  44444'].join('\n');
	expect(plain(htmlLines(wide, 22, 2))).toBe(last);
	expect(plain(htmlLines(wide, 22, 9))).toBe(last);
});

test('paragraphs, lists and entities read as text; styles and scripts do not', () => {
	expect(
		readHtml(
			'<h1>Title</h1><script>alert("<p>no</p>")</script><p>a &#8364; b<br>c</p><ul><li>one<li>two</ul><!-- no <b> -->end',
		),
	).toEqual([{kind: 'text', text: 'Title\n\na € b\nc\n\n- one\n- two\n\nend'}]);
});

test("a header over several columns and an index over several rows are in pandas' positions", () => {
	const pivot = `<table class="dataframe"><thead>
		<tr><th></th><th></th><th colspan="2" halign="left">price</th><th colspan="2" halign="left">n</th></tr>
		<tr><th>gpu</th><th>region</th><th>mean</th><th>max</th><th>mean</th><th>max</th></tr></thead>
		<tbody><tr><th rowspan="2" valign="top">A100</th><th>eu</th><td>1.50</td><td>2.00</td><td>1</td><td>9</td></tr>
		<tr><th>us</th><td>1.25</td><td>1.75</td><td>2</td><td>8</td></tr>
		<tr><th rowspan="1">H100</th><th>eu</th><td>2.50</td><td>3.00</td><td>3</td><td>7</td></tr></tbody></table>`;
	expect(plain(htmlLines(pivot, 60))).toBe(
		[
			'              price       n',
			'gpu   region  mean   max  mean  max',
			'A100  eu      1.50  2.00     1    9',
			'      us      1.25  1.75     2    8',
			'H100  eu      2.50  3.00     3    7',
		].join('\n'),
	);
	expect(isExact(readHtml(pivot))).toBe(true);
	expect(plain(htmlLines(pivot, 26, 1))).toBe(
		[
			'              pri…  n',
			'gpu   region   max  mean',
			' « 1 ──────────────── 1 »',
			'A100  eu      2.00     1',
			'      us      1.75     2',
			'H100  eu      3.00     3',
		].join('\n'),
	);
});

test('a cell with rowspan=0 covers its group only', () => {
	expect(
		plain(
			htmlLines(
				'<table><tbody><tr><th rowspan=0>a</th><td>1</td></tr><tr><td>2</td></tr></tbody><tbody><tr><th>b</th><td>3</td></tr></tbody></table>',
				40,
			),
		),
	).toBe('a  1\n   2\nb  3');
});

test('overlapping cells are not laid out exactly', () => {
	expect(
		isExact(readHtml('<table><tr><td>a</td><td rowspan=2>b</td></tr><tr><td colspan=2>c</td></tr></table>')),
	).toBe(false);
});

/**
 * A grid with cells that span several rows and columns: its HTML, and the position of each text.
 */
const spannedGrid = fc
	.record({
		rows: fc.integer({min: 1, max: 6}),
		columns: fc.integer({min: 1, max: 6}),
		seeds: fc.array(
			fc.record({
				wide: fc.integer({min: 1, max: 3}),
				high: fc.integer({min: 1, max: 3}),
				text: fc.constantFrom('a', 'bb', '日本', '12.5', '', 'long one'),
			}),
			{minLength: 36, maxLength: 36},
		),
	})
	.map(({rows, columns, seeds}) => {
		const owner = Array.from({length: rows}, () => Array.from({length: columns}, () => -1));
		const cells: {readonly row: number; readonly column: number; readonly text: string}[] = [];
		const html: string[] = ['<table>'];
		for (let row = 0; row < rows; row++) {
			html.push('<tr>');
			for (let column = 0; column < columns; column++) {
				if (owner[row]?.[column] !== -1) continue;
				const {wide, high, text} = seeds[cells.length] ?? {wide: 1, high: 1, text: ''};
				let span = 1;
				while (span < wide && column + span < columns && owner[row]?.[column + span] === -1) span++;
				const rowSpan = Math.min(high, rows - row);
				for (let at = row; at < row + rowSpan; at++) owner[at]?.fill(cells.length, column, column + span);
				cells.push({row, column, text: `${text}${text === '' ? '' : cells.length}`});
				html.push(`<td colspan="${span}" rowspan="${rowSpan}">${cells.at(-1)?.text}</td>`);
			}
			html.push('</tr>');
		}
		return {html: `${html.join('')}</table>`, cells};
	});

test('every cell of any table with spans is read at its own row and column', () => {
	fc.assert(
		fc.property(spannedGrid, ({html, cells}) => {
			const [table] = readHtml(html);
			if (table?.kind !== 'table') throw new Error('no table was read');
			expect(table.isExact).toBe(true);
			const kept = new Set(cells.map(cell => cell.row));
			const rowNumbers = [...kept].sort((one, other) => one - other);
			expect(
				table.rows.flatMap((row, index) =>
					row.map(cell => ({row: rowNumbers[index], column: cell.column, text: cell.text})),
				),
			).toEqual(cells);
		}),
	);
});

test('a table whose one shown column is wider than its room keeps to the room', () => {
	for (const line of htmlLines(['<table>', '<th colspan=3>', '\0\0', '\0'].join(''), 10))
		expect(cellWidth(line)).toBeLessThanOrEqual(10);
});

test('any text is read without an error, and never wider than its room', () => {
	const fragment = fc.constantFrom(
		'<table>',
		'</table>',
		'<tr>',
		'<td>',
		'<th colspan=3>',
		'</td>',
		'<thead>',
		'<p>',
		'<style>',
		'</style>',
		'<!--',
		'-->',
		'<',
		'>',
		'&amp;',
		'&#x41;',
		'&#55555;',
		'\u001B[31m',
		'日本',
		'word ',
		'\n',
	);
	fc.assert(
		fc.property(
			fc.array(fc.oneof(fragment, fc.string({unit: codePoint, maxLength: 5})), {maxLength: 60}),
			fc.integer({min: 10, max: 90}),
			(parts, width) => {
				for (const line of htmlLines(parts.join(''), width)) {
					expect(cellWidth(line)).toBeLessThanOrEqual(width);
					expect(line.replaceAll(/\u001B\[\d+m/g, '')).not.toMatch(/[\u0000-\u001F\u007F-\u009F]/);
				}
			},
		),
	);
});
