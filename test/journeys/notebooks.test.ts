// @module-tag long
// Editing a notebook cell by cell, with outputs below the cells. Saving changes only the edited
// parts of the file.
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {notebookFaults} from '../support/notebook-schema.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {startWelcome} from './steps.ts';

const pathIn = (home: Home, name: string): string => join(serverFolder(serviceFolder(home)), name);
const stored = (home: Home, name: string): string => readFileSync(pathIn(home, name), 'utf8');

/**
 * A file as another program wrote it: with four spaces, odd metadata, and no line end at the end.
 */
const TEXT = JSON.stringify(
	{
		metadata: {
			colab: {name: 'odd.ipynb', provenance: []},
			kernelspec: {name: 'python3', display_name: 'Python 3'},
		},
		cells: [
			{cell_type: 'markdown', id: 'head', metadata: {id: 'x_1'}, source: '# Odd ones'},
			{
				cell_type: 'code',
				execution_count: null,
				id: 'add',
				metadata: {vscode: {languageId: 'python'}},
				outputs: [],
				source: ['total = 40\n', 'print("sum", total + 2)'],
			},
			{
				cell_type: 'code',
				execution_count: 7,
				id: 'last',
				metadata: {},
				outputs: [{name: 'stdout', output_type: 'stream', text: ['kept\n']}],
				source: ['print("kept")'],
			},
		],
		nbformat: 4,
		nbformat_minor: 5,
	},
	null,
	4,
);

/** Opens the notebook, and starts to work in it. */
const openNotebook = async (terminal: Terminal, home: Home): Promise<void> => {
	await startWelcome(terminal);
	writeFileSync(pathIn(home, 'odd.ipynb'), TEXT);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('prices.ipynb');
	pressAction(terminal, 'global', 'zoom');
	await terminal.gone('── 6 Assistant');
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until('Tab complete');
	terminal.type('file odd.ipynb');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/Odd ones[^]*\[ \] +total = 40/);
	pressAction(terminal, 'viewer', 'work');
	await terminal.until(/saved · python3 · cell 1 of 3/);
};

test(
	'cells are edited in place and run, their outputs appear below them, and saving changes these cells only',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 100, rows: 40});
		await openNotebook(terminal, home);
		pressAction(terminal, 'notebook', 'down');
		await terminal.until('cell 2 of 3');
		pressAction(terminal, 'notebook', 'edit');
		await terminal.until('esc done');
		terminal.type(' # changed');
		await terminal.until(/total \+ 2\) # changed/);
		pressAction(terminal, 'notebookEdit', 'leave');
		await terminal.gone('esc done');
		expect(terminal.screen()).toMatch(/not saved · python3 · cell 2 of 3/);
		pressAction(terminal, 'notebook', 'runNext');
		await terminal.until(/^ +sum 42$/m);
		await terminal.until(/\[1\] +total = 40/);
		expect(stored(home, 'odd.ipynb')).toBe(TEXT);
		pressAction(terminal, 'notebook', 'save');
		await terminal.until(/odd\.ipynb is saved/);
		await terminal.until(/─ saved · python3 · cell 3 of 3/);
		const text = stored(home, 'odd.ipynb');
		const [from, to] = [TEXT.indexOf('"execution_count": null'), TEXT.indexOf('"execution_count": 7')];
		expect(text.slice(0, from)).toBe(TEXT.slice(0, from));
		expect(text.slice(text.indexOf('"id": "last"'))).toBe(TEXT.slice(TEXT.indexOf('"id": "last"')));
		expect(text.slice(from)).toContain(TEXT.slice(to));
		const json = JSON.parse(text) as {readonly cells: readonly unknown[]};
		expect(notebookFaults(json)).toEqual([]);
		expect(json.cells[1]).toMatchObject({
			execution_count: 1,
			outputs: [{name: 'stdout', output_type: 'stream', text: ['sum 42\n']}],
			source: ['total = 40\n', 'print("sum", total + 2) # changed'],
		});
	},
);

test('a markdown cell is shown as it was written while it is edited, and rendered before and after', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 100, rows: 40});
	await openNotebook(terminal, home);
	expect(await terminal.until(/Odd ones/)).not.toContain('# Odd ones');
	pressAction(terminal, 'notebook', 'edit');
	await terminal.until(/# Odd ones[^]*esc done/);
	pressAction(terminal, 'notebookEdit', 'lineEnd');
	terminal.type(' and **even** ones');
	await terminal.until('# Odd ones and **even** ones');
	pressAction(terminal, 'notebookEdit', 'leave');
	await terminal.until(/not saved[^]*▌ +Odd ones and even ones/);
	expect(terminal.screen()).not.toMatch(/# Odd|\*\*/);
});

