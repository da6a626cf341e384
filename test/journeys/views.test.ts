import {readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PNG} from 'pngjs';
import {expect, test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {startWelcome} from './steps.ts';

const write = (home: Home, name: string, content: string | Uint8Array): void => {
	const servers = join(home.folder, '.local/share/svc-tui/service/servers');
	writeFileSync(join(servers, readdirSync(servers)[0] ?? '', name), content);
};

const openFiles = async (terminal: Terminal): Promise<void> => {
	await startWelcome(terminal);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('prices.ipynb');
};

const open = (terminal: Terminal, path: string): void => {
	pressAction(terminal, 'global', 'commandLine');
	terminal.type(`file ${path}`);
	pressAction(terminal, 'chooser', 'accept');
};

test('a notebook opens as cells, markdown laid out, and v shows each as it is and back', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await openFiles(terminal);
	open(terminal, 'prices.ipynb');
	await terminal.until(/cells, v text[^]*GPU prices[^]*In \[ \] +import csv/);
	expect(terminal.screen()).not.toContain('cell_type');
	pressAction(terminal, 'viewer', 'raw');
	await terminal.until(/"cell_type": "markdown"/);
	pressAction(terminal, 'viewer', 'raw');
	await terminal.until('cells, v text');
	pressAction(terminal, 'viewer', 'find');
	await terminal.until('back to where it began');
	terminal.type('median');
	await terminal.until(/median +1\/\d/);
	pressAction(terminal, 'find', 'leave');
	await terminal.until('w wrap');
	open(terminal, 'README.md');
	await terminal.until(/laid out, v text[^]*Welcome/);
	expect(terminal.screen()).not.toContain('# Welcome');
	open(terminal, 'README.md:3');
	await terminal.until(/▸ 3 +This is a notebook server/);
});

test('a table stands in columns whatever its fields hold, and a JSON file folds level by level', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await openFiles(terminal);
	write(home, 'a.csv', 'name,n,note\n"Doe, Jane",5,"says ""hi"""\n漢字,1000,x\n');
	write(home, 'a.json', JSON.stringify({name: 'x', deep: {one: {two: [1, 2, 3]}}}));
	open(terminal, 'a.csv');
	await terminal.until(/name +n {3}note/);
	expect(terminal.screen()).toMatch(/Doe, Jane +5 {3}says "hi"/);
	expect(terminal.screen()).toMatch(/漢字 +1000 {3}x/);
	open(terminal, 'a.json');
	await terminal.until(/"deep": \{[^]*"one": ▸ \{ 1 field \}/);
	pressAction(terminal, 'viewer', 'foldLess');
	await terminal.until(/"two": ▸ \[ 3 items \]/);
	pressAction(terminal, 'viewer', 'foldMore');
	pressAction(terminal, 'viewer', 'foldMore');
	await terminal.until(/"deep": ▸ \{ 1 field \}/);
});

test('a picture is drawn, and other bytes stand as hexadecimal with their size', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await openFiles(terminal);
	const png = new PNG({width: 20, height: 10});
	png.data.fill(200);
	write(home, 'a.png', PNG.sync.write(png));
	write(home, 'broken.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]));
	write(home, 'a.bin', Buffer.from(Array.from({length: 300}, (_, at) => 255 - (at % 256))));
	open(terminal, 'a.png');
	await terminal.until(/20x10[^]*▀{20}/);
	open(terminal, 'broken.png');
	await terminal.until(/cannot be shown[^]*89 50 4e 47 ff fe/);
	open(terminal, 'a.bin');
	await terminal.until(/a\.bin is not text[^]*300 bytes[^]*00000000 +ff fe fd/);
});

test('a file of 100 MB opens, is searched, and its end and any line are gone to', async () => {
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
	await terminal.until('back to where it began');
	terminal.type('line 77777 ');
	await terminal.until(/1\/1 [^]*▸ {2}77778 +line 77777 /, 60_000);
}, 120_000);
