// @module-tag long
import {readdirSync, readFileSync} from 'node:fs';
import {readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {untilNoProcessUses} from '../support/processes.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, runCommand, type Home} from '../support/program.ts';
import {notebookFaults} from '../support/notebook-schema.ts';
import {openRepl, readCells, runCode, startWelcome} from './steps.ts';
import {waitFor} from '../support/wait-for.ts';

const SIZE = {columns: 90, rows: 40};
const journalOf = (home: Home): string => {
	const folder = join(home.folder, '.local/state/svc-tui/cells');
	return readdirSync(folder)
		.filter(name => !name.includes('running-'))
		.map(name => readFileSync(join(folder, name), 'utf8'))
		.join('');
};
const onClipboard = (text: string): string => `c;${Buffer.from(text).toString('base64')}`;

test('after a kill the next program shows the cells again and knows all code that was run', async () => {
	await using home = await newHome();
	{
		await using terminal = await openProgram({home, ...SIZE});
		await startWelcome(terminal);
		await openRepl(terminal);
		runCode(terminal, 'print("from " + "before")');
		await terminal.until(/^ +from before$/m);
		runCode(terminal, '1/0');
		await terminal.until('ZeroDivisionError');
		// The traceback appears before the cell has ended, and the cell is stored only then.
		await terminal.until('[2]');
		runCode(terminal, 'while True: pass');
		await terminal.until(/\.\.\. *\n/);
		pressAction(terminal, 'repl', 'run');
		await terminal.until(/\[\*]/);
		await waitFor(() => expect(journalOf(home)).toContain('while True'));
		terminal.kill('SIGKILL');
		await terminal.exit;
	}
	// The local service ends a second after the program. A program started before that would use
	// it, with this server.
	await untilNoProcessUses(home.folder);
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	// The program first checks whether the kernel still runs the cell, then shows this.
	const back = await terminal.until(/the program ended before the result arrived/);
	expect(back).toMatch(/── earlier, \d{4}-\d\d-\d\d \d\d:\d\d ─/);
	expect(back).toMatch(/\[1].*\n +from before\n/);
	expect(back).toContain('ZeroDivisionError: division by zero');
	expect(back).toMatch(/\[[ 3]] +while True: pass\n +the program ended before the result arrived/);
	runCode(terminal, '6 * 7');
	await terminal.until(/── now ─+\n\n \[1] +6 \* 7[^]*→ +42/);
	// The program knows by now that the cell does not run; its end was not observed.
	expect(terminal.screen()).toMatch(
		/\[[ 3]] +while True: pass\n +the program ended before the result arrived/,
	);
	terminal.type('print');
	await terminal.until('>>> print');
	pressAction(terminal, 'repl', 'earlier');
	await terminal.until('>>> print("from " + "before")');
	pressAction(terminal, 'repl', 'killToStart');
	pressAction(terminal, 'repl', 'search');
	await terminal.until('Earlier code 4');
	terminal.type('fore');
	await terminal.until(/› fore/);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until('>>> print("from " + "before")');
	pressAction(terminal, 'repl', 'run');
	await terminal.until(/\[2].*\n +from before/);
});

test(
	'a cell is chosen, copied, edited and run again, and the draft is not lost',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, ...SIZE});
		await startWelcome(terminal);
		await openRepl(terminal);
		for (const [number, code] of ['a = 20', 'a += 1; print("a is", a)', 'a * 2'].entries()) {
			runCode(terminal, code);
			await terminal.until(new RegExp(String.raw`\[${number + 1}]`));
		}
		await terminal.until(/\[3\] [^]*→ +42/);
		terminal.type('unfinished');
		await readCells(terminal);
		await terminal.until(/^▌\[3]/m);
		pressAction(terminal, 'cells', 'previous');
		await terminal.until(/^▌\[2]/m);
		pressAction(terminal, 'cells', 'copySource');
		await terminal.untilTrue('the code on the clipboard', () =>
			terminal.events.clipboard.includes(onClipboard('a += 1; print("a is", a)')),
		);
		pressAction(terminal, 'cells', 'copyOutput');
		await terminal.untilTrue('the output on the clipboard', () =>
			terminal.events.clipboard.includes(onClipboard('a is 21\n')),
		);
		pressAction(terminal, 'cells', 'again');
		await terminal.until(/\[4].*\n.? +a is 22/);
		pressAction(terminal, 'cells', 'change');
		await terminal.until('>>> a += 1; print("a is", a)');
		terminal.type(' # again');
		pressAction(terminal, 'repl', 'run');
		await terminal.until(/\[5].*# again.*\n.? +a is 23/);
		pressAction(terminal, 'repl', 'earlier');
		pressAction(terminal, 'repl', 'earlier');
		await terminal.until('>>> unfinished');
	},
);

