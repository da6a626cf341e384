// @module-tag long
import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {tableFromArrays, tableToIPC} from 'apache-arrow';
import {parquetWriteBuffer} from 'hyparquet-writer';
import {expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import {hasPandas} from '../support/python-objects.ts';
import type {Terminal} from '../support/terminal.ts';
import {workbookOf} from '../support/workbook.ts';
import {openRepl, readCells, runCode, startWelcome} from './steps.ts';

const write = (home: Home, name: string, content: string | Uint8Array): void => {
	writeFileSync(join(serverFolder(serviceFolder(home)), name), content);
};

const openFiles = async (terminal: Terminal): Promise<void> => {
	await startWelcome(terminal);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('prices.ipynb');
};

const openTable = async (terminal: Terminal, path: string, shown: RegExp): Promise<void> => {
	pressAction(terminal, 'global', 'commandLine');
	terminal.type(`file ${path}`);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(shown);
	pressAction(terminal, 'viewer', 'table');
};

test(
	'a CSV opens over the whole screen: sorted, filtered, a column found and hidden, its facts beside it, and back',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home});
		await openFiles(terminal);
		write(
			home,
			'a.csv',
			`id,name,price,note\n${Array.from({length: 300}, (_, row) => `${row},"row ${row}",${row % 7 === 0 ? '' : (row * 37) % 301},${'x'.repeat(row % 5)}\n`).join('')}`,
		);
		await openTable(terminal, 'a.csv', /columns, t table, v source/);
		await terminal.until(/a\.csv {2}4 columns · UTF-8 · comma [─ ]+1\/300/);
		pressAction(terminal, 'tableRows', 'right');
		pressAction(terminal, 'tableRows', 'right');
		pressAction(terminal, 'tableRows', 'sort');
		await terminal.until(/sorted by price ↑[^]*\n▸ +180 +179 +row 179 +1 /);
		pressAction(terminal, 'tableRows', 'sort');
		await terminal.until(/sorted by price ↓[^]*\n▸ +123 +122 +row 122 +300 /);
		pressAction(terminal, 'tableRows', 'filter');
		await terminal.until('to the rows');
		terminal.type('row 29');
		await terminal.until(/1\/11 of 300/);
		pressAction(terminal, 'tableFilter', 'accept');
		pressAction(terminal, 'tableRows', 'facts');
		await terminal.until(/of the matching rows[^]*missing/);
		pressAction(terminal, 'tableRows', 'goTo');
		await terminal.until('Go to a column');
		terminal.type('no');
		pressAction(terminal, 'chooser', 'accept');
		await terminal.until(/│ note/);
		pressAction(terminal, 'tableRows', 'hide');
		await terminal.until(/note is hidden: X shows all columns/);
		await terminal.until('1 hidden');
		pressAction(terminal, 'tableRows', 'showAll');
		await terminal.until('1/300');
		pressAction(terminal, 'tableRows', 'otherHead');
		await terminal.until(/ 1\/301[^]*column 1 +column 2[^]*▸ +1 +id +name/);
		pressAction(terminal, 'tableRows', 'otherHead');
		await terminal.until(/ 1\/300[^]* id +name/);
		pressAction(terminal, 'tableRows', 'close');
		await terminal.until(/columns, t table, v source/);
	},
);

test('a column is drawn alone, by row and along another one, and its Python is copied', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 100, rows: 30});
	await openFiles(terminal);
	write(
		home,
		'a.csv',
		`day,price,name\n${Array.from({length: 90}, (_, day) => `2026-01-${String((day % 30) + 1).padStart(2, '0')},$${day * 10}.00,${day % 3 === 0 ? 'a' : 'b'}\n`).join('')}`,
	);
	await openTable(terminal, 'a.csv', /columns, t table, v source/);
	await terminal.until(/a\.csv {2}3 columns/);
	pressAction(terminal, 'tableRows', 'right');
	pressAction(terminal, 'tableRows', 'chart');
	await terminal.until(/price {2}histogram · 90 values ─+ a\.csv[^]*█[^]*200 +400/);
	pressAction(terminal, 'tableChart', 'kind');
	await terminal.until(/price by row {2}line · 90 points[^]*[▀-▟]/u);
	pressAction(terminal, 'tableChart', 'against');
	await terminal.until('Column of the horizontal axis');
	terminal.type('day');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/price by day {2}line · 90 points[^]*2026-01-\d\d/);
	pressAction(terminal, 'tableChart', 'copy');
	await terminal.until(/The Python of the chart was/);
	pressAction(terminal, 'always', 'showCopied');
	await terminal.until(/data = pandas\.read_csv\("a\.csv"\)/);
	terminal.press('enter');
	await terminal.until(/price by day/);
	pressAction(terminal, 'tableChart', 'next');
	await terminal.until('Only numbers and dates can be drawn, and name has other values.');
	pressAction(terminal, 'tableChart', 'next');
	await terminal.until('This is the last column');
	pressAction(terminal, 'tableChart', 'kind');
	pressAction(terminal, 'tableChart', 'kind');
	await terminal.until(/name {2}most frequent values · 2 distinct values[^]*b +█+ 60[^]*a +█+ 30/);
	pressAction(terminal, 'tableChart', 'close');
	await terminal.until(/a\.csv {2}3 columns/);
});

