// @module-tag long
import {expect, test} from 'vitest';
import {keysOf, pressAction} from '../support/press-action.ts';
import {newHome, openProgram, runCommand} from '../support/program.ts';

test('a newcomer finds the server welcome and the key that starts it', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 120, rows: 40});
	const screen = await terminal.until(/welcome\s.*offline/);
	expect(screen.split('\n')[0]).toMatch(/svc-tui .*local.*1 Servers .*6 Assistant/);
	expect(screen).toContain(`Press ${keysOf('servers', 'start').join(' ')} to start welcome`);
	expect(terminal.line(39)).toMatch(/s start .*\? help +q quit *$/m);
	expect(terminal.modes()).toMatchObject({alternateScreen: true, cursorVisible: false});
});

test('the server starts after a second key has confirmed, and not before', {tags: 'short'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await terminal.until(/welcome\s.*offline/);
	pressAction(terminal, 'servers', 'start');
	await terminal.until('Start welcome?');
	pressAction(terminal, 'servers', 'start');
	pressAction(terminal, 'confirm', 'no');
	await terminal.gone('Start welcome?');
	pressAction(terminal, 'servers', 'start');
	await terminal.until('Start welcome?');
	expect(terminal.screen()).not.toMatch(/welcome\s.*(starting|ready)/);
	pressAction(terminal, 'confirm', 'yes');
	await terminal.until(/welcome\s.*ready/);
});

test.each([
	[80, 24],
	[120, 40],
	[200, 50],
])('at %dx%d the frame fills the terminal exactly, header to footer', async (columns, rows) => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns, rows});
	await terminal.until(/welcome\s.*offline/);
	expect(terminal.line(0)).toMatch(/^ (?:svc-tui  )?local \S .*1 S/);
	expect(terminal.line(rows - 1)).toMatch(/\S/);
});

test('quitting gives the terminal back as it was', {tags: 'short'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await terminal.until(/welcome\s.*offline/);
	pressAction(terminal, 'global', 'quit');
	await expect(terminal.exit).resolves.toEqual({code: 0, signal: null});
	await expect(terminal.leftovers()).resolves.toEqual([]);
});

test('Ctrl-C asks once and quits when it is pressed again', {tags: 'short'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await terminal.until(/welcome\s.*offline/);
	pressAction(terminal, 'always', 'interrupt');
	await terminal.until('again to quit');
	pressAction(terminal, 'always', 'interrupt');
	await terminal.exit;
	await expect(terminal.leftovers()).resolves.toEqual([]);
});

test('keys typed during the start are kept and do not spoil the screen', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	terminal.type('2');
	const screen = await terminal.until(/─ Compute \d+ ─/);
	expect(screen.split('\n')[0]).toMatch(/^ svc-tui/);
	pressAction(terminal, 'global', 'servers');
	await terminal.until(/welcome\s.*offline/);
});

test('a small terminal shows the required size, and a larger one shows the program', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 50, rows: 12});
	await terminal.until(/60 ?[x×] ?15/);
	terminal.resize(100, 30);
	await terminal.until(/welcome\s.*offline/);
});

test('without a terminal one clear line says so, and the exit code is 64', async () => {
	await using home = await newHome();
	const {code, stdout, stderr} = await runCommand([], {home});
	expect({code, stdout}).toEqual({code: 64, stdout: ''});
	expect(stderr).toMatch(/^[^\n]*terminal[^\n]*svc-tui --help\n$/);
});
