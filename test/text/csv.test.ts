import fc from 'fast-check';
import {expect, test} from 'vitest';
import {csvRows} from '../../src/text/columns/csv.ts';
import {csvTable} from '../../src/text/table/table.ts';

test('text written as CSV is read back, with any content of the fields', () => {
	const field = fc.string({unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', ';')});
	const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
	fc.assert(
		fc.property(
			fc.array(fc.array(field, {minLength: 1, maxLength: 4}), {maxLength: 5}),
			fc.constantFrom('\n', '\r\n', '\r'),
			fc.boolean(),
			(rows, end, last) => {
				const text =
					rows.map(row => row.map(quoted).join(',')).join(end) + (last && rows.length > 0 ? end : '');
				expect(csvRows(text, ',')).toEqual(rows);
			},
		),
	);
});

test('plain fields, empty fields, empty lines, a byte order mark and a last line without an end are read', () => {
	expect(csvRows('\uFEFFa,b\n\n1,\n,2\r\n3')).toEqual([['a', 'b'], [''], ['1', ''], ['', '2'], ['3']]);
	expect(csvRows('a,')).toEqual([['a', '']]);
	expect(csvRows('')).toEqual([]);
});

test('a quote that is never closed is a character, and hides nothing behind it, even millions of characters', () => {
	const rest = 'x,""\n'.repeat(500_000);
	const rows = csvRows(`a,"${rest}`, ',');
	expect(rows.slice(0, 2)).toEqual([
		['a', '"x', ''],
		['x', ''],
	]);
	expect(rows).toHaveLength(500_000);
});

test('the separator is the character that most rows have equally often', () => {
	expect(csvRows('x;y\n1;2,5\n3\n')).toEqual([['x', 'y'], ['1', '2,5'], ['3']]);
	expect(csvRows('x\ty\n1\t2\n')).toEqual([
		['x', 'y'],
		['1', '2'],
	]);
	expect(csvRows('a|b\n1|2')).toEqual([
		['a', 'b'],
		['1', '2'],
	]);
	expect(csvRows('one column\nof, words')).toEqual([['one column'], ['of', ' words']]);
});

test('a first line that names the separator is a hint, and neither a row nor the head', () => {
	const rows = [
		['a', 'b'],
		['1,5', '2'],
	];
	expect(csvRows('sep=;\na;b\n1,5;2')).toEqual(rows);
	expect(csvRows('\uFEFF"SEP=;"\r\na;b\r\n1,5;2')).toEqual(rows);
	expect(csvRows('sep=^;^\na^b', ',')).toEqual([['sep=^;^'], ['a^b']]);
	expect(csvRows('sep=^\na^b\n1,5^2')).toEqual(rows);
	expect(csvRows('sep=\t\na\tb\n1,5\t2')).toEqual(rows);
	expect(csvRows(String.raw`sep=\t` + '\na\tb\n1,5\t2')).toEqual(rows);
	expect(csvRows('sep=;;\na;b\n1,5;2')).toEqual(rows);
	expect(csvRows('sep=,\na,b', '\t')).toEqual([['a', 'b']]);
	expect(csvRows('sep=\n1')).toEqual([['sep='], ['1']]);
	expect(csvRows('separator,b\n1,2')).toEqual([
		['separator', 'b'],
		['1', '2'],
	]);
	const table = csvTable('sep=;\na;b\n1;2\n');
	expect(table.names).toEqual(['a', 'b']);
	expect(table.otherHead?.().names).toEqual(['', '']);
});

test('a comma within the amounts of a file with one column parts nothing', () => {
	expect(csvRows('price\n€10.50\n$1,200.00\n1,000 kg\n')).toEqual([
		['price'],
		['€10.50'],
		['$1,200.00'],
		['1,000 kg'],
	]);
	expect(csvRows('price\n1,200\nof, words')).toEqual([['price'], ['1', '200'], ['of', ' words']]);
});