test('the HTML of any object of a cell opens as a table whose head and index stay, and Esc goes back', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 90, rows: 30});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(
		terminal,
		'type("Frame", (), {"_repr_html_": lambda self: "<table><thead><tr><th></th>" + "".join(f"<th>column{n}</th>" for n in range(30)) + "</tr></thead>" + "".join(f"<tr><th>{r}</th>" + "".join(f"<td>{r * n}</td>" for n in range(30)) + "</tr>" for r in range(50)) + "</table>"})()',
	);
	await terminal.until(/49 +0 +49 +98 +147/);
	await readCells(terminal);
	pressAction(terminal, 'cells', 'table');
	await terminal.until(/Out\[1] {2}31 columns[─ ]+1\/50[^]*more columns »/);
	pressAction(terminal, 'tableRows', 'lastColumn');
	pressAction(terminal, 'tableRows', 'last');
	await terminal.until(/50\/50[^]*« \d+ more columns[^]*▸ ?49 .* 1421/);
	pressAction(terminal, 'tableRows', 'close');
	await terminal.until('type code');
});

const WIDE_TABLE = `<table><thead><tr><th></th>${Array.from({length: 20}, (_, n) => `<th>name${n}</th>`).join('')}</tr></thead><tbody><tr><th>first</th>${Array.from({length: 20}, (_, n) => `<td>${1000 + n}</td>`).join('')}</tr></tbody></table>`;

test('a table that is wider than the pane goes sideways by columns in a cell of the REPL, its head and index in place', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 90, rows: 30});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, `type("Frame", (), {"_repr_html_": lambda self: ${JSON.stringify(WIDE_TABLE)}})()`);
	await terminal.until(/ name0 +name1 [^]* \d+ more columns »\s[^]*first +1000 +1001 /);
	await readCells(terminal);
	pressAction(terminal, 'cells', 'left');
	await terminal.until('This is the first column');
	pressAction(terminal, 'cells', 'right');
	await terminal.until(/ {2}name1 +name2 [^]*« 1 more column ─+ \d+ more columns »\s[^]*first +1001 +1002 /);
	for (let column = 0; column < 20; column++) pressAction(terminal, 'cells', 'right');
	await terminal.until(/name18 +name19\s[^]*« \d+ more columns ─+\s[^]*first .* 1019\s/);
	await terminal.until('This is the last column');
	for (let column = 0; column < 20; column++) pressAction(terminal, 'cells', 'left');
	await terminal.until(/ {2}name0 +name1 /);
});

test('in a read notebook, and in an edited one, wide tables scroll sideways too', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 90, rows: 30});
	await openFiles(terminal);
	write(
		home,
		'wide.ipynb',
		JSON.stringify({
			cells: [
				{
					cell_type: 'code',
					execution_count: 1,
					id: 'a',
					metadata: {},
					outputs: [
						{
							output_type: 'execute_result',
							execution_count: 1,
							metadata: {},
							data: {'text/plain': ['frame'], 'text/html': [WIDE_TABLE]},
						},
					],
					source: ['frame'],
				},
			],
			metadata: {},
			nbformat: 4,
			nbformat_minor: 5,
		}),
	);
	pressAction(terminal, 'global', 'commandLine');
	terminal.type('file wide.ipynb');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/ {2}name0 +name1 [^]*more columns »/);
	pressAction(terminal, 'viewer', 'right');
	await terminal.until(/ {2}name1 +name2 [^]*« 1 more column/);
	pressAction(terminal, 'viewer', 'work');
	await terminal.until(/cell 1 of 1[^]* {2}name0 +name1 /);
	pressAction(terminal, 'notebook', 'left');
	await terminal.until('This is the first column');
	pressAction(terminal, 'notebook', 'right');
	pressAction(terminal, 'notebook', 'right');
	await terminal.until(/ {2}name2 +name3 [^]*« 2 more columns/);
	pressAction(terminal, 'notebook', 'left');
	await terminal.until(/ {2}name1 +name2 [^]*« 1 more column/);
	pressAction(terminal, 'notebook', 'table');
	await terminal.until(/frame {2}21 columns[─ ]+1\/1/);
	pressAction(terminal, 'tableRows', 'lastColumn');
	await terminal.until(/« \d+ more columns[^]*▸ ?first .* 1019/);
	pressAction(terminal, 'tableRows', 'close');
	await terminal.until(/cell 1 of 1[^]* {2}name1 +name2 /);
});

