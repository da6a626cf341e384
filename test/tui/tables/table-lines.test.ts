import fc from 'fast-check';
import {expect, test} from 'vitest';
import '../../../src/tui/feature-list.ts';
import {createEditor} from '../../../src/text/editor/editor.ts';
import {readHtml} from '../../../src/text/output/html-text.ts';
import {htmlTable} from '../../../src/text/table/html-table.ts';
import {csvTable, type Table} from '../../../src/text/table/table.ts';
import {cellWidth, fit, slice} from '../../../src/text/width/width.ts';
import type {TableView} from '../../../src/tui/tables/tables.ts';
import {tableLines} from '../../../src/tui/tables/table-lines.ts';
import {tableRoom} from '../../../src/tui/tables/table-room.ts';

const viewOf = (table: Table, changes: Partial<TableView> = {}): TableView => {
	while (!table.complete) table.advance(Infinity);
	return {
		name: 'a.csv',
		table,
		known: table.count,
		row: 0,
		column: table.index,
		left: 0,
		hidden: new Set(),
		sort: null,
		filter: createEditor(),
		rows: null,
		work: null,
		facts: null,
		...changes,
	};
};
const plain = (lines: readonly string[]): readonly string[] =>
	lines.map(line => line.replaceAll(/\u001B\[[\d;]*m/g, ''));
const shown = (view: TableView, width: number, height: number): readonly string[] =>
	plain(tableLines(view, width, height).lines).map(line => line.trimEnd());

/**
 * Texts of a grid in which some cells cover others. Each position has the text of the cell that
 * covers it.
 */
const grid = fc
	.record({
		rows: fc.integer({min: 1, max: 6}),
		columns: fc.integer({min: 1, max: 12}),
		seeds: fc.array(
			fc.record({
				wide: fc.integer({min: 1, max: 3}),
				high: fc.integer({min: 1, max: 3}),
				text: fc.constantFrom('a', 'bb', '日本', '12.5', '', 'a long one', '7', 'é', '🚀x'),
			}),
			{minLength: 72, maxLength: 72},
		),
	})
	.map(({rows, columns, seeds}) => {
		const texts = Array.from({length: rows}, () => Array.from({length: columns}, (): string | null => null));
		let html = `<table><thead><tr>${texts[0]?.map((_, column) => `<th>c${column}</th>`).join('')}</tr></thead><tbody>`;
		let made = 0;
		for (let row = 0; row < rows; row++) {
			html += '<tr>';
			for (let column = 0; column < columns; column++) {
				if (texts[row]?.[column] !== null) continue;
				// The first column has a cell in every row, like an index.
				const {wide, high, text} = seeds[made++] ?? {wide: 1, high: 1, text: ''};
				let span = 1;
				while (column > 0 && span < wide && column + span < columns && texts[row]?.[column + span] === null)
					span++;
				const tall = column === 0 ? 1 : Math.min(high, rows - row);
				for (let at = row; at < row + tall; at++) texts[at]?.fill(text, column, column + span);
				html += `<td colspan="${span}" rowspan="${tall}">${text}</td>`;
			}
			html += '</tr>';
		}
		return {html: `${html}</tbody></table>`, texts};
	});

test('any table with spans, wide characters and empty cells is drawn, column for column, with its content', () => {
	fc.assert(
		fc.property(grid, fc.integer({min: 20, max: 90}), fc.nat(11), ({html, texts}, width, at) => {
			const [part] = readHtml(html);
			if (part?.kind !== 'table') throw new Error('no table was read');
			const table = htmlTable(part);
			expect(table.names).toEqual(texts[0]?.map((_, column) => `c${column}`));
			const view = viewOf(table, {column: at % table.names.length});
			const lines = plain(tableLines(view, width, 12).lines);
			const {layout, numbers} = tableRoom(view, {width, height: 12});
			for (const line of lines) expect(cellWidth(line)).toBe(width);
			expect(layout.placed.map(({column}) => column)).toContain(view.column);
			for (const {column, x, width: cells} of layout.placed) {
				const values = texts.map(row => row[column] ?? '');
				const isRight = values.some(text => text !== '') && values.every(text => /^[\d.]*$/.test(text));
				const drawn = lines.map(line => slice(line, 1 + numbers + x, cells));
				const align = isRight ? 'right' : 'left';
				expect(drawn[1]).toBe(fit(`c${column}`, cells, align));
				expect(drawn.slice(3, 3 + texts.length)).toEqual(values.map(text => fit(text, cells, align)));
			}
		}),
	);
});

test('a wide table shows how many columns are beyond each edge, and the cursor brings them into view', () => {
	const names = Array.from({length: 5000}, (_, column) => `name${column}`);
	const table = csvTable(`${names.join(',')}\n${names.map((_, column) => column).join(',')}\n`);
	const first = shown(viewOf(table), 80, 24);
	expect(first[0]).toMatch(/^─ a\.csv {2}5,000 columns ─+ 1\/1 ─$/);
	expect(first[1]).toMatch(/^ +name0 {2}name1 /);
	expect(first[2]).toMatch(/─ 4,99\d more columns »$/);
	expect(first[3]).toMatch(/^▸ +1 +0 +1 +2 /);
	const last = shown(viewOf(table, {column: 4999}), 80, 24);
	expect(last[1]).toMatch(/name4998 {2}name4999$/);
	expect(last[2]).toMatch(/^ « 4,99\d more columns ─+$/);
});

test.each<[what: string, text: string, seen: RegExp]>([
	['an empty file', '', /This file is empty\./],
	['a head only', 'a,b\n', /a {2}b\n─+\n +This table has a header but no rows\.$/],
	['one column', 'a\n1\n22\n', /a\n─+\n▸ {2}1 {3}1\n {3}2 {2}22$/],
	['a longer row than its head', 'a,b\n1,2,3\n', /a {2}b {2}column 3\n─+\n▸ {2}1 {2}1 {2}2 {9}3$/],
	['a line end and a control in a field', 'a,b\n"x\ny",\u001B[31mz\n', /▸ {2}1 {2}x\^Jy {2}\^\[\[31mz$/],
	['no name', ',b\n1,2\n', /column 1 {2}b\n/],
])('%s has a sane picture', (_, text, seen) => {
	expect(
		shown(viewOf(csvTable(text, ',')), 60, 15)
			.join('\n')
			.trimEnd(),
	).toMatch(seen);
});

test('a column is as wide as the row in view needs that comes last, so that no number is cut', () => {
	const table = csvTable(`n\n${'1\n'.repeat(1000)}123456789012\n`);
	expect(shown(viewOf(table), 60, 15)[3]).toMatch(/ 1$/);
	expect(shown(viewOf(table, {row: 1000}), 60, 15).join('\n')).toMatch(/▸ 1001 +123456789012$/m);
});
