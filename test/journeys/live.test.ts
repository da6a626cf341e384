// @module-tag long
// The live link to Debian's Jupyter Server: output appears as it is printed, in the same kernel
// that the service uses.
import {expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {pressAction} from '../support/press-action.ts';
import {processesUsing} from '../support/processes.ts';
import {newHome, openProgram, runCommand, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {waitFor} from '../support/wait-for.ts';
import {openRepl, readCells, runCode, startWelcome} from './steps.ts';

const missing = findJupyter(process.env) === null;
if (missing)
	console.warn('\n*** SKIPPED: no live link: jupyter-server and ipykernel are not installed ***\n');

const SIZE = {columns: 90, rows: 40};
const liveRepl = async (home: Home): Promise<Terminal> => {
	const terminal = await openProgram({home, ...SIZE, env: {SVC_ENGINE: 'jupyter'}});
	await startWelcome(terminal);
	await openRepl(terminal);
	await terminal.until(/REPL · welcome · Python · live/);
	return terminal;
};
/** Code that waits until the file exists. */
const awaitFile = (name: string): string =>
	`import os, time\nwhile not os.path.exists("${name}"): time.sleep(0.02)\n`;
const put = async (home: Home, name: string): Promise<void> => {
	expect(await runCommand(['files', 'put', 'welcome', '-', name], {home, input: 'x'})).toMatchObject({
		code: 0,
	});
};
const send = (terminal: Terminal, code: string): void => {
	terminal.paste(code);
	pressAction(terminal, 'repl', 'run');
};

test.skipIf(missing)(
	'output of a cell is on screen before it ends, and the variables are those of the service',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		await using terminal = await liveRepl(home);
		send(terminal, `print("first", flush=True)\n${awaitFile('go')}print("second"); shared = 41`);
		const during = await terminal.until(/^ +first$/m);
		expect(during).toMatch(/\[\*]/);
		expect(during).not.toMatch(/^ +second$/m);
		await put(home, 'go');
		expect(await terminal.until(/^ +second$/m)).toMatch(/^ +first\n +second$/m);
		await terminal.until('[1]');
		expect(await runCommand(['run', 'welcome', '-c', 'print(shared + 1)'], {home})).toMatchObject({
			code: 0,
			stdout: '42\n',
		});
		expect(await runCommand(['run', 'welcome', '-c', 'other = 6'], {home})).toMatchObject({code: 0});
		runCode(terminal, 'other * 7');
		await terminal.until(/\[\d+\] [^]*→ +42$/m);
	},
);

test.skipIf(missing)(
	'an interrupted cell keeps its output, with KeyboardInterrupt below, also in the next program and in a notebook',
	async () => {
		await using home = await newHome();
		{
			await using terminal = await liveRepl(home);
			send(
				terminal,
				'import time\nprint("worked " + "hours", flush=True)\nwhile True: time.sleep(0.05)\nprint("never")',
			);
			await terminal.until(/^ +worked hours$/m);
			pressAction(terminal, 'repl', 'leave');
			await terminal.until(/esc interrupt the cell/);
			pressAction(terminal, 'repl', 'leave');
			const after = await terminal.until(/^ +interrupted$/m);
			expect(after).toMatch(/^ +worked hours\n[^]*KeyboardInterrupt[^]*\n +interrupted$/m);
			runCode(terminal, '2+2');
			await terminal.until(/\[\d+\] [^]*→ +4$/m);
			await readCells(terminal);
			terminal.press(':');
			terminal.type('export kept.ipynb');
			terminal.press('\r');
			await terminal.until(/written to .*kept\.ipynb/);
			const {readFileSync} = await import('node:fs');
			const notebook = readFileSync(`${home.folder}/kept.ipynb`, 'utf8');
			expect(notebook).toContain('worked hours');
			expect(notebook).toContain('"ename": "KeyboardInterrupt"');
			pressAction(terminal, 'anywhere', 'quit');
			await terminal.exit;
		}
		// A service that has not ended yet would be used again, together with its server.
		await waitFor(async () => expect(await processesUsing(home.folder)).toEqual([]));
		await using again = await openProgram({home, ...SIZE, args: ['--fresh'], env: {SVC_ENGINE: 'jupyter'}});
		await startWelcome(again);
		await openRepl(again);
		expect(await again.until(/^ +interrupted$/m)).toMatch(/^ +worked hours\n[^]*KeyboardInterrupt/m);
	},
);

test.skipIf(missing)(
	'bars are drawn in place, clear_output waits for what comes next, a display is changed from a later cell, stderr stays in order',
	async () => {
		await using home = await newHome();
		await using terminal = await liveRepl(home);
		send(
			terminal,
			`import sys\nfor i in range(4): print(f"\\r{i * 25} %", end="", flush=True)\n${awaitFile('one')}print("\\r100 %")\nprint("out"); sys.stdout.flush(); print("err", file=sys.stderr); sys.stderr.flush(); print("out again")`,
		);
		expect(await terminal.until(/^ +75 %$/m)).not.toMatch(/^ +(?:0|25|50) %/m);
		await put(home, 'one');
		expect(await terminal.until(/^ +out again$/m)).toMatch(/^ +100 %\n +out\n +err\n +out again$/m);
		send(
			terminal,
			`from IPython.display import clear_output, display\nprint("old", flush=True)\n${awaitFile('two')}clear_output(wait=True)\n${awaitFile('three')}shown = display("before", display_id=True)`,
		);
		await terminal.until(/^ +old$/m);
		await put(home, 'two');
		await put(home, 'three');
		expect(await terminal.until(/^ +'before'$/m)).not.toMatch(/^ +old$/m);
		runCode(terminal, 'shown.update("after")');
		expect(await terminal.until(/^ +'after'$/m)).not.toMatch(/^ +'before'$/m);
	},
);
