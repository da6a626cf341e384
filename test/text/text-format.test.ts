import {expect, test} from 'vitest';
import {decodeAs} from '../../src/text/encoding.ts';
import {
	DETECTED,
	formatIn,
	formatWords,
	tableOfBytes,
	tableOfUtf8,
	type TextTable,
} from '../../src/text/table/text-format.ts';

const utf16 = (text: string, isLittle: boolean): Buffer => {
	const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
	return isLittle ? little : little.swap16();
};
const TEXT = 'city;price\nZürich;1,50\nBâle;2,25\n';
const PLAIN = 'city,price\nZürich,1.50\n';

const read = (table: TextTable | null): TextTable => {
	if (table === null) throw new Error('no table');
	table.advance(Infinity);
	return table;
};

test.each([
	[Buffer.from(TEXT), ['UTF-8', 'semicolon', 'decimal comma']],
	[Buffer.from(`\uFEFF${TEXT}`), ['UTF-8 with BOM', 'semicolon', 'decimal comma']],
	[utf16(TEXT, true), ['UTF-16', 'semicolon', 'decimal comma']],
	[utf16(TEXT, false), ['UTF-16', 'semicolon', 'decimal comma']],
	[Buffer.from(TEXT, 'latin1'), ['Latin-1', 'semicolon', 'decimal comma']],
	[Buffer.from(`${TEXT}\u0080;3\n`, 'latin1'), ['Windows-1252', 'semicolon', 'decimal comma']],
	[Buffer.from(PLAIN), ['UTF-8', 'comma']],
	[Buffer.from(PLAIN.replaceAll(',', '\t')), ['UTF-8', 'tab']],
	[Buffer.from(PLAIN.replaceAll(',', '|')), ['UTF-8', 'pipe']],
] as const)('detected: %#', (bytes, words) => {
	const table = read(tableOfBytes('a.csv', bytes));
	expect(formatWords(table)).toEqual(words);
	expect([table.names, table.cell(0, 0)]).toEqual([['city', 'price'], 'Zürich']);
});

test('a wrong guess is changed and taken back, with the first row as a row meanwhile', async () => {
	const bytes = Buffer.from([0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0, 0x2c, 0x78, 0x0a, 0x31, 0x2c, 0x32, 0x0a]);
	const guessed = read(tableOfBytes('a.csv', bytes));
	expect([guessed.names, formatWords(guessed)[0]]).toEqual([['Ìîñêâà', 'x'], 'Latin-1']);
	const russian = (await guessed.format.reopen({encoding: 'windows-1251', separator: ';'})) as TextTable;
	expect([russian.names, formatWords(russian)]).toEqual([['Москва,x'], ['Windows-1251', 'semicolon']]);
	const rows = read(russian.otherHead?.() as TextTable);
	expect([rows.count, formatWords(rows)]).toEqual([2, ['Windows-1251', 'semicolon']]);
	const back = (await rows.format.reopen(DETECTED)) as TextTable;
	expect(formatWords(back)).toEqual(['Latin-1', 'comma']);
});

test('bytes that an encoding does not have are marked in its name', async () => {
	expect(decodeAs(Buffer.from('Z\u00FCrich', 'latin1'), 'utf-8')).toEqual({
		text: 'Z\uFFFDrich',
		encoding: 'damaged UTF-8',
	});
	expect(tableOfBytes('a.csv', Buffer.from([0, 1, 2, 3]))).toBeNull();
});

test('a chosen separator counts more than a first line that names another', async () => {
	const table = read(tableOfUtf8('a.csv', 'sep=;\na;b,c\n1;2,3\n'));
	expect(table.names).toEqual(['a', 'b,c']);
	const chosen = (await formatIn(table)?.reopen({encoding: null, separator: ','})) as TextTable;
	expect(chosen.names).toEqual(['a;b', 'c']);
});
