import {expect, test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {openRepl, runCode, startWelcome} from './steps.ts';

const SIZE = {columns: 90, rows: 40};

test('one Esc stops waiting for a cell, and its late answer still lands in it', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, 'import time; time.sleep(3); print("late" + "comer")');
	await terminal.until(/esc stop waiting/);
	pressAction(terminal, 'repl', 'leave');
	const detached = await terminal.until('a late answer still lands here');
	expect(detached).toMatch(/In \[\*] +import time/);
	expect(detached).not.toContain('latecomer');
	const landed = await terminal.until('latecomer');
	expect(landed).toMatch(/In \[1] +import time.*\n latecomer\n/);
	expect(landed).not.toContain('still lands here');
});

test('a second Esc interrupts an endless loop, and the names from before it are kept', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, 'before = 40');
	await terminal.until('In [1]');
	runCode(terminal, 'while True: pass');
	await terminal.until(/\.\.\. *\n/);
	pressAction(terminal, 'repl', 'run');
	await terminal.until(/esc stop waiting/);
	pressAction(terminal, 'repl', 'leave');
	await terminal.until(/esc interrupt the cell/);
	pressAction(terminal, 'repl', 'leave');
	await terminal.until(/^ interrupted$/m);
	runCode(terminal, '2+2');
	await terminal.until(/Out\[\d+] +4$/m);
	runCode(terminal, 'before + 2');
	await terminal.until(/Out\[\d+] +42$/m);
});

test('a cell sent while another runs waits its turn, visibly, and then runs', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, 'import time; time.sleep(2); done = "first done"');
	await terminal.until(/esc stop waiting/);
	runCode(terminal, 'done');
	await terminal.until('waits for the cell before it');
	await terminal.until(/Out\[2] +'first done'/);
});

test('Esc never deletes what is being typed while a cell runs', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, 'import time; time.sleep(60)');
	await terminal.until(/esc stop waiting/);
	terminal.type('my_draft');
	await terminal.until('>>> my_draft');
	pressAction(terminal, 'repl', 'leave');
	await terminal.until(/esc interrupt the cell/);
	pressAction(terminal, 'repl', 'leave');
	const screen = await terminal.until(/^ interrupted$/m);
	expect(screen).toContain('>>> my_draft');
});