test('cells are added, moved, split, merged, deleted and converted, and each step can be undone', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 100, rows: 45});
	await openNotebook(terminal, home);
	pressAction(terminal, 'notebook', 'addBelow');
	await terminal.until(/cell 2 of 4[^]*esc done/);
	terminal.type('one = 1');
	pressAction(terminal, 'notebookEdit', 'newline');
	terminal.type('two = 2');
	await terminal.until(/one = 1\n.? +two = 2/);
	pressAction(terminal, 'notebookEdit', 'lineStart');
	pressAction(terminal, 'notebookEdit', 'split');
	await terminal.until(/cell 3 of 5[^]*\[ \] +one = 1\n\s*\n.*\[ \] +two = 2/);
	pressAction(terminal, 'notebook', 'moveUp');
	await terminal.until(/cell 2 of 5[^]*two = 2\n\s*\n.*\[ \] +one = 1/);
	pressAction(terminal, 'notebook', 'merge');
	await terminal.until(/cell 2 of 4[^]*\[ \] +two = 2\n. +one = 1/);
	pressAction(terminal, 'notebook', 'markdown');
	await terminal.until(/two = 2[^]*one = 1[^]*\[ \] +total/);
	await terminal.gone(/\[ \] +two/);
	pressAction(terminal, 'notebook', 'remove');
	await terminal.until('cell 2 of 3');
	await terminal.gone('two = 2');
	for (const seen of [
		/two = 2[^]*cell 2 of 4|cell 2 of 4[^]*two = 2/,
		/\[ \] +two = 2\n. +one = 1/,
		/cell 2 of 5/,
	]) {
		pressAction(terminal, 'notebook', 'undo');
		await terminal.until(seen);
	}
	pressAction(terminal, 'notebook', 'runAll');
	await terminal.until(/\[4\] +print\("kept"\)/);
	expect(stored(home, 'odd.ipynb')).toBe(TEXT);
	pressAction(terminal, 'notebook', 'clearAll');
	await terminal.until(/\[ \] +print\("kept"\)/);
	pressAction(terminal, 'notebook', 'undo');
	await terminal.until(/\[4\] +print\("kept"\)/);
});

test(
	"dd deletes a cell, x c v cut, copy and paste it, also into another notebook, # lists headings, and 00 restarts this notebook's kernel",
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 100, rows: 40});
		await openNotebook(terminal, home);
		writeFileSync(pathIn(home, 'other.ipynb'), TEXT.replaceAll('40', '50'));
		terminal.press('j');
		await terminal.until('cell 2 of 3');
		terminal.press('d');
		await terminal.until(/^ +d … +d delete .*esc cancel/m);
		terminal.press('d');
		await terminal.until(/cell 2 of 2/);
		expect(terminal.screen()).not.toContain('total = 40');
		terminal.press('u');
		await terminal.until(/cell 2 of 3/);
		terminal.press('x');
		await terminal.until('A cell was cut: v pastes it');
		terminal.press('k', 'v');
		await terminal.until(/cell 2 of 3[^]*total = 40[^]*print\("kept"\)/);
		terminal.press('c', 'G', 'v');
		await terminal.until(/cell 4 of 4[^]*total = 40[^]*print\("kept"\)[^]*total = 40/);
		terminal.press('#');
		await terminal.until(/Headings of odd\.ipynb[^]*Odd ones +cell 1/);
		terminal.press('enter');
		await terminal.until(/cell 1 of 4/);
		terminal.press('A');
		await terminal.until(/\[3\] +total = 40/);
		terminal.press('0', '0');
		await terminal.until('Restart the kernel of odd.ipynb?');
		terminal.press('y');
		await terminal.until(/kernel of odd\.ipynb was restarted/);
		pressAction(terminal, 'notebook', 'save');
		await terminal.until(/odd\.ipynb is saved/);
		pressAction(terminal, 'global', 'commandLine');
		await terminal.until('Tab complete');
		terminal.type('file other.ipynb');
		pressAction(terminal, 'chooser', 'accept');
		await terminal.until('total = 50');
		pressAction(terminal, 'viewer', 'work');
		await terminal.until(/saved · python3 · cell 1 of 3/);
		terminal.press('v', 's');
		await terminal.until(/other\.ipynb is saved/);
		const {cells} = JSON.parse(stored(home, 'other.ipynb')) as {
			readonly cells: readonly {readonly id: string; readonly source: readonly string[]}[];
		};
		expect(cells.map(({source}) => [source].flat().join('').split('\n')[0])).toEqual([
			'# Odd ones',
			'total = 40',
			'total = 50',
			'print("kept")',
		]);
	},
);