test.each([
	['a.tsv', 'id\tname\tprice\n1\tone\t2.5\n2\ttwo\t\n3\tthree\t0.5\n'],
	[
		'b.jsonl',
		'{"id": 1, "name": "one", "price": 2.5}\n{"id": 2, "name": "two"}\n{"id": 3, "name": "three", "price": 0.5}\n',
	],
])('%s opens full screen, is sorted, and describes a column', async (name, content) => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await openFiles(terminal);
	write(home, name, content);
	await openTable(terminal, name, /three/);
	await terminal.until(new RegExp(`${name} {2}3 columns · UTF-8(?: · tab)?[─ ]+1/3`));
	pressAction(terminal, 'tableRows', 'right');
	pressAction(terminal, 'tableRows', 'right');
	pressAction(terminal, 'tableRows', 'sort');
	await terminal.until(/sorted by price ↑[^]*\n▸ +3 +3 +three +0\.5\b[^]* 1 +1 +one +2\.5\b[^]* 2 +2 +two/);
	pressAction(terminal, 'tableRows', 'facts');
	await terminal.until(/missing +1\b/);
	await terminal.until(/mean +1\.5\b/);
	await terminal.until(/distinct +2\b/);
});

test('a guessed encoding and separator are in the title, and are changed by a key', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await openFiles(terminal);
	const moscow = Buffer.from([0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0]);
	write(home, 'a.csv', Buffer.concat([Buffer.from('city;price\n'), moscow, Buffer.from(';1,50\n')]));
	await openTable(terminal, 'a.csv', /columns, t table/);
	await terminal.until(/a\.csv {2}2 columns · Latin-1 · semicolon · decimal comma[─ ]+1\/1[^]*Ìîñêâà +1,50/);
	pressAction(terminal, 'tableRows', 'format');
	await terminal.until('Read this text with');
	terminal.type('1251');
	await terminal.until(/› 1251 /);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/2 columns · Windows-1251 · semicolon · decimal comma[─ ]+1\/1[^]*Москва +1,50/);
	pressAction(terminal, 'tableRows', 'format');
	await terminal.until('Read this text with');
	terminal.type('separator comma');
	await terminal.until(/› separator comma /);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/2 columns · Windows-1251 · comma [─ ]+1\/1[^]*Москва;1 +50/);

	// The decimal mark is ambiguous in all values. The order of the dates is determined by one
	// value.
	write(home, 'c.csv', 'day;price\n05/01/2026;1.500\n31/12/2025;2.250\n');
	pressAction(terminal, 'tableRows', 'close');
	await terminal.until(/columns, t table/);
	await openTable(terminal, 'c.csv', /31\/12\/2025 +2\.250/);
	await terminal.until(/2 columns · UTF-8 · semicolon · dates day first[─ ]+1\/2/);
	pressAction(terminal, 'tableRows', 'sort');
	await terminal.until(/day is sorted by date, day first/);
	await terminal.until(/ 31\/12\/2025 +2\.250[^]* 05\/01\/2026 +1\.500/);
	pressAction(terminal, 'tableRows', 'right');
	pressAction(terminal, 'tableRows', 'facts');
	await terminal.until(/text: 1\.500 may be thousands or[^]*decimals/);
	pressAction(terminal, 'tableRows', 'format');
	await terminal.until('Read this text with');
	terminal.type('decimal mark comma');
	await terminal.until(/› decimal mark comma /);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/semicolon · decimal comma · dates day first[─ ]+1\/2/);
	pressAction(terminal, 'tableRows', 'right');
	pressAction(terminal, 'tableRows', 'facts');
	await terminal.until(/mean +1,?875\b/);

	write(home, 'b.csv.gz', gzipSync(Buffer.concat([Buffer.from('city,x\n'), moscow, Buffer.from(',1\n')])));
	pressAction(terminal, 'tableRows', 'close');
	await terminal.until(/31\/12\/2025 +2\.250/);
	await terminal.gone('mean');
	await openTable(terminal, 'b.csv.gz', /opens it as a table/);
	await terminal.until(/b\.csv\.gz {2}2 columns · Latin-1 · comma/);
	pressAction(terminal, 'tableRows', 'format');
	await terminal.until('Read this text with');
	terminal.type('1251');
	await terminal.until(/› 1251 /);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/2 columns · Windows-1251 · comma[^]*Москва +1/);
});

