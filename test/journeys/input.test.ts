// @module-tag long
// Code that reads a line of input in the REPL, on both engines of the local service.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {pressAction} from '../support/press-action.ts';
import {processesUsing} from '../support/processes.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {waitFor} from '../support/wait-for.ts';
import {openRepl, readCells, runCode, startWelcome} from './steps.ts';

const SIZE = {columns: 90, rows: 40};
const SECRET = 'hunter-0815';
const missing = findJupyter(process.env) === null;

const liveRepl = async (home: Home, engine: string): Promise<Terminal> => {
	const terminal = await openProgram({home, ...SIZE, env: {SVC_ENGINE: engine}});
	await startWelcome(terminal);
	await openRepl(terminal);
	await terminal.until(/REPL · welcome · Python · live/);
	return terminal;
};
/** All content below a folder as one text. */
const everything = (folder: string): string =>
	readdirSync(folder, {recursive: true, withFileTypes: true})
		.filter(entry => entry.isFile())
		.map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
		.join('\n');

for (const engine of ['embedded', 'jupyter'])
	describe.skipIf(engine === 'jupyter' && missing)(engine, () => {
		test('a line is asked for in the cell, typed below it and remains as in a terminal; a secret remains nowhere', async () => {
			await using home = await newHome();
			await using terminal = await liveRepl(home, engine);
			let drawn = '';
			terminal.onOutput(chunk => {
				drawn += chunk;
			});
			runCode(
				terminal,
				'from getpass import getpass; n = input("name? "); w = getpass("word? "); print(n, len(w))',
			);
			expect(await terminal.until(/^ answer: /m)).toMatch(/^ +name\? *$/m);
			expect(await terminal.until('esc interrupt the cell')).toContain('waits for your input');
			terminal.type('Zoe');
			await terminal.until(/^ answer: Zoe/m);
			pressAction(terminal, 'answer', 'answer');
			expect(await terminal.until(/^ hidden: /m)).toMatch(/^ +name\? Zoe\n +word\? *$/m);
			terminal.type(SECRET);
			await terminal.until(/^ hidden: \*{11}$/m);
			pressAction(terminal, 'answer', 'answer');
			expect(await terminal.until(/^ +Zoe 11$/m)).toMatch(/^ +name\? Zoe\n +word\? *\n +Zoe 11$/m);
			await readCells(terminal);
			terminal.press(':');
			terminal.type('export kept.ipynb');
			terminal.press('\r');
			await terminal.until(/written to .*kept\.ipynb/);
			pressAction(terminal, 'anywhere', 'quit');
			await terminal.exit;
			expect(drawn).not.toContain(SECRET);
			// The service is ending, so files may disappear while the test reads them.
			const kept = await waitFor(() => everything(home.folder));
			expect(kept).toContain('name? Zoe');
			expect(kept).not.toContain(SECRET);
		});

		test('the tab shows a question elsewhere; Esc there interrupts, and the next cell runs', async () => {
			await using home = await newHome();
			await using terminal = await liveRepl(home, engine);
			runCode(terminal, 'import time; time.sleep(1); input("go on? ")');
			pressAction(terminal, 'anywhere', 'compute');
			await terminal.until('A cell of welcome waits for your input: Alt-5 leads there');
			expect(await terminal.until('5 REPL ?')).not.toContain('go on?');
			pressAction(terminal, 'global', 'repl');
			await terminal.until(/^ +go on\?/m);
			pressAction(terminal, 'answer', 'interrupt');
			expect(await terminal.until(/^ +interrupted$/m)).toMatch(/^ +go on\? *\n[^]*KeyboardInterrupt/m);
			runCode(terminal, '6*7');
			await terminal.until(/\[\d+\] [^]*→ +42$/m);
		});

		test('a program killed while it waits leaves the question, and reports that', async () => {
			await using home = await newHome();
			{
				await using terminal = await liveRepl(home, engine);
				runCode(terminal, 'input("lost? ")');
				await terminal.until(/^ answer: /m);
				terminal.type('half');
				await terminal.until(/^ answer: half/m);
				// The state is on screen before it is on disk.
				await waitFor(() => expect(everything(home.folder)).toContain('"state":"unanswered"'));
				terminal.kill('SIGKILL');
				await terminal.exit;
			}
			// A service that has not ended yet would be used again, together with its server.
			await waitFor(async () => expect(await processesUsing(home.folder)).toEqual([]));
			await using again = await openProgram({home, ...SIZE, args: ['--fresh'], env: {SVC_ENGINE: engine}});
			await startWelcome(again);
			await openRepl(again);
			expect(await again.until('the program ended while it waited for your input')).toMatch(/^ +lost\? *$/m);
		});
	});