test('unsaved changes are offered after kill -9, restored in the notebook, and saved', async () => {
	await using home = await newHome({keeps: true});
	const edits = join(home.folder, '.local/state/svc-tui/edits');
	{
		await using terminal = await openProgram({home, columns: 100, rows: 40});
		await openNotebook(terminal, home);
		// After code has run, the service continues after its program has ended, even if the next
		// start comes late.
		pressAction(terminal, 'notebook', 'runAll');
		await terminal.until(/\[2\] +print\("kept"\)/);
		pressAction(terminal, 'notebook', 'addBelow');
		await terminal.until(/cell 2 of 4[^]*esc done/);
		terminal.type('precious = 1');
		await expect
			.poll(() =>
				existsSync(edits)
					? readdirSync(edits, {recursive: true, withFileTypes: true})
							// A copy that is still being written does not count.
							.filter(each => each.isFile() && each.name === 'odd.ipynb')
							.some(each => readFileSync(join(each.parentPath, each.name), 'utf8').includes('precious'))
					: false,
			)
			.toBe(true);
		terminal.kill('SIGKILL');
		await terminal.exit;
	}
	expect(stored(home, 'odd.ipynb')).toBe(TEXT);
	await using terminal = await openProgram({home, args: ['--fresh'], columns: 100, rows: 40});
	await terminal.until(/odd\.ipynb.* were not saved: :edits/);
	await terminal.until(/welcome \S ready/);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('prices.ipynb');
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until('Tab complete');
	terminal.type('file odd.ipynb');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/Odd ones[^]*\[ \] +total = 40/);
	pressAction(terminal, 'viewer', 'work');
	await terminal.until(/precious[^]*y continue editing/);
	pressAction(terminal, 'keptEdit', 'takeUp');
	await terminal.until(/not saved · python3 · cell 1 of 4/);
	pressAction(terminal, 'notebook', 'save');
	await terminal.until(/odd\.ipynb is saved/);
	expect(stored(home, 'odd.ipynb')).toContain('precious = 1');
	await expect.poll(() => readdirSync(edits)).toEqual([]);
});

test('a notebook changed by another client is not overwritten: a question asks about it', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 100, rows: 40});
	await openNotebook(terminal, home);
	pressAction(terminal, 'notebook', 'addBelow');
	await terminal.until(/cell 2 of 4[^]*esc done/);
	terminal.type('mine = 1');
	await terminal.until(/\[ \] +mine = 1/);
	const theirs = TEXT.replace('Odd ones', 'Their ones');
	writeFileSync(pathIn(home, 'odd.ipynb'), theirs);
	pressAction(terminal, 'notebookEdit', 'save');
	await terminal.until(
		/Changed by someone else: [^]*From theirs to yours:[^]*cell 1, markdown[^]*- # Their ones[^]*\+ # Odd ones[^]*cell 2, code, new[^]*\+ mine = 1/,
	);
	expect(terminal.screen()).not.toContain('"cell_type"');
	expect(stored(home, 'odd.ipynb')).toBe(theirs);
	pressAction(terminal, 'conflict', 'mine');
	await terminal.until('overwrite their changes');
	pressAction(terminal, 'confirm', 'yes');
	await terminal.until(/odd\.ipynb is saved/);
	expect(stored(home, 'odd.ipynb')).toMatch(/Odd ones[^]*mine = 1/);
	await terminal.until(/odd\.ipynb ─+ saved · python3 · cell 2 of 4[^]*⏎ edit/);
	pressAction(terminal, 'notebook', 'run');
	await terminal.until(/\[1\] +mine = 1/);
	pressAction(terminal, 'notebook', 'compare');
	await terminal.until(
		/Save odd\.ipynb\?[^]*cell 2, code ─[^]*execution count changed: none before, 1 after/,
	);
});