test('all above a cell runs again in order, up to the first that fails', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, 'n = globals().get("n", 0) + 1; print("n is", n)');
	await terminal.until(/^ +n is 1$/m);
	runCode(terminal, 'assert n < 2');
	await terminal.until('[2]');
	runCode(terminal, 'print("never twice")');
	await terminal.until(/^ +never twice$/m);
	runCode(terminal, '"last"');
	await terminal.until(/\[4\] [^]*→ /);
	await readCells(terminal);
	pressAction(terminal, 'cells', 'allAbove');
	const screen = await terminal.until(/AssertionError[^]*was not run/);
	expect(screen).toMatch(/n is 2/);
	expect(screen.match(/never twice$/gm)).toHaveLength(1);
});

test('cells that wait are seen, and one can be taken out of the queue', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	await writeFile(join(home.folder, 'go'), '');
	runCode(terminal, 'import os, time');
	await terminal.until('[1]');
	terminal.paste('while not os.path.exists("go"):\n    time.sleep(0.01)\n');
	pressAction(terminal, 'repl', 'run');
	await terminal.until(/\[\*]/);
	runCode(terminal, 'print("taken " + "out")');
	await terminal.until('waiting for the previous cell');
	runCode(terminal, 'print("stays " + "in")');
	await terminal.until(/, 2 waiting/);
	await terminal.until(/running/);
	// Esc would stop the running cell instead.
	pressAction(terminal, 'repl', 'read');
	await terminal.until('⏎ type code');
	pressAction(terminal, 'cells', 'previous');
	await terminal.until(/^▌\[.].*taken/m);
	pressAction(terminal, 'cells', 'drop');
	await terminal.until('was not run');
	await runCommand(['files', 'put', 'welcome', join(home.folder, 'go'), 'go'], {home});
	const screen = await terminal.until(/^.? +stays in$/m);
	expect(screen).not.toMatch(/taken out$/m);
});

test('the error of a cell is explained with the lines of the file around it, shown before it is sent', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	const file = join(home.folder, 'broken.py');
	await writeFile(file, 'def third(row):\n    # the third of a row\n    return row[2]\n');
	expect(await runCommand(['files', 'put', 'welcome', file, 'broken.py'], {home})).toMatchObject({code: 0});
	await openRepl(terminal);
	runCode(terminal, 'import broken');
	await terminal.until('[1]');
	runCode(terminal, 'unused = 1');
	await terminal.until('[2]');
	runCode(terminal, 'broken.third([1])');
	await terminal.until('IndexError');
	await readCells(terminal);
	pressAction(terminal, 'cells', 'explain');
	const packet = await terminal.until('Send this to the assistant?');
	expect(packet).toContain('IndexError: list index out of range');
	expect(packet).toContain('# the third of a row');
	pressAction(terminal, 'packet', 'last');
	expect(await terminal.until(/Cell 1, which defines or changes broken:[^]*import broken/)).not.toContain(
		'unused',
	);
	pressAction(terminal, 'packet', 'close');
	await terminal.gone('Send this to the assistant?');
	pressAction(terminal, 'cells', 'place');
	await terminal.until('broken.py:3');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/─ broken\.py ─[^]*▸3 +return row\[2]/);
});

