// @module-tag long
import {truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PNG} from 'pngjs';
import {expect, test} from 'vitest';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import {share} from '../support/share.ts';
import type {Terminal} from '../support/terminal.ts';
import {startWelcome} from './steps.ts';

const write = (home: Home, name: string, content: string | Uint8Array): void => {
	writeFileSync(join(serverFolder(serviceFolder(home)), name), content);
};

const openFiles = async (terminal: Terminal): Promise<void> => {
	await startWelcome(terminal);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('prices.ipynb');
};

const shared = share(async stack => {
	const home = stack.use(await newHome());
	const terminal = stack.use(await openProgram({home}));
	await openFiles(terminal);
	return {home, terminal};
});

/** The program in which the tests of this file open files. */
const files = async ({columns = 120, rows = 40} = {}): ReturnType<typeof shared> => {
	const all = await shared();
	all.terminal.resize(columns, rows);
	return all;
};

const open = (terminal: Terminal, path: string): void => {
	pressAction(terminal, 'global', 'commandLine');
	terminal.type(`file ${path}`);
	pressAction(terminal, 'chooser', 'accept');
};

test(
	'a notebook opens as cells, markdown formatted, and v switches to the raw text and back',
	{tags: 'short'},
	async () => {
		const {terminal} = await files();
		open(terminal, 'prices.ipynb');
		await terminal.until(/r run, v source[^]*GPU prices[^]*\[ \] +import csv/);
		expect(terminal.screen()).not.toContain('cell_type');
		pressAction(terminal, 'viewer', 'raw');
		await terminal.until(/"cell_type": "markdown"/);
		pressAction(terminal, 'viewer', 'raw');
		await terminal.until('r run, v source');
		pressAction(terminal, 'viewer', 'find');
		await terminal.until('back to where you were');
		terminal.type('median');
		await terminal.until(/median +1\/\d/);
		pressAction(terminal, 'find', 'leave');
		await terminal.until('/ find   e edit');
		open(terminal, 'README.md');
		await terminal.until(/rendered, v source[^]*Welcome/);
		expect(terminal.screen()).not.toContain('# Welcome');
		open(terminal, 'README.md:3');
		await terminal.until(/▸ 3 +This is a notebook server/);
	},
);

