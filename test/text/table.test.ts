import fc from 'fast-check';
import {expect, test} from 'vitest';
import {csvRows} from '../../src/text/columns/csv.ts';
import {readHtml} from '../../src/text/output/html-text.ts';
import {filterRows, sortRows, type Work} from '../../src/text/table/arrange.ts';
import {columnStats} from '../../src/text/table/column-stats.ts';
import {layoutColumns, leftFor} from '../../src/text/table/layout.ts';
import {tableOfText} from '../../src/text/table/open-text.ts';
import {htmlTable} from '../../src/text/table/html-table.ts';
import {csvTable, jsonLinesTable, type Table} from '../../src/text/table/table.ts';
import {isMissing, numberOf} from '../../src/text/table/values.ts';
import {testCases} from '../support/test-cases.ts';

const whole = (table: Table, step = Infinity): Table => {
	while (!table.complete) table.advance(step);
	return table;
};
const finished = <T>(work: Work<T>): T => {
	for (;;) {
		const step = work.next();
		if (step.done === true) return step.value;
	}
};
const rowsOf = (table: Table): readonly (readonly string[])[] =>
	Array.from({length: table.count}, (_, at) => table.row(at));

testCases(
	'the rows and fields of a CSV are the same for any size of the pieces that are scanned',
	500,
	cases => {
		const piece = fc.constantFrom('a', '12', '"', '""', ',', '\n', '\r', '\r\n', ' ', '漢', '"x,y"', '"\n"');
		fc.assert(
			fc.property(fc.array(piece, {maxLength: 60}), fc.integer({min: 1, max: 40}), (pieces, step) => {
				const text = pieces.join('').replace(/^[\r\n]+/, '');
				const table = whole(csvTable(text, ','), step);
				const [head = [], ...all] = text.trim() === '' ? [] : csvRows(text, ',');
				let columns = head.length;
				const rows = all.filter(row => {
					columns = Math.max(columns, row.length);
					return columns === 1 || row.length > 1 || row[0] !== '';
				});
				// A line that contains only empty quotes does not count as empty.
				if (text.includes('""')) return;
				expect(rowsOf(table)).toEqual(rows);
				for (const [at, row] of rows.entries())
					for (let column = 0; column < 5; column++) expect(table.cell(at, column)).toBe(row[column] ?? '');
			}),
			{numRuns: cases},
		);
	},
);

test.each<
	[what: string, path: string, text: string, names: readonly string[], rows: readonly (readonly string[])[]]
>([
	['an empty file', 'a.csv', '', [], []],
	['blank lines only', 'a.csv', '\n \r\n', [], []],
	['a head only', 'a.csv', 'a,b', ['a', 'b'], []],
	['one column, an empty field in it', 'a.csv', 'a\n1\n\n3\n', ['a'], [['1'], [''], ['3']]],
	['a byte order mark and semicolons', 'a.csv', '\uFEFFa;b\r\n1,5;2\r\n', ['a', 'b'], [['1,5', '2']]],
	[
		'rows of other lengths, an empty line and line ends between quotes',
		'a.csv',
		'a,b\n1\n\n"2\n2",3,4\n',
		['a', 'b', ''],
		[['1'], ['2\n2', '3', '4']],
	],
	['commas in a TSV of one column', 'a.TSV', 'a, b\n1, 2\n', ['a, b'], [['1, 2']]],
	['prose', 'a.csv', 'No table here.\nNone at all.', ['No table here.'], [['None at all.']]],
	[
		'JSON lines with other names, arrays, single values and broken ones',
		'a.jsonl',
		'{"a":1,"b":null}\n\n{"b":{"x":[1]},"c":"t"}\n[7]\n5\n{oops\n',
		['a', 'b', 'c', '0', 'value'],
		[
			['1', '', '', '', ''],
			['', '{"x":[1]}', 't', '', ''],
			['', '', '', '7', ''],
			['', '', '', '', '5'],
			['', '', '', '', '{oops'],
		],
	],
])('%s', (_, path, text, names, rows) => {
	const table = tableOfText(path, text);
	if (table === null) throw new Error('this is no table');
	whole(table);
	expect(table.names).toEqual(names);
	expect(rowsOf(table)).toEqual(rows);
});