test(
	'a session is written as a valid notebook, here and on the server, and nothing is written over',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, ...SIZE});
		await startWelcome(terminal);
		await openRepl(terminal);
		runCode(terminal, 'print("to the notebook"); 6 * 7');
		await terminal.until(/\[1\] [^]*→ +42/);
		runCode(terminal, '1/0');
		await terminal.until('ZeroDivisionError');
		await readCells(terminal);
		pressAction(terminal, 'cells', 'save');
		await terminal.until('Write the session to a file');
		terminal.type('work.ipynb');
		await terminal.until(/work\.ipynb +notebook, on the server/);
		pressAction(terminal, 'chooser', 'accept');
		await terminal.until('2 cells written to');
		const notebook = JSON.parse(await readFile(join(home.folder, 'work.ipynb'), 'utf8')) as {
			cells: {source: string[]; execution_count: number; outputs: {output_type: string}[]}[];
		};
		expect(notebookFaults(notebook)).toEqual([]);
		expect(
			notebook.cells.map(({source, outputs}) => [source.join(''), outputs.map(each => each.output_type)]),
		).toEqual([
			['print("to the notebook"); 6 * 7', ['stream', 'execute_result']],
			['1/0', ['error']],
		]);
		pressAction(terminal, 'cells', 'save');
		await terminal.until('Write the session to a file');
		terminal.type('work.ipynb');
		pressAction(terminal, 'chooser', 'accept');
		await terminal.until('already exists. Choose another name');
		pressAction(terminal, 'cells', 'save');
		await terminal.until('Write the session to a file');
		terminal.type('work.ipynb');
		await terminal.until(/work\.ipynb +notebook, on the server/);
		pressAction(terminal, 'chooser', 'down');
		pressAction(terminal, 'chooser', 'accept');
		await terminal.until('2 cells written to work.ipynb on welcome');
		const got = await runCommand(['files', 'get', 'welcome', 'work.ipynb'], {home});
		expect(notebookFaults(JSON.parse(got.stdout))).toEqual([]);
		expect((await readdir(home.folder)).filter(name => name.startsWith('work'))).toEqual(['work.ipynb']);
	},
);

test('a notebook is opened and run cell by cell, then as a whole, and the session is written as a valid notebook', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 200, rows: 40});
	await startWelcome(terminal);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('prices.ipynb');
	pressAction(terminal, 'global', 'commandLine');
	terminal.type('file prices.ipynb');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/r run, v source[^]*\[ \] +import csv/);
	// The REPL is beside the file.
	pressAction(terminal, 'viewer', 'run');
	await terminal.until(/Code cell 1 of 3 runs in the REPL\./);
	await terminal.until(/\[1\] +import csv/);
	await terminal.until(/▸ \[ \] +for offer in sorted/);
	pressAction(terminal, 'viewer', 'run');
	await terminal.until(/\[2\] +for offer in/);
	pressAction(terminal, 'viewer', 'foldMore');
	await terminal.until(/▸ \[ \] +for offer in sorted/);
	pressAction(terminal, 'viewer', 'foldLess');
	await terminal.until(/▸ \[ \] +from statistics/);
	// A cell takes other rows in a narrower pane.
	terminal.resize(110, 40);
	await terminal.until(/▸ \[ \] +from statistics/);
	terminal.resize(200, 40);
	await terminal.until(/▸ \[ \] +from statistics/);
	pressAction(terminal, 'viewer', 'run');
	await terminal.until(/\[3\] +from statistics/);
	pressAction(terminal, 'viewer', 'runAll');
	await terminal.until(/\[6\] +from statistics/);
	await readCells(terminal);
	pressAction(terminal, 'cells', 'save');
	await terminal.until('Write the session to a file');
	terminal.type('run.ipynb');
	await terminal.until(/run\.ipynb +notebook, on the server/);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until('6 cells written to');
	const notebook = JSON.parse(await readFile(join(home.folder, 'run.ipynb'), 'utf8')) as {
		cells: {source: string[]; outputs: {output_type: string}[]}[];
	};
	expect(notebookFaults(notebook)).toEqual([]);
	expect(notebook.cells.map(({source}) => source[0]?.trimEnd())).toEqual(
		[...Array(2)].flatMap(() => [
			'import csv',
			expect.stringContaining('for offer in sorted'),
			expect.stringContaining('from statistics'),
		]),
	);
});