test('the facts of a column come with its histogram, of numbers by size and of text by frequency', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await openFiles(terminal);
	write(
		home,
		'a.csv',
		`id,kind\n${Array.from({length: 100}, (_, row) => `${row},${row < 75 ? 'often' : 'seldom'}\n`).join('')}`,
	);
	await openTable(terminal, 'a.csv', /columns, t table, v source/);
	await terminal.until(/a\.csv {2}2 columns · UTF-8 · comma [─ ]+1\/100/);
	pressAction(terminal, 'tableRows', 'facts');
	const numbers = await terminal.until(/│ id[^]*mean +49\.5[^]*from[^]*█/);
	const bars = [...numbers.matchAll(/(█+) +(\d+) *$/gm)].map(([, bar = '', count]) => [
		bar.length,
		Number(count),
	]);
	expect(bars.length).toBe(8);
	expect(bars.reduce((sum, [, count = 0]) => sum + count, 0)).toBe(100);
	// Bars for equal numbers of rows are equally long.
	expect(new Set(bars.map(String)).size).toBe(new Set(bars.map(([, count]) => count)).size);
	pressAction(terminal, 'tableRows', 'right');
	const words = await terminal.until(/│ kind[^]*most frequent[^]*often +█+ +75[^]*seldom +█+ +25/);
	const [often = '', seldom = ''] = words.match(/█+/g) ?? [];
	expect(Math.abs(often.length / 3 - seldom.length)).toBeLessThanOrEqual(1);
});

test('a sort of a million rows shows its progress, and Esc stops it and leaves the rows unchanged', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await openFiles(terminal);
	const rows = 1_000_000;
	write(
		home,
		'million.csv',
		`id,price\n${Array.from({length: rows}, (_, row) => `${row},${(row * 7919) % 1_000_003}\n`).join('')}`,
	);
	await openTable(terminal, 'million.csv', /columns, t table/);
	await terminal.until(/million\.csv {2}2 columns · UTF-8 · comma [─ ]+1\/1,000,000 ─$/m);
	pressAction(terminal, 'tableRows', 'right');
	pressAction(terminal, 'tableRows', 'sort');
	await terminal.until(/Sorting \d+%/);
	pressAction(terminal, 'tableRows', 'close');
	await terminal.until('Stopped');
	const stopped = await terminal.gone(/Sorting \d+%/);
	expect(stopped).toMatch(/▸ +1 +0 +0$/m);
	expect(stopped).not.toContain('sorted by');
	pressAction(terminal, 'tableRows', 'sort');
	await terminal.until(/sorted by price ↑[^]*▸ +1 +0 +0$/m);
});

test('a compressed CSV, a Parquet file and an array of numpy open as tables; a broken one gives the reason', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await openFiles(terminal);
	const parquet = parquetWriteBuffer({
		columnData: [
			{name: 'id', data: Array.from({length: 5000}, (_, at) => at), type: 'INT32'},
			{name: 'city', data: Array.from({length: 5000}, (_, at) => `city ${at % 7}`), type: 'STRING'},
		],
	});
	write(home, 'a.csv.gz', gzipSync('id,name\n1,Zürich\n2,東京\n'));
	write(home, 'b.parquet', Buffer.from(parquet));
	write(home, 'cut.parquet', Buffer.from(parquet).subarray(0, 900));
	write(
		home,
		'large.parquet',
		Buffer.from(
			parquetWriteBuffer({
				columnData: [{name: 'n', data: Int32Array.from({length: 1_000_500}, (_, at) => at), type: 'INT32'}],
			}),
		),
	);
	const values = Buffer.from(Float64Array.of(0.5, 1.5, 2.5, 3.5).buffer);
	const head = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\n";
	write(
		home,
		'c.npy',
		Buffer.concat([
			Buffer.from(`\u0093NUMPY\u0001\u0000${String.fromCharCode(head.length)}\u0000${head}`, 'latin1'),
			values,
		]),
	);
	await openTable(terminal, 'a.csv.gz', /t opens it as a table/);
	await terminal.until(/a\.csv\.gz {2}2 columns · UTF-8 · comma [─ ]+1\/2[^]*1 +Zürich[^]*2 +東京/);
	pressAction(terminal, 'tableRows', 'close');
	await openTable(terminal, 'b.parquet', /b\.parquet ─[^]*t opens it as a table/);
	await terminal.until(/b\.parquet {2}2 columns · int32[─ ]+1\/5,000[^]*4 +3 +city 3/);
	pressAction(terminal, 'tableRows', 'close');
	await openTable(terminal, 'c.npy', /c\.npy ─[^]*t opens it as a table/);
	await terminal.until(/c\.npy {2}2 columns · <f8[─ ]+1\/2[^]*0\.5 +1\.5[^]*2\.5 +3\.5/);
	pressAction(terminal, 'tableRows', 'close');
	await openTable(terminal, 'cut.parquet', /cut\.parquet ─[^]*t opens it as a table/);
	await terminal.until('cut.parquet cannot be shown as a table');
	await openTable(terminal, 'large.parquet', /large\.parquet ─[^]*t opens it as a table/);
	await terminal.until(/large\.parquet {2}1,000,000 of 1,000,500 rows · 1 column/);
	await terminal.until(/1,000,000 of 1,000,500 rows are read: T on the file reads all in the REPL/);
	pressAction(terminal, 'tableRows', 'close');
	await terminal.until(/large\.parquet ─/);
	pressAction(terminal, 'viewer', 'frame');
	await terminal.until(/import pandas[^]*data = pandas\.read_parquet\("large\.parquet"\)/);
	await terminal.until('ModuleNotFoundError');
});