test('other text than CSV, TSV or JSON lines is not a table', () => {
	expect(tableOfText('a.py', 'a,b\n1,2')).toBeNull();
	expect(tableOfText('csv', 'a,b')).not.toBeNull();
});

test('JSON lines, decimal commas with semicolons as separators, and words for missing values are recognised', () => {
	expect(['1', '-1.5e3', '1,234.5', '12%', '.5', '-inf', '1_000'].map(text => numberOf(text))).toEqual([
		1,
		-1500,
		1234.5,
		12,
		0.5,
		-Infinity,
		1000,
	]);
	expect(['1,5', '1.234,5', '7'].map(text => numberOf(text, ','))).toEqual([1.5, 1234.5, 7]);
	for (const text of ['', '0x10', '1.2.3', '2026-01-01', '1,23', 'e5', '.'])
		expect(numberOf(text)).toBeUndefined();
	expect(['', 'NaN', 'None', '<NA>', 'null', 'n/a'].every(isMissing)).toBe(true);
	expect(['0', 'nope', 'x', 'nano'].some(isMissing)).toBe(false);
	expect(whole(jsonLinesTable('{"a":true}')).cell(0, 0)).toBe('true');
});

testCases(
	'rows are sorted as numbers before texts, missing values last in either order, and equal ones keep their order',
	60,
	cases => {
		const field = fc.constantFrom('1', '10', '9', '-2.5', '1,000', 'b', 'a', 'B', '', 'NaN', '漢');
		fc.assert(
			fc.property(
				fc.array(field, {maxLength: 40}),
				fc.integer({min: 1, max: 100}),
				fc.constantFrom('up' as const, 'down' as const),
				(seeds, times, direction) => {
					const fields = Array.from({length: times}, () => seeds).flat();
					const table = whole(csvTable(`a\tb\n${fields.map(text => `${text}\tx\n`).join('')}`, '\t'));
					const rank = (text: string): number =>
						isMissing(text) ? 2 : (numberOf(text) === undefined) === (direction === 'up') ? 1 : 0;
					const sign = direction === 'up' ? 1 : -1;
					const expected = fields
						.map((text, at) => ({text, at}))
						.sort((one, other) => {
							const [a, b] = [numberOf(one.text), numberOf(other.text)];
							return (
								rank(one.text) - rank(other.text) ||
								(rank(one.text) === 2
									? 0
									: sign *
										(a !== undefined && b !== undefined
											? a - b
											: one.text < other.text
												? -1
												: one.text > other.text
													? 1
													: 0)) ||
								one.at - other.at
							);
						})
						.map(({at}) => at);
					expect([...finished(sortRows(table, null, {column: 0, direction}))]).toEqual(expected);
				},
			),
			{numRuns: cases},
		);
	},
);

test.each([
	['9007199254740993', '9007199254740992', '9007199254740991'],
	['0.1234567890123456789', '0.12345678901234567', '0.1'],
	['-9007199254740991', '-9007199254740992', '-9007199254740993'],
	['1e21', '999,999,999,999,999,999,999.5', '12'],
])('numbers that are one as floats are sorted by all their digits: %s', (most, between, least) => {
	const table = whole(csvTable(`n\tx\n${[between, most, least].join('\t\n')}\n`, '\t'));
	const sorted = (direction: 'up' | 'down'): readonly string[] =>
		[...finished(sortRows(table, null, {column: 0, direction}))].map(at => table.cell(at, 0));
	expect(sorted('up')).toEqual([least, between, most]);
	expect(sorted('down')).toEqual([most, between, least]);
});

test('numbers of JSON lines keep all their digits', () => {
	const table = whole(jsonLinesTable('{"id":9007199254740993,"of":[1]}\n{"id":9007199254740992}\n'));
	expect(rowsOf(table)).toEqual([
		['9007199254740993', '[1]'],
		['9007199254740992', ''],
	]);
});

test('a CSV without a header row gives its first row as a row, and takes it as the header again', () => {
	const table = whole(csvTable('\n1;2\n3;4;5\n'));
	expect([table.names, rowsOf(table)]).toEqual([['1', '2', ''], [['3', '4', '5']]]);
	const other = table.otherHead?.();
	if (other === undefined) throw new Error('its head is certain');
	expect([whole(other).names, rowsOf(other)]).toEqual([
		['', '', ''],
		[
			['1', '2'],
			['3', '4', '5'],
		],
	]);
	const again = other.otherHead?.();
	expect(again && whole(again).names).toEqual(table.names);
	expect(jsonLinesTable('{}').otherHead).toBeNull();
});