test('words are found in code and output, n and N move between matches, and folded text opens there', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE, rows: 42});
	await startWelcome(terminal);
	await openRepl(terminal);
	for (const [index, code] of [
		'print("nee" + "dle")',
		'print("\\n".join(f"line {i}" for i in range(200)))',
		'found = "needle, Needle"',
	].entries()) {
		runCode(terminal, code);
		await terminal.until(`[${index + 1}]`);
	}
	await readCells(terminal);
	const lookFor = async (words: string): Promise<void> => {
		pressAction(terminal, 'cells', 'find');
		await terminal.until('leave the search');
		pressAction(terminal, 'cellFind', 'killToStart');
		terminal.type(words);
		pressAction(terminal, 'cellFind', 'accept');
	};
	await lookFor('needle');
	await terminal.until(/\/ needle 2\/2 n next, N before/);
	pressAction(terminal, 'cells', 'findNext');
	expect(await terminal.until(/\/ needle 1\/2 /)).toMatch(/^▌ +needle$/m);
	await terminal.until('The search wrapped around');
	pressAction(terminal, 'cells', 'findNext');
	await terminal.until(/\/ needle 2\/2 /);
	pressAction(terminal, 'cells', 'findPrevious');
	await terminal.until(/\/ needle 1\/2 /);
	// A capital letter makes the search case-sensitive.
	await lookFor('Needle');
	await terminal.until(/\/ Needle 1\/1 /);
	await terminal.until('170 more lines folded');
	await lookFor('line 117');
	expect(await terminal.until(/\/ line 117 1\/1 /)).toMatch(/^▌ +line 116\n▌ +line 117\n▌ +line 118$/m);
	await lookFor('nowhere');
	await terminal.until('"nowhere" is in none of the cells');
});

test('cells of earlier sessions precede those of this one, session by session, and are exported to a file with them or without', async () => {
	await using home = await newHome();
	for (const [code, result] of [
		['"of the " + "first"', 'of the first'],
		['"of the " + "second"', 'of the second'],
	] as const) {
		await using terminal = await openProgram({home, ...SIZE});
		await startWelcome(terminal);
		await openRepl(terminal);
		runCode(terminal, code);
		await terminal.until(new RegExp(`→ +'${result}'`));
		await waitFor(() => expect(journalOf(home)).toContain(result));
		terminal.kill('SIGTERM');
		await terminal.exit;
		await untilNoProcessUses(home.folder);
	}
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	const back = await terminal.until(
		/1 older cell: scroll up, or .+ for the first\n\n ── earlier, .*─\n\n \[1].*"second"/,
	);
	expect(back).not.toContain('"first"');
	runCode(terminal, '"of the " + "third"');
	await terminal.until(/── now ─+\n\n \[1].*"third".*\n → +'of the third'/);
	pressAction(terminal, 'repl', 'scrollUp');
	const all = await terminal.until(
		/── earlier, .*─\n\n \[1].*"first"[^]*── earlier, .*─\n\n \[1].*"second"[^]*── now ─+\n\n \[1].*"third"/,
	);
	expect(all).not.toContain('older cell');
	await readCells(terminal);
	for (const [name, downs, codes] of [
		['this', 0, ['third']],
		['all', 1, ['first', 'second', 'third']],
	] as const) {
		pressAction(terminal, 'cells', 'save');
		await terminal.until('Write the session to a file');
		terminal.type(`${name}.ipynb`);
		await terminal.until(
			new RegExp(
				`${name}\\.ipynb +notebook, this session, on this machine[^]*${name}\\.ipynb +notebook, all sessions, on this machine`,
			),
		);
		for (let down = 0; down < downs; down++) pressAction(terminal, 'chooser', 'down');
		pressAction(terminal, 'chooser', 'accept');
		await terminal.until(`${codes.length} cell${codes.length === 1 ? '' : 's'} written to`);
		const notebook = JSON.parse(await readFile(join(home.folder, `${name}.ipynb`), 'utf8')) as {
			cells: {source: string[]; outputs: {data: unknown}[]}[];
		};
		expect(notebookFaults(notebook)).toEqual([]);
		expect(
			notebook.cells.map(({source, outputs}) => [source.join(''), outputs.map(({data}) => data)]),
		).toEqual(codes.map(word => [`"of the " + "${word}"`, [{'text/plain': [`'of the ${word}'`]}]]));
	}
});
