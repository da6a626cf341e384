import fc from 'fast-check';
import {expect, test} from 'vitest';
import {readXlsx, xlsxSheets} from '../../src/text/table/files/xlsx.ts';
import {xlsxTable} from '../../src/text/table/files/xlsx-table.ts';
import {openZip} from '../../src/text/table/files/zip.ts';
import {testCases} from '../support/test-cases.ts';
import {workbookOf, workbookParts, zipOf} from '../support/workbook.ts';

const STYLES =
	'<numFmts><numFmt numFmtId="164" formatCode="dd\\-mm\\-yyyy\\ hh:mm"/><numFmt numFmtId="165" formatCode="&quot;days &quot;0.0"/></numFmts>' +
	'<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/></cellXfs>';

test('texts, numbers, dates, truth, errors and formulas have the values that Excel shows', () => {
	const rows =
		'<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>a &amp; b</t></is></c></row>' +
		'<row r="2" spans="1:3"><c r="A2" s="1"><v>45292</v></c><c r="B2" s="2"><v>45292.75</v></c><c r="C2" s="3"><v>1.5</v></c></row>' +
		'<row r="4"><c r="A4" t="b"><v>1</v></c><c r="B4" t="e"><v>#DIV/0!</v></c><c r="C4" t="str"><f>A1&amp;"x"</f><v>sum</v></c><c r="D4" s="4"><v>0.5</v></c></row>' +
		'<row r="5"><c r="C5"><f>1+1</f><v>12345678901234567</v></c><c r="D5"/></row>';
	const strings =
		'<si><t xml:space="preserve"> day </t></si><si><r><rPr><b/></rPr><t>bold</t></r><r><t> text_x000A_</t></r><rPh sb="0" eb="1"><t>ふ</t></rPh></si>';
	const found = readXlsx(workbookOf({One: rows}, {strings, styles: STYLES}), 'One');
	expect(found).toEqual({
		rows: [
			[' day ', 'bold text\n', 'a & b'],
			['2024-01-01', '2024-01-01 18:00:00', '1.5'],
			[],
			['True', '#DIV/0!', 'sum', '12:00:00'],
			['', '', '12345678901234568'],
		],
		total: 5,
		columns: 4,
	});
	const properties = '<workbookPr date1904="1"/>';
	const old = workbookOf(
		{One: '<row><c s="1"><v>0</v></c><c s="1"><v>366</v></c></row>'},
		{styles: STYLES, properties},
	);
	expect(readXlsx(old, 'One').rows).toEqual([['00:00:00', '1905-01-01']]);
});

test('sheets are found by name, with prefixes of names too', () => {
	const parts = workbookParts({'P &amp; L': '', Second: '<row><c><v>2</v></c></row>'});
	const prefixed = Object.fromEntries(
		Object.entries(parts).map(([name, text]) => [name, text.replaceAll(/<(\/?)(?=[a-z])/g, '<$1x:')]),
	);
	const bytes = zipOf(prefixed);
	expect(xlsxSheets(bytes)).toEqual(['P & L', 'Second']);
	expect(readXlsx(bytes, 'Second').rows).toEqual([['2']]);
	expect(readXlsx(bytes, 'P & L').rows).toEqual([]);
	expect(() => readXlsx(bytes, 'Third')).toThrow('no such sheet');
});

test('the first row with values is the header, and may be a row', () => {
	const sheet = {rows: [[], ['name', '', 'n'], ['a', 'x', '1'], ['b']], total: 5000, columns: 3};
	const table = xlsxTable('a.xlsx', 'Data', sheet);
	expect([table.names, table.count, table.row(1), table.whole?.rows]).toEqual([
		['name', '', 'n'],
		2,
		['b'],
		4998,
	]);
	expect(table.python?.()).toEqual(['data = pandas.read_excel("a.xlsx", sheet_name="Data", skiprows=1)']);
	const other = table.otherHead?.();
	expect([other?.names, other?.count, other?.cell(0, 2)]).toEqual([['', '', ''], 3, 'n']);
	expect(other?.otherHead?.().names).toEqual(table.names);
});

test('bombs, rows beyond the sheet, wrong references and broken archives end with a reason', () => {
	const most = 1_000_000;
	const bomb = zipOf({'a.xml': new Uint8Array(2 * most)});
	expect(bomb.length).toBeLessThan(10_000);
	expect(() => openZip(bomb, most).read('a.xml')).toThrow('unpacks to more than 1 MB');
	const two = openZip(zipOf({a: new Uint8Array(600_000), b: new Uint8Array(600_000)}), most);
	two.read('a');
	expect(() => two.read('b')).toThrow('unpacks to more than 1 MB');
	const far = workbookOf({
		One: '<row r="1048576"><c r="A1048576"><v>1</v></c><c r="XFD1048576"><v>1</v></c></row><row r="99999999"><c r="A1"><v>2</v></c></row>',
	});
	const found = readXlsx(far, 'One');
	expect([found.rows.length, found.columns]).toEqual([1_048_576, 16_384]);
	const odd = workbookOf({
		One: '<row r="-1"><c r="?"><v>1</v></c><c r="B" t="s"><v>99</v></c><c s="77"><v>x</v></c>',
	});
	expect(readXlsx(odd, 'One').rows).toEqual([['1', '', 'x']]);
	expect(() => xlsxSheets(Buffer.from('no archive'))).toThrow('archive is broken');
	expect(() => xlsxSheets(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]))).toThrow('before 2007');
	expect(() => xlsxSheets(zipOf({mimetype: 'other'}))).toThrow('no sheets');
	const locked = workbookOf({One: ''}, {change: record => void record.writeUInt16LE(1, 8)});
	expect(() => xlsxSheets(locked)).toThrow('password');
	const lies = workbookOf({One: ''}, {change: record => void record.writeUInt32LE(0xff_ff_ff, 42)});
	expect(() => xlsxSheets(lies)).toThrow('archive is broken');
});

testCases('a workbook with changed bytes is read or gives a reason, and never another error', 200, cases => {
	const whole = workbookOf({One: '<row r="1"><c r="A1"><v>1</v></c></row>'}, {styles: STYLES});
	fc.assert(
		fc.property(
			fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), {minLength: 1, maxLength: 6}),
			changes => {
				const bytes = Buffer.from(whole);
				for (const [at, value] of changes) bytes[at] = value;
				try {
					for (const name of xlsxSheets(bytes)) readXlsx(bytes, name);
				} catch (error) {
					expect(String(error)).toMatch(/^Error: it/);
				}
			},
		),
		{numRuns: cases},
	);
});