test('a filter finds words in any field, and not across two', () => {
	const table = whole(csvTable('a,b\nOne,two\n"x,""y""",three\nno,thing\n', ','));
	const found = (words: string): readonly number[] => [...finished(filterRows(table, words))];
	expect(found('one')).toEqual([0]);
	expect(found('ONE')).toEqual([]);
	expect(found('t')).toEqual([0, 1, 2]);
	expect(found('one,two')).toEqual([]);
	expect(found('x,"y"')).toEqual([1]);
	expect([...finished(sortRows(table, Uint32Array.from([2, 0]), {column: 1, direction: 'down'}))]).toEqual([
		0, 2,
	]);
});

test('a column is summarised by its values: count, missing, least, greatest, mean, distinct values and distribution', () => {
	const table = whole(csvTable('n,t\n1,a\n,b\n3,a\n8,NaN\n8,a\n', ','));
	expect(finished(columnStats(table, null, 0))).toEqual({
		kind: 'numbers',
		reading: {kind: 'numbers', decimal: '.', factors: new Map(), unit: '', currencies: []},
		count: 4,
		missing: 1,
		min: '1',
		max: '8',
		mean: 5,
		distinct: 3,
		bars: [1, 0, 1, 0, 0, 0, 0, 2].map((count, bin) => ({
			name: String(1 + (7 * bin) / 8).slice(0, 5),
			count,
		})),
	});
	expect(finished(columnStats(table, Uint32Array.from([0, 1, 2, 3]), 1))).toMatchObject({
		kind: 'text',
		count: 3,
		missing: 1,
		min: 'a',
		max: 'b',
		mean: null,
		distinct: 2,
		bars: [
			{name: 'a', count: 2},
			{name: 'b', count: 1},
		],
	});
});

test("a cell of HTML is in every place that it covers, the headers of a column are its name, and a frame's index is recognised", () => {
	const [part] = readHtml(
		'<table><thead><tr><th></th><th colspan=2>price</th></tr><tr><th>gpu</th><th>mean</th><th>max</th></tr></thead><tbody><tr><th rowspan=2>A100</th><td>1</td><td>2</td></tr><tr><td colspan=2>3</td></tr></tbody><tbody><tr><th rowspan=9>H100</th><td>4</td></tr></tbody></table>',
	);
	if (part?.kind !== 'table') throw new Error('no table was read');
	const table = htmlTable(part);
	expect(table.names).toEqual(['gpu', 'price / mean', 'price / max']);
	expect(table.index).toBe(1);
	expect(rowsOf(table)).toEqual([
		['A100', '1', '2'],
		['A100', '3', '3'],
		['H100', '4', ''],
	]);
});

test('columns are shown from the chosen one on, as many as fit whole, and any can be brought into view', () => {
	fc.assert(
		fc.property(
			fc.array(fc.integer({min: 1, max: 40}), {minLength: 1, maxLength: 30}),
			fc.integer({min: 0, max: 2}),
			fc.integer({min: 8, max: 120}),
			fc.nat(40),
			fc.nat(29),
			(widths, frozenCount, width, left, wanted) => {
				const all = widths.map((_, column) => column);
				const room = {
					frozen: all.slice(0, frozenCount),
					columns: all.slice(frozenCount),
					width,
					gap: 2,
					widthOf: (column: number) => widths[column] ?? 1,
				};
				const {placed, before, after} = layoutColumns(room, left);
				const moving = placed.filter(({column}) => column >= frozenCount).map(({column}) => column);
				expect(moving).toEqual(room.columns.slice(before, room.columns.length - after));
				for (const [at, {x, width: cells}] of placed.entries()) {
					const last = placed[at - 1];
					if (last) expect(x).toBeGreaterThanOrEqual(last.x + last.width + 2);
					expect(cells).toBeGreaterThan(0);
					expect(x + cells).toBeLessThanOrEqual(width);
				}
				if (room.columns.length === 0) return;
				expect(moving.length).toBeGreaterThan(0);
				const column = room.columns[wanted % room.columns.length] ?? 0;
				const shown = layoutColumns(room, leftFor(room, left, column)).placed;
				expect(shown.map(each => each.column)).toContain(column);
			},
		),
	);
});