test.skipIf(!hasPandas || findJupyter(process.env) === null)(
	'a whole CSV is read in the REPL, and its frame opens from the kernel',
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, env: {SVC_ENGINE: 'jupyter'}});
		await openFiles(terminal);
		write(
			home,
			'a.csv',
			`city;price\n${Array.from({length: 3000}, (_, at) => `city ${at};${at}\n`).join('')}`,
		);
		await openTable(terminal, 'a.csv', /city 1 +1/);
		await terminal.until(/a\.csv {2}2 columns/);
		pressAction(terminal, 'tableRows', 'close');
		await terminal.until(/city 1 +1/);
		pressAction(terminal, 'viewer', 'frame');
		await terminal.until(/read_csv\("a\.csv", sep=";"\)[^]*3000 rows/);
		await readCells(terminal);
		pressAction(terminal, 'cells', 'table');
		await terminal.until(/data {2}2 columns · object[─ ]+1\/3,000/);
	},
);

test('an Arrow file opens as a table, and of a workbook or a SQLite file one chooses a table', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await openFiles(terminal);
	write(home, 'f.arrow', tableToIPC(tableFromArrays({id: Int32Array.of(7, 8), share: [0.5, 1.5]}), 'file'));
	const database = join(serverFolder(serviceFolder(home)), 'shop.db');
	const sql = `CREATE TABLE orders (id INTEGER, city TEXT); INSERT INTO orders VALUES (1, 'Bern'), (2, 'Oslo');
		CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT max(i) FROM n;`;
	execFileSync('python3', [
		'-c',
		'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])',
		database,
		sql,
	]);
	write(
		home,
		'book.xlsx',
		workbookOf({
			'Q1 2026': '<row><c t="inlineStr"><is><t>city</t></is></c><c t="inlineStr"><is><t>n</t></is></c></row>',
			Prices:
				'<row><c t="inlineStr"><is><t>city</t></is></c><c t="inlineStr"><is><t>price</t></is></c></row><row><c t="inlineStr"><is><t>Bern</t></is></c><c><v>2.5</v></c></row>',
		}),
	);
	await openTable(terminal, 'f.arrow', /opens it as a table/);
	await terminal.until(/f\.arrow {2}2 columns · int32[─ ]+1\/2[^]*▸ +1 +7 +0\.5/);
	pressAction(terminal, 'tableRows', 'close');
	await openTable(terminal, 'book.xlsx', /book\.xlsx[^]*opens it as a table/);
	await terminal.until(/Tables of book\.xlsx[^]*Q1 2026[^]*Prices/);
	terminal.type('prices');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/book\.xlsx, Prices {2}2 columns[─ ]+1\/1[^]*city +price[^]*Bern +2\.5/);
	pressAction(terminal, 'tableRows', 'close');
	await openTable(terminal, 'shop.db', /shop\.db[^]*opens it as a table/);
	await terminal.until(/Tables of shop\.db[^]*endless[^]*orders/);
	terminal.type('endless');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/shop\.db, endless/);
	pressAction(terminal, 'tableOpening', 'leave');
	await terminal.until(/opens it as a table/);
	pressAction(terminal, 'viewer', 'table');
	await terminal.until(/Tables of shop\.db/);
	terminal.type('orders');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/shop\.db, orders {2}2 columns · integer[─ ]+1\/2[^]*▸ +1 +1 +Bern/);
});
