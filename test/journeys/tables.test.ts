// @module-tag long
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'vitest';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {openRepl, readCells, runCode, startWelcome} from './steps.ts';

const write = (home: Home, name: string, content: string): void => {
	writeFileSync(join(serverFolder(serviceFolder(home)), name), content);
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
		await startWelcome(terminal);
		pressAction(terminal, 'anywhere', 'files');
		await terminal.until('prices.ipynb');
		write(
			home,
			'a.csv',
			`id,name,price,note\n${Array.from({length: 300}, (_, row) => `${row},"row ${row}",${row % 7 === 0 ? '' : (row * 37) % 301},${'x'.repeat(row % 5)}\n`).join('')}`,
		);
		await openTable(terminal, 'a.csv', /columns, t table, v text/);
		await terminal.until(/a\.csv {2}4 columns +1\/300/);
		pressAction(terminal, 'tableRows', 'right');
		pressAction(terminal, 'tableRows', 'right');
		pressAction(terminal, 'tableRows', 'sort');
		await terminal.until(/sorted by price ↑[^]*\n› +180 +179 +row 179 +1 /);
		pressAction(terminal, 'tableRows', 'sort');
		await terminal.until(/sorted by price ↓[^]*\n› +123 +122 +row 122 +300 /);
		pressAction(terminal, 'tableRows', 'filter');
		await terminal.until('to the rows');
		terminal.type('row 29');
		await terminal.until(/1\/11 of 300/);
		pressAction(terminal, 'tableFilter', 'accept');
		pressAction(terminal, 'tableRows', 'facts');
		await terminal.until(/of the rows that match[^]*missing/);
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
		await terminal.until(/ 1\/301[^]*column 1 +column 2[^]*› +1 +id +name/);
		pressAction(terminal, 'tableRows', 'otherHead');
		await terminal.until(/ 1\/300[^]* id +name/);
		pressAction(terminal, 'tableRows', 'close');
		await terminal.until(/columns, t table, v text/);
	},
);

test('the HTML of any object of a cell opens as a table whose head and index stay, and Esc goes back', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 90, rows: 30});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(
		terminal,
		'type("Frame", (), {"_repr_html_": lambda self: "<table><thead><tr><th></th>" + "".join(f"<th>column{n}</th>" for n in range(30)) + "</tr></thead>" + "".join(f"<tr><th>{r}</th>" + "".join(f"<td>{r * n}</td>" for n in range(30)) + "</tr>" for r in range(50)) + "</table>"})()',
	);
	await terminal.until('1421');
	await readCells(terminal);
	pressAction(terminal, 'cells', 'table');
	await terminal.until(/Out\[1] {2}31 columns +1\/50[^]*more columns ▸/);
	pressAction(terminal, 'tableRows', 'lastColumn');
	pressAction(terminal, 'tableRows', 'last');
	await terminal.until(/50\/50[^]*◂ \d+ more columns[^]*› ?49 .* 1421/);
	pressAction(terminal, 'tableRows', 'close');
	await terminal.until('type code');
});