test(
	'a table has columns with any content of its fields, and a JSON file folds level by level',
	{tags: 'short'},
	async () => {
		const {home, terminal} = await files();
		write(home, 'a.csv', 'name,n,note\n"Doe, Jane",5,"says ""hi"""\n漢字,1000,x\n');
		write(home, 'a.json', JSON.stringify({name: 'x', deep: {one: {two: [1, 2, 3]}}}));
		open(terminal, 'a.csv');
		await terminal.until(/name +n {3}note/);
		await terminal.until(/Doe, Jane +5 {3}says "hi"/);
		await terminal.until(/漢字 +1000 {3}x/);
		open(terminal, 'a.json');
		await terminal.until(/"deep": \{[^]*"one": ▹ \{ 1 field \}/);
		pressAction(terminal, 'viewer', 'foldLess');
		await terminal.until(/"two": ▹ \[ 3 items \]/);
		pressAction(terminal, 'viewer', 'foldMore');
		pressAction(terminal, 'viewer', 'foldMore');
		await terminal.until(/"deep": ▹ \{ 1 field \}/);
	},
);

test('a CSV of megabytes has columns up to a limit, its text has the rest, and columns beyond the edge are reported', async () => {
	const {home, terminal} = await files({columns: 80, rows: 24});
	write(
		home,
		'big.csv',
		`id,name,${'a column that is rather wide,'.repeat(3)}last\n${Array.from({length: 60_000}, (_, row) => `${row},row ${row},1,2,3,end\n`).join('')}`,
	);
	write(home, 'big.md', `# Long\n\n${'word '.repeat(300_000)}\n`);
	open(terminal, 'big.csv');
	await terminal.until(/the first 200 KB, columns[^]*id +name +a column that is rather wide +a column.*…$/m);
	for (let step = 0; step < 8; step++) pressAction(terminal, 'viewer', 'right');
	await terminal.until(/last$/m);
	pressAction(terminal, 'viewer', 'find');
	await terminal.until('back to where you were');
	terminal.type('row 59999');
	await terminal.until('not found');
	pressAction(terminal, 'find', 'accept');
	await terminal.until('No match in the part shown as a table');
	pressAction(terminal, 'viewer', 'raw');
	pressAction(terminal, 'viewer', 'last');
	await terminal.until(/60001 +59999,row 59999,1,2,3,end/);
	open(terminal, 'big.md');
	await terminal.until(/big\.md.*longer than 1 MB/);
	pressAction(terminal, 'viewer', 'raw');
	await terminal.until('This file is shown as text: longer than 1 MB');
});

test('a picture is drawn, SVG too unless its text is requested, and other bytes are shown as hexadecimal with their size', async () => {
	const {home, terminal} = await files();
	const png = new PNG({width: 20, height: 10});
	png.data.fill(200);
	write(home, 'a.png', PNG.sync.write(png));
	write(home, 'broken.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]));
	write(home, 'a.bin', Buffer.from(Array.from({length: 300}, (_, at) => 255 - (at % 256))));
	open(terminal, 'a.png');
	await terminal.until(/20x10[^]*▀{20}/);
	open(terminal, 'broken.png');
	await terminal.until(/cannot be shown[^]*89 50 4e 47 ff fe/);
	const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><circle r="9"/></svg>\n';
	write(home, 'a.svg', Buffer.from(svg));
	write(home, 'broken.svg', Buffer.from('<svg>\n</SVG>\n'));
	open(terminal, 'a.svg');
	await terminal.until(/a\.svg[^]*drawn, P larger, v source[^]*30x20, 85 bytes[^]*▀{30}/);
	pressAction(terminal, 'viewer', 'raw');
	await terminal.until(/1 +<svg xmlns=/);
	open(terminal, 'broken.svg');
	await terminal.until(/the SVG cannot be read[^]*2 +<\/SVG>/);
	open(terminal, 'a.bin');
	await terminal.until(/a\.bin is not text[^]*300 bytes[^]*00000000 +ff fe fd/);
});

/** A picture of one colour, in base64. */
const pngOf = (width: number, height: number): string => {
	const png = new PNG({width, height});
	png.data.fill(200);
	return PNG.sync.write(png).toString('base64');
};

test('pictures in a notebook are drawn, even if their base64 has line breaks, SVG as PNG, and a broken one gives the reason', async () => {
	const {home, terminal} = await files();
	const base64 = pngOf(24, 10);
	const output = (data: unknown) => ({
		output_type: 'display_data',
		data: {'image/png': data, 'text/plain': '<Figure>'},
		metadata: {},
	});
	const cell = (source: string, data: unknown) => ({
		cell_type: 'code',
		execution_count: 7,
		metadata: {},
		source: [source],
		outputs: [output(data)],
	});
	const svg = ['<svg xmlns="http://www.w3.org/2000/svg" width="26" height="6">\n', '</svg>'];
	const drawing = {
		...cell('drawing()', base64),
		outputs: [{...output(base64), data: {'image/svg+xml': svg, 'text/plain': '<SVG>'}}],
	};
	write(
		home,
		'plot.ipynb',
		JSON.stringify({
			nbformat: 4,
			nbformat_minor: 5,
			metadata: {},
			cells: [
				drawing,
				cell('first()', base64),
				cell('second()', [base64.slice(0, 20), base64.slice(20)]),
				cell('third()', 'AAAA'),
			],
		}),
	);
	open(terminal, 'plot.ipynb');
	await terminal.until(
		/drawing\(\)[^]*▀{26}[^]*\[7\] +first\(\)[^]*▀{24}[^]*\[7\] +second\(\)[^]*▀{24}[^]*third\(\)[^]*picture not drawn/,
	);
});

test('a notebook of nbformat 3 reads as one of 4; broken JSON and invalid notebooks are shown as text with the reason; an empty one is marked', async () => {
	const {home, terminal} = await files();
	const old = {
		nbformat: 3,
		metadata: {},
		worksheets: [
			{
				cells: [
					{cell_type: 'heading', level: 2, source: ['Old heading']},
					{
						cell_type: 'code',
						language: 'python',
						prompt_number: 3,
						input: ['1 + 1\n', 'print("out")'],
						outputs: [
							{output_type: 'stream', stream: 'stdout', text: ['printed\n']},
							{output_type: 'pyout', prompt_number: 3, text: ['2'], png: pngOf(16, 4)},
							{output_type: 'pyerr', ename: 'OldError', evalue: 'it failed', traceback: []},
						],
					},
				],
			},
		],
	};
	write(home, 'old.ipynb', JSON.stringify(old));
	write(home, 'broken.ipynb', '{"cells": [');
	write(home, 'other.ipynb', '{"name": "x"}');
	write(home, 'empty.ipynb', '{"cells": [], "nbformat": 4}');
	write(home, 'broken.json', '{"name": ');
	open(terminal, 'old.ipynb');
	await terminal.until(/Old heading[^]*\[3\] +1 \+ 1[^]*printed\n.*→ +▀{16}\n[^]*OldError: it failed/);
	open(terminal, 'broken.ipynb');
	await terminal.until(/broken\S* [^\n]*ends in line 1[^]*1 +\{"cells": \[/);
	open(terminal, 'other.ipynb');
	await terminal.until(/other\.ipynb ─+ not a notebook: it has no cells[^]*1 +\{"name"/);
	open(terminal, 'empty.ipynb');
	await terminal.until('This notebook has no cells.');
	open(terminal, 'broken.json');
	await terminal.until(/broken\.json ─+ not valid JSON[^]*1 +\{"name":/);
});

test(
	'columns are aligned with line ends in fields, quotes, missing and surplus fields and wide characters',
	{tags: 'plain'},
	async () => {
		const {home, terminal} = await files();
		write(
			home,
			'fields.csv',
			'\uFEFFname;n;note\r\n"two\r\nlines";5;"a;b"\r\n漢字かな;1000\r\nx;2;y;surplus;\r\n"never closed;3;z\r\n',
		);
		open(terminal, 'fields.csv');
		await terminal.until(/name +n {3}note[^]*never closed/);
		expect(terminal.screen()).toMatch(
			/two\^Jlines +5 {3}a;b\n.*漢字かな +1000[ │]*\n.*x +2 {3}y {3,}surplus\n.*"never closed +3 {3}z/,
		);
		write(home, 'wide.md', '| name | n |\n|---|--:|\n| 漢字 | 5 |\n| a long name | 12345 |\n');
		open(terminal, 'wide.md');
		await terminal.until(/漢字 +│? *5[^]*a long name +│? *12345/);
	},
);

test('a file too large to be read in one piece shows its size, the limit and the alternative, and the tree keeps working', async () => {
	const {home, terminal} = await files();
	write(home, 'huge.bin', '');
	truncateSync(join(serverFolder(serviceFolder(home)), 'huge.bin'), 161 * 2 ** 20);
	open(terminal, 'huge.bin');
	await terminal.until(/161\s+MiB,[^]*160\s+MiB[^]*Read\s+a\s+part/);
	open(terminal, 'README.md');
	await terminal.until(/rendered, v source[^]*Welcome/);
});

test('a file of 100 MB opens, is searched, and its end and any line can be reached', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 100, rows: 30});
	await openFiles(terminal);
	const lines = 1_250_000;
	write(home, 'big.txt', Array.from({length: lines}, (_, at) => `line ${at} `.padEnd(79, '.')).join('\n'));
	open(terminal, 'big.txt');
	await terminal.until(/ 1 +line 0 /, 60_000);
	await terminal.until(`1/${lines} `, 60_000);
	pressAction(terminal, 'viewer', 'last');
	await terminal.until(`line ${lines - 1} `);
	open(terminal, 'big.txt:600000');
	await terminal.until(/▸ 600000 +line 599999 /, 60_000);
	pressAction(terminal, 'viewer', 'find');
	await terminal.until('back to where you were');
	terminal.type('line 77777 ');
	await terminal.until(/1\/1 [^]*▸ {2}77778 +line 77777 /, 60_000);
}, 600_000);
