// @module-tag long
import {expect, test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, runCommand} from '../support/program.ts';
import {defineHeld, openRepl, runCode, startWelcome} from './steps.ts';

const SIZE = {columns: 90, rows: 40};

test('one Esc stops waiting for a cell, and its late answer still lands in it', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	const {begun, letGo} = await defineHeld(terminal, home);
	runCode(terminal, 'held(); print("late" + "comer")');
	await begun();
	await terminal.until(/esc stop waiting/);
	pressAction(terminal, 'repl', 'leave');
	const detached = await terminal.until('a late result still appears here');
	expect(detached).toMatch(/\[\*] +held\(\)/);
	expect(detached).not.toContain('latecomer');
	letGo();
	const landed = await terminal.until(/\[2] +held\(\).*\n +latecomer\n/);
	expect(landed).not.toContain('still lands here');
});

test('a second Esc interrupts an endless loop, and earlier variables remain', {tags: 'short'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, 'before = 40');
	await terminal.until('[1]');
	runCode(terminal, 'while True: pass');
	await terminal.until(/\.\.\. *\n/);
	pressAction(terminal, 'repl', 'run');
	await terminal.until(/esc stop waiting/);
	pressAction(terminal, 'repl', 'leave');
	await terminal.until(/esc interrupt the cell/);
	pressAction(terminal, 'repl', 'leave');
	await terminal.until(/^ +interrupted$/m);
	runCode(terminal, '2+2');
	await terminal.until(/\[\d+\] [^]*→ +4$/m);
	runCode(terminal, 'before + 2');
	await terminal.until(/\[\d+\] [^]*→ +42$/m);
});

test('a cell sent while another runs waits its turn, visibly, and then runs', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	const {begun, letGo} = await defineHeld(terminal, home);
	runCode(terminal, 'held(); done = "first done"');
	await begun();
	await terminal.until(/esc stop waiting/);
	runCode(terminal, 'done');
	await terminal.until('waiting for the previous cell');
	letGo();
	await terminal.until(/\[3\] [^]*→ +'first done'/);
});

test('Esc never deletes the draft while a cell runs', async () => {
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
	const screen = await terminal.until(/^ +interrupted$/m);
	expect(screen).toContain('>>> my_draft');
});

test('an answer that comes after the user went to another server lands in its own cell, and the other server continues unharmed', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	expect(
		await runCommand(
			[
				'server',
				'create',
				'second',
				'--environment',
				'ai',
				'--compute',
				'svc-medium',
				'--port',
				'9001',
				'--wait',
			],
			{home},
		),
	).toMatchObject({code: 0});
	await openRepl(terminal);
	terminal.paste(
		'import os, time\nwhile not os.path.exists("go"): time.sleep(0.05)\nprint("from " + "welcome")',
	);
	pressAction(terminal, 'repl', 'run');
	await terminal.until(/esc stop waiting/);
	pressAction(terminal, 'anywhere', 'servers');
	await terminal.until(/second\s.*ready/);
	pressAction(terminal, 'servers', 'down');
	await terminal.until(/▸ second/);
	pressAction(terminal, 'servers', 'open');
	await terminal.until(/second \S ready/);
	await openRepl(terminal);
	await terminal.until('REPL · second');
	// The server's default kernel is free, although the other kernel is busy.
	runCode(terminal, '"from " + "second"');
	await terminal.until(/\[1].*\n → +'from second'/);
	expect(await runCommand(['files', 'put', 'welcome', '-', 'go'], {home, input: 'go'})).toMatchObject({
		code: 0,
	});
	pressAction(terminal, 'anywhere', 'servers');
	await terminal.until(/▸ second/);
	pressAction(terminal, 'servers', 'up');
	await terminal.until(/▸ welcome/);
	pressAction(terminal, 'servers', 'open');
	await terminal.until(/welcome \S ready/);
	await openRepl(terminal);
	const landed = await terminal.until(/REPL · welcome[^]*\[1] +import os, time[^]*\n +from welcome\n/);
	expect(landed).not.toContain('from second');
});
