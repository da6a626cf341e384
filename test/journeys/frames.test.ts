// @module-tag long
// Tables made from objects of a kernel, and the list of its variables, on both engines of the local
// service.
import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, runCommand, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {waitFor} from '../support/wait-for.ts';
import {openRepl, readCells, runCode, startWelcome} from './steps.ts';

/** Stand-in for a data frame of polars, with the documented methods, based on lists. */
const STAND_IN = `
class Column:
    def __init__(self, name, dtype, values): self.name, self.dtype, self.values = name, dtype, values
    def __len__(self): return len(self.values)
    def __getitem__(self, at): return Column(self.name, self.dtype, self.values[at]) if isinstance(at, slice) else self.values[at]
    def to_list(self): return self.values
class Frame:
    def __init__(self, *columns): self.columns = columns
    height = property(lambda self: len(self.columns[0]))
    def get_columns(self): return list(self.columns)
    def __repr__(self): return "a stand-in frame"
def make(rows):
    return Frame(Column("id", "Int64", list(range(rows))), Column("text", "String", [f"t{n % 1000}" for n in range(rows)]), Column("share", "Float64", [n % 7 / 7 if n % 5 else None for n in range(rows)]))
class Raises:
    def __repr__(self): raise ValueError("no text")
    def __len__(self): raise ValueError("no length")
    shape = property(lambda self: 1 / 0)
class Endless:
    def __repr__(self):
        while True: pass
    def __len__(self):
        while True: pass
class Escapes:
    def __repr__(self): return "\\x1b[31mred\\x1b]0;title\\x07"
`;

/** Code of a cell that waits for a file and then defines a variable. */
const WAITING = 'import os, time\nwhile not os.path.exists("go"): time.sleep(0.01)\n\nlate = 7';

const liveRepl = async (home: Home, engine: string): Promise<Terminal> => {
	const terminal = await openProgram({home, columns: 110, rows: 30, env: {SVC_ENGINE: engine}});
	await startWelcome(terminal);
	await openRepl(terminal);
	await terminal.until(/REPL · welcome · Python · live/);
	writeFileSync(join(serverFolder(serviceFolder(home)), 'standin.py'), STAND_IN);
	return terminal;
};
/** Runs a cell whose last line shows a value, and opens that as a table. */
const openResult = async (terminal: Terminal, code: string, shown: string | RegExp): Promise<void> => {
	runCode(terminal, code);
	await terminal.until(shown);
	await readCells(terminal);
	pressAction(terminal, 'cells', 'table');
};
const toPrompt = async (terminal: Terminal): Promise<void> => {
	pressAction(terminal, 'tableRows', 'close');
	await terminal.until('⏎ type code');
	pressAction(terminal, 'cells', 'edit');
	await terminal.until('>>>');
};

