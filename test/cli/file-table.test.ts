// @module-tag long
// `files table` for every file format that opens as a table.
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {tableFromArrays, tableToIPC} from 'apache-arrow';
import {parquetWriteBuffer} from 'hyparquet-writer';
import {expect, test} from 'vitest';
import {newHome} from '../support/program.ts';
import {onTerminal, serve} from './support.ts';
import {workbookOf} from '../support/workbook.ts';

const ROWS = [
	{id: '9007199254740993', city: 'Oslo', price: 1200.5},
	{id: '2', city: 'Bergen', price: 80},
	{id: '3', city: '\u001B[31mRed', price: 9},
];
const CSV = `id,city,price\n${ROWS.map(({id, city, price}) => `${id},${city},${price}\n`).join('')}`;

const npy = (): Buffer => {
	const header = "{'descr': '<i4', 'fortran_order': False, 'shape': (3,)}\n";
	const head = Buffer.from(
		`\u0093NUMPY\u0001\u0000${String.fromCharCode(header.length, 0)}${header}`,
		'latin1',
	);
	return Buffer.concat([head, Buffer.from(Int32Array.of(5, 7, 6).buffer)]);
};

test('files table prints, filters and sorts files of every form, as JSON too', async () => {
	await using home = await newHome();
	await using served = await serve(home, ['--engine', 'embedded']);
	const sqlite = join(home.folder, 'made.sqlite');
	execFileSync('python3', [
		'-c',
		'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])',
		sqlite,
		'create table one (city text, price real); insert into one values ("Oslo", 1200.5), ("Bergen", 80), ("Red", 9); create view two as select city from one;',
	]);
	expect(await served.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
	const files: Readonly<Record<string, Uint8Array>> = {
		'a.csv': Buffer.from(CSV),
		'a.csv.gz': gzipSync(CSV),
		'a.tsv': Buffer.from(CSV.replaceAll(',', '\t')),
		'a.jsonl': Buffer.from(ROWS.map(row => `${JSON.stringify(row)}\n`).join('')),
		'a.npy': npy(),
		'a.parquet': new Uint8Array(
			parquetWriteBuffer({
				columnData: [
					{name: 'city', data: ROWS.map(({city}) => city)},
					{name: 'price', data: ROWS.map(({price}) => price)},
				],
			}),
		),
		'a.arrow': tableToIPC(
			tableFromArrays({city: ROWS.map(({city}) => city), price: ROWS.map(({price}) => price)}),
		),
		'a.sqlite': readFileSync(sqlite),
		'a.xlsx': workbookOf({
			Data: [['city', 'price'], ...ROWS.map(({city, price}) => [city, price])]
				.map(
					row =>
						`<row>${row.map(each => (typeof each === 'number' ? `<c><v>${each}</v></c>` : `<c t="inlineStr"><is><t>${each}</t></is></c>`)).join('')}</row>`,
				)
				.join(''),
		}),
	};
	for (const [name, input] of Object.entries(files))
		expect(await served.run(['files', 'put', 'welcome', '-', name], {input})).toMatchObject({code: 0});
	const table = (...words: readonly string[]) => served.run(['files', 'table', 'welcome', ...words]);

	expect((await table('a.csv', '--sort', 'price')).stdout).toBe(
		'              id  city        price\n' +
			'               3  ^[[31mRed       9\n' +
			'               2  Bergen         80\n' +
			'9007199254740993  Oslo       1200.5\n',
	);
	for (const name of ['a.csv', 'a.csv.gz', 'a.tsv', 'a.jsonl', 'a.parquet', 'a.arrow', 'a.sqlite', 'a.xlsx'])
		expect(
			JSON.parse(
				(
					await table(
						name,
						'--where',
						'price>=80',
						'--sort',
						'-city',
						'--columns',
						'price,city',
						'--json',
						...(name === 'a.sqlite' ? ['--table', 'one'] : []),
					)
				).stdout,
			),
			name,
		).toEqual([
			{price: 1200.5, city: 'Oslo'},
			{price: 80, city: 'Bergen'},
		]);
	expect((await table('a.csv', '--where', 'id=9007199254740993', '--jsonl')).stdout).toBe(
		'{"id":9007199254740993,"city":"Oslo","price":1200.5}\n',
	);
	await served.run(['files', 'put', 'welcome', '-', 'l.csv'], {
		input: Buffer.from('a;Größe\n1;ß\n', 'latin1'),
	});
	expect(await table('l.csv')).toMatchObject({
		stdout: 'a  Größe\n1  ß\n',
		stderr: 'Read as Latin-1. --encoding sets another one.\n',
	});
	expect(await table('l.csv', '--encoding', 'windows-1251', '--separator', 'comma')).toMatchObject({
		stdout: 'a;GrцЯe\n1;Я\n',
		stderr: '',
	});
	expect(await table('l.csv', '--encoding', 'utf-8')).toMatchObject({
		stderr: expect.stringContaining('Read as damaged UTF-8'),
	});
	expect(await table('l.csv', '--encoding', 'klingon')).toMatchObject({code: 2});
	await served.run(['files', 'put', 'welcome', '-', 'q.csv'], {
		input: "name;price\n'Oslo; Norway';1.500\n'It''s';2.250\n",
	});
	expect((await table('q.csv', '--decimal', 'comma', '--json')).stdout).toContain('"Oslo; Norway"');
	expect((await table('q.csv', '--decimal', 'comma', '--where', 'price>2000')).stdout).toMatch(
		/^name +price\nIt's +2\.250\n$/,
	);
	expect((await table('q.csv', '--decimal', 'point', '--where', 'price>2000')).stdout).not.toContain('2.250');
	expect((await table('q.csv', '--quote', 'none', '--columns', 'name')).stdout).toContain("'Oslo\n");
	expect(await table('q.csv', '--quote', 'x')).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('--quote "x" is unknown.\nChoose one of double, single, none.'),
	});
	expect(await table('a.npy', '--sort', '-value', '--rows', '1')).toMatchObject({
		code: 0,
		stdout: 'value\n    7\n',
		stderr: '1 of 3 rows. --rows sets another number.\n',
	});
	expect(await table('a.sqlite')).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('a.sqlite has 2 tables: one, two.\nChoose one with --table.'),
	});
	expect(await table('a.csv', '--where', 'prise>3')).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('the table has no column "prise"; did you mean price?'),
	});
	expect(await table('a.csv', '--sort', 'nowhere')).toMatchObject({code: 2});
	expect(await table('README.md')).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('Only CSV, TSV and JSON lines'),
	});
	expect(await table('nowhere.csv')).toMatchObject({code: 3});
	const shown = await onTerminal(['files', 'table', 'welcome', 'a.csv'], {home, env: served.env});
	expect(shown.text).toContain('^[[31mRed');
});
