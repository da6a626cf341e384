// @module-tag long
import {readFile} from 'node:fs/promises';
import {expect, test} from 'vitest';
import {openAssistant, openRepl, runCode, startWelcome} from '../journeys/steps.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, runCommand, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {waitFor} from '../support/wait-for.ts';
import {isTitleRule} from '../support/title-rule.ts';

/** The kernel function in which the process waits. */
const waitsIn = async (pid: number): Promise<string> => (await readFile(`/proc/${pid}/wchan`, 'utf8')).trim();

const BLOCKED = /tty_write|wait_woken/;

/** Fills the terminal's buffer, which nothing reads, until the program blocks. */
const untilBlocked = async (terminal: Terminal): Promise<void> => {
	let size = 0;
	await waitFor(
		async () => {
			const place = await waitsIn(terminal.pid);
			// Each new size causes a redraw and wakes a blocked program, so the state is checked
			// first. The sizes vary, because with two alternating sizes a program could see only
			// one of them.
			if (!BLOCKED.test(place)) terminal.resize(100 + (size++ % 41), 40);
			expect(place).toMatch(BLOCKED);
		},
		{interval: 100},
	);
};

const answers = async (home: Home): Promise<void> => {
	for (let round = 1; round <= 3; round++) {
		expect(await runCommand(['run', 'welcome', '-c', `print(${round} * 14)`], {home})).toMatchObject({
			code: 0,
			stdout: `${round * 14}\n`,
		});
		expect(await runCommand(['files', 'get', 'welcome', 'README.md'], {home})).toMatchObject({
			code: 0,
			stdout: expect.stringContaining('#'),
		});
	}
	expect(await runCommand(['chat', 'welcome', 'what is len?'], {home})).toMatchObject({
		code: 0,
		stdout: expect.stringContaining('len'),
	});
};

test('a terminal that hangs while an answer streams stops neither the service nor other clients, and all is right when it continues', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await startWelcome(terminal);
	await openAssistant(terminal);
	terminal.type('what is int?');
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(/reference assistant[^]*answering/);
	const goOn = terminal.stall();
	await untilBlocked(terminal);
	await answers(home);
	expect(await waitsIn(terminal.pid)).toMatch(BLOCKED);
	goOn();
	terminal.resize(130, 40);
	await terminal.untilTrue(
		'the end of the answer at the new size',
		() => / in · \d+ out/.test(terminal.screen()) && isTitleRule(terminal.line(1), 130),
		60_000,
	);
	expect(terminal.line(0)).toMatch(/^ svc-tui .*welcome \S ready/);
	pressAction(terminal, 'anywhere', 'servers');
	await terminal.until('⏎ open');
	pressAction(terminal, 'global', 'quit');
	await expect(terminal.exit).resolves.toMatchObject({code: 0});
	await expect(terminal.leftovers()).resolves.toEqual([]);
});

test('a terminal that hangs while a cell prints much stops neither the service nor other clients, and the output is there afterwards', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, 'for n in range(200000): print("line", n)');
	pressAction(terminal, 'repl', 'newline');
	pressAction(terminal, 'repl', 'run');
	await terminal.until('esc stop waiting');
	const goOn = terminal.stall();
	await untilBlocked(terminal);
	await answers(home);
	goOn();
	terminal.resize(130, 40);
	await terminal.until(/line 199999/, 60_000);
	runCode(terminal, '6*7');
	await terminal.until(/\[\d+\] [^]*→ +42/);
	await terminal.untilTrue('the new size', () => isTitleRule(terminal.line(1), 130));
});

test('a program whose terminal hangs ends when the terminal is closed, and takes nothing with it that others use', async () => {
	await using home = await newHome();
	await using other = await openProgram({home});
	await startWelcome(other);
	await using terminal = await openProgram({home});
	await terminal.until(/welcome\s.*ready/);
	terminal.stall();
	await untilBlocked(terminal);
	terminal.hangUp();
	await expect(terminal.exit).resolves.toMatchObject({code: 129});
	await openRepl(other);
	runCode(other, '6*7');
	await other.until(/\[\d+\] [^]*→ +42/);
});