for (const engine of ['embedded', 'jupyter'])
	describe.skipIf(engine === 'jupyter' && findJupyter(process.env) === null)(engine, () => {
		test('a frame opens from the kernel: pages, sort, filter, statistics, a change, its end', async () => {
			await using home = await newHome();
			await using terminal = await liveRepl(home, engine);
			await openResult(terminal, 'from standin import *; frame = make(100000); frame', 'a stand-in frame');
			await terminal.until(/frame {2}3 columns · Int64[─ ]+1\/100,000/);
			pressAction(terminal, 'tableRows', 'last');
			await terminal.until(/100,000\/100,000[^]*99999 +t999/);
			pressAction(terminal, 'tableRows', 'right');
			pressAction(terminal, 'tableRows', 'right');
			pressAction(terminal, 'tableRows', 'sort');
			await terminal.until(/sorted by share ↑[^]*\n▸ *7 +7 +t7 +0\.0$/m);
			pressAction(terminal, 'tableRows', 'filter');
			await terminal.until('to the rows');
			terminal.type('t77');
			await terminal.until(/1\/1,\d\d\d of 100,000/);
			pressAction(terminal, 'tableFilter', 'accept');
			pressAction(terminal, 'tableRows', 'facts');
			await terminal.until(/Float64[^]*of the matching rows[^]*missing +\d[^]*mean +0\.\d/);
			pressAction(terminal, 'tableRows', 'facts');
			pressAction(terminal, 'tableRows', 'chart');
			await terminal.until(/share {2}histogram · \d+ values · \d+ missing · of the matching rows/);
			pressAction(terminal, 'tableChart', 'kind');
			await terminal.until(/share by row {2}line · \d+ points[^]*[▀-▟]/u);
			pressAction(terminal, 'tableChart', 'close');
			pressAction(terminal, 'tableRows', 'showAll');
			await terminal.until(/ 1\/100,000/);
			await toPrompt(terminal);
			runCode(terminal, 'frame.columns[1].values[0] = "changed"; frame');
			await terminal.until(/\[2\] [^]*→ +a stand-in frame/);
			await readCells(terminal);
			pressAction(terminal, 'cells', 'table');
			await terminal.until(/ 1\/100,000[^]*0 +0 +changed/);
		});

		test('a frame that is changed, waited for or deleted while it is open on screen', async () => {
			await using home = await newHome();
			await using terminal = await liveRepl(home, engine);
			const elsewhere = (code: string) => runCommand(['run', 'welcome', '-c', code], {home});
			await openResult(terminal, 'from standin import *; frame = make(5000); frame', 'a stand-in frame');
			await terminal.until(/frame {2}3 columns · Int64[─ ]+1\/5,000/);

			// Another client changes the frame. The next movement detects that, and the rows remain
			// on screen.
			expect(await elsewhere('frame.columns[1].values[0] = "changed"')).toMatchObject({code: 0});
			// Rows that have arrived are not requested again, so a change is noticed only once the
			// last reply is old enough.
			let presses = 0;
			await waitFor(() => {
				pressAction(terminal, 'tableRows', presses++ % 2 === 0 ? 'down' : 'up');
				expect(terminal.screen()).toMatch(/frame has changed: R reads it again/);
			});
			pressAction(terminal, 'tableRows', 'first');
			await terminal.until(/0 +0 +t0 /);
			pressAction(terminal, 'tableRows', 'reload');
			await terminal.until(/1\/5,000[^]*0 +0 +changed/);
			await terminal.gone('has changed');

			// Another client keeps the kernel busy.
			const folder = serverFolder(serviceFolder(home));
			const cell = elsewhere(
				`open("begun", "w").close()\n${WAITING.replace('late = 7', 'frame.columns[1].values[4999] = "late"')}`,
			);
			await waitFor(() => expect(existsSync(join(folder, 'begun'))).toBe(true));
			pressAction(terminal, 'tableRows', 'last');
			await terminal.until(/The kernel is running a cell: waiting for it to end +5,000\/5,000/);
			writeFileSync(join(folder, 'go'), '');
			await terminal.until(/frame has changed: R reads it again/);
			expect(await cell).toMatchObject({code: 0});
			pressAction(terminal, 'tableRows', 'reload');
			await terminal.until(/5,000\/5,000[^]*4999 +late/);

			// Opens the frame from a variable, because the kernel would retain the result of a cell
			// after `del`. The rows on the screen remain after it.
			pressAction(terminal, 'tableRows', 'close');
			await terminal.until('⏎ type code');
			pressAction(terminal, 'cells', 'variables');
			await terminal.until(/frame +Frame/);
			pressAction(terminal, 'variables', 'open');
			await terminal.until(/frame {2}3 columns · Int64[─ ]+1\/5,000/);
			expect(await elsewhere('del frame')).toMatchObject({code: 0});
			pressAction(terminal, 'tableRows', 'sort');
			await terminal.until(/frame is no longer in the kernel/);
			expect(terminal.screen()).toMatch(/0 +0 +changed/);
			expect(terminal.screen()).not.toContain('r reload');
			pressAction(terminal, 'tableRows', 'close');
			await terminal.until('Variables of the REPL');
			pressAction(terminal, 'variables', 'open');
			await terminal.until(/frame is no longer in the kernel/);
			await terminal.gone(/frame +Frame/);
		});

		test('a frame whose kernel dies while it is open keeps its rows, and names what happened', async () => {
			await using home = await newHome();
			await using terminal = await liveRepl(home, engine);
			await openResult(terminal, 'from standin import *; frame = make(5000); frame', 'a stand-in frame');
			await terminal.until(/frame {2}3 columns · Int64[─ ]+1\/5,000/);
			await runCommand(['run', 'welcome', '-c', 'import os; os._exit(1)'], {home});
			pressAction(terminal, 'tableRows', 'sort');
			await terminal.until(/The kernel has restarted or cannot be reached: R reads it again/);
			expect(terminal.screen()).toMatch(/0 +0 +t0 /);
			pressAction(terminal, 'tableRows', 'reload');
			await terminal.until(/frame is no longer in the kernel|No kernel is running/);
			expect(terminal.screen()).toMatch(/0 +0 +t0 /);
		});

		test('the variables list: values that misbehave, a running cell, open, filter, delete', async () => {
			await using home = await newHome();
			await using terminal = await liveRepl(home, engine);
			runCode(terminal, 'from standin import *; big = list(range(50000)); word = "first\\nsecond"');
			await terminal.until(/\[1]/);
			runCode(terminal, 'raises, endless, escapes = Raises(), Endless(), Escapes()');
			await terminal.until(/\[2]/);
			// The list is asked for while the cell runs, and holds the cell's result.
			terminal.paste(WAITING);
			pressAction(terminal, 'repl', 'run');
			await terminal.until(/\[\*|running/);
			pressAction(terminal, 'repl', 'variables');
			await terminal.until('The kernel is running a cell');
			writeFileSync(join(serverFolder(serviceFolder(home)), 'go'), '');
			await terminal.until(/late +int +\d+ +7/);
			await terminal.until(/big +list +50,000 +[\d.]+ [KM] +\[0, 1, 2/);
			await terminal.until(/raises +Raises +\d+ +<Raises: ValueError>/);
			await terminal.until(/endless +Endless +\d+ +<Endless: its text takes too long>/);
			await terminal.until(/escapes +Escapes +\d+ +.*\^\[\[31mred/);
			pressAction(terminal, 'variables', 'open');
			await terminal.until(/big {2}1 column[─ ]+1\/50,000/);
			pressAction(terminal, 'tableRows', 'close');
			await terminal.until('Variables of the REPL');
			pressAction(terminal, 'variables', 'filter');
			await terminal.until('to the rows');
			terminal.type('word');
			await terminal.gone(/big +list/);
			pressAction(terminal, 'variablesFilter', 'accept');
			await terminal.until('^X d delete');
			pressAction(terminal, 'variables', 'open');
			await terminal.until(/ word: str [^]* first +│[^]* second +│/);
			pressAction(terminal, 'reader', 'close');
			await terminal.until('^X d delete');
			pressAction(terminal, 'variables', 'remove');
			await terminal.until('Delete word?');
			pressAction(terminal, 'confirm', 'yes');
			await terminal.until('word is deleted');
			await terminal.until('No variables match');
			pressAction(terminal, 'variables', 'close');
			await terminal.until('>>>');
			runCode(terminal, '"word" in globals()');
			await terminal.until(/\[4\] [^]*→ +False/);
		});
	});
