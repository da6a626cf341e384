import {expect, test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {openPricesFile, openRepl, runCode, startWelcome} from './steps.ts';

const SIZE = {columns: 80, rows: 24};

/**
 * Writes a file on the server with a cell, and opens it. The file is the row above `prices.ipynb`,
 * the last one.
 */
const openNewFile = async (terminal: Terminal, name: string, content: string): Promise<void> => {
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, `open("${name}", "w").write(${content})`);
	await terminal.until(/\[1\] [^]*→ +\d+/);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('prices.ipynb');
	pressAction(terminal, 'tree', 'last');
	pressAction(terminal, 'tree', 'up');
	await terminal.until(new RegExp(`▸ +${name}`));
	pressAction(terminal, 'tree', 'open');
	await terminal.until(new RegExp(`─ ${name} `));
};

test('folders unfold and fold, and a file opens below the tree and scrolls to its end and back', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openPricesFile(terminal);
	await terminal.until(/src\/prices\.py ─+ 1\/32 /);
	pressAction(terminal, 'viewer', 'last');
	await terminal.until(/32 +report\(load\(\)\)/);
	pressAction(terminal, 'viewer', 'first');
	await terminal.until(/ 1 +"""What a GPU cost/);
	pressAction(terminal, 'viewer', 'tree');
	await terminal.until('⏎ open');
	pressAction(terminal, 'tree', 'up');
	pressAction(terminal, 'tree', 'fold');
	await terminal.gone(/^▸ +prices\.py|^ +prices\.py/m);
	await terminal.until(/▸ ▹ src/);
});

test(
	'long lines scroll to the side, or wrap, and wrapped the end of the file is still reached',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, ...SIZE});
		await openNewFile(
			terminal,
			'a.txt',
			'"".join(f"{i:02} " + "word " * 50 + f"tail{i:02}\\n" for i in range(20))',
		);
		await terminal.until(/^ +1 +00 word/m);
		expect(terminal.screen()).not.toContain('tail00');
		for (let step = 0; step < 30; step++) pressAction(terminal, 'viewer', 'right');
		await terminal.until('tail00');
		pressAction(terminal, 'viewer', 'wrap');
		await terminal.until(/00 word[^]*tail00/);
		pressAction(terminal, 'viewer', 'last');
		await terminal.until('tail19');
		pressAction(terminal, 'viewer', 'first');
		await terminal.until('tail00');
	},
);

test(
	'files written by a cell appear in the tree and in the open file without a key',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		// The tree has room for sizes at this width.
		await using terminal = await openProgram({home, columns: 200, rows: 30});
		await openNewFile(terminal, 'a.txt', '"before"');
		await terminal.until(/1 +before/);
		await openRepl(terminal);
		runCode(terminal, 'open("a.txt", "w").write("afterwards")');
		await terminal.until(/\[2\] [^]*→ /);
		runCode(terminal, 'open("b.txt", "w").write("new")');
		await terminal.until(/\[3\] [^]*→ /);
		pressAction(terminal, 'anywhere', 'files');
		await terminal.until(/1 +afterwards/);
		await terminal.until(/b\.txt +3/);
	},
);

test('a binary file is shown as such, with its size', {tags: 'long'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, 'open("a.bin", "wb").write(bytes(range(256)) * 4)');
	await terminal.until(/\[1\] [^]*→ +1024/);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('prices.ipynb');
	pressAction(terminal, 'tree', 'last');
	pressAction(terminal, 'tree', 'up');
	await terminal.until(/▸ +a\.bin/);
	pressAction(terminal, 'tree', 'open');
	await terminal.until(/a\.bin is not text.*1,024 bytes/);
});

test(
	'words are found during typing, n and N continue, and a line is reached by its number',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, ...SIZE});
		await openNewFile(
			terminal,
			'a.txt',
			'"".join(f"row {i} {\'Needle\' if i % 40 == 39 else \'hay\'}\\n" for i in range(200))',
		);
		pressAction(terminal, 'viewer', 'find');
		await terminal.until('back to where you were');
		terminal.type('needle');
		await terminal.until(/\/ needle +1\/5 [^]*▸ 40 +row 39 Needle/);
		pressAction(terminal, 'find', 'accept');
		await terminal.until('W wrap');
		pressAction(terminal, 'viewer', 'nextMatch');
		await terminal.until(/2\/5 [^]*▸ 80 +row 79 Needle/);
		pressAction(terminal, 'viewer', 'previousMatch');
		pressAction(terminal, 'viewer', 'previousMatch');
		await terminal.until(/5\/5 [^]*▸200 +row 199 Needle/);
		pressAction(terminal, 'global', 'commandLine');
		terminal.type('120');
		await terminal.until('Go to line 120');
		pressAction(terminal, 'chooser', 'accept');
		await terminal.until(/▸120 +row 119 Needle/);
		pressAction(terminal, 'viewer', 'find');
		await terminal.until('back to where you were');
		for (const _ of 'needle') pressAction(terminal, 'find', 'backspace');
		terminal.type('no such words');
		await terminal.until('not found');
		pressAction(terminal, 'find', 'leave');
		await terminal.until(/▸120 +row 119 Needle/);
	},
);
