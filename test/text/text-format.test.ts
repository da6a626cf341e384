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

test('single quotes are detected where no field is in double ones, and quotes are chosen', async () => {
	const text = "city;note\n'Oslo; Norway';'it''s'\n'Bergen';x\n";
	const table = read(tableOfUtf8('a.csv', text));
	expect(formatWords(table)).toEqual(['UTF-8', 'semicolon', 'single quotes']);
	expect([table.row(0), table.row(1)]).toEqual([
		['Oslo; Norway', "it's"],
		['Bergen', 'x'],
	]);
	expect([table.cell(0, 0), table.cell(0, 1), table.cell(1, 1)]).toEqual(['Oslo; Norway', "it's", 'x']);
	expect(table.python?.()).toEqual([`data = pandas.read_csv("a.csv", sep=";", quotechar="'")`]);
	const reopened = async (quote: string): Promise<TextTable> => {
		const again = await formatIn(table)?.reopen({...DETECTED, quote});
		if (!again || typeof again === 'string') throw new Error(again);
		return read(again as TextTable);
	};
	const none = await reopened('');
	expect(formatWords(none)).toEqual(['UTF-8', 'semicolon', 'no quotes']);
	expect(none.row(0)).toEqual(["'Oslo", " Norway'", "'it''s'"]);
	expect((await reopened('"')).row(1)).toEqual(["'Bergen'", 'x']);
	// Apostrophes do not count as quotes.
	for (const other of ["a,b\n'tis,x\n'Oslo',y\n'Bergen',z\n", "a,b\n'x',\"y\"\n'z',1\n", "a,b\nit's,x\n"])
		expect(read(tableOfUtf8('a.csv', other)).quote).toBe('"');
});
