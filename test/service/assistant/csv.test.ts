import fc from 'fast-check';
import {expect, test} from 'vitest';
import {describeCsv, parseCsv} from '../../../src/service/assistant/csv.ts';

test('what is written as CSV is read back, whatever the fields hold', () => {
	const field = fc.string({unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', ';')});
	const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
	fc.assert(fc.property(fc.array(fc.array(field, {minLength: 1, maxLength: 4}), {maxLength: 5}), fc.constantFrom('\n', '\r\n', '\r'), fc.boolean(), (rows, end, last) => {
		// A row of one empty field is an empty line to every reader.
		const kept = rows.filter(row => row.length > 1 || row[0] !== '');
		const text = kept.map(row => row.map(quoted).join(',')).join(end) + (last && kept.length > 0 ? end : '');
		expect(parseCsv(text, ',')).toEqual(kept);
	}));
});

test('plain fields, empty fields, empty lines, a byte order mark and a last line without an end are read', () => {
	expect(parseCsv('\uFEFFa,b\n\n1,\n,2\r\n3', ',')).toEqual([['a', 'b'], ['1', ''], ['', '2'], ['3']]);
	expect(parseCsv('a,', ',')).toEqual([['a', '']]);
	expect(parseCsv('', ',')).toEqual([]);
});

test('a quote that is never closed takes the rest, even of millions of characters', () => {
	const rest = 'x,"" \n'.repeat(500_000);
	expect(parseCsv(`a,"${rest}`, ',')).toEqual([['a', rest.replaceAll('""', '"')]]);
});

test('semicolons and tabs separate too, and rows of another length are counted', () => {
	expect(describeCsv('a.csv', 'x;y\n1;2,5\n3\n', 12)).toMatch(/2 rows and 2 columns.*`x`, `y`[^]*1 row has more or fewer fields[^]*\| x \| 2 \| 1 \| 3 \| 2 \|$/);
	expect(describeCsv('a.tsv', 'x\ty\n1\t2\n', 8)).toContain('1 row and 2 columns');
	expect(describeCsv('a.csv', '', 0)).toContain('without any rows');
});
