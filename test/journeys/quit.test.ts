// @module-tag long
import {expect, test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, runCommand} from '../support/program.ts';
import {serveProcess} from '../support/serve-process.ts';
import type {Terminal} from '../support/terminal.ts';
import {defineHeld, openRepl, runCode, startWelcome} from './steps.ts';

const quits: ReadonlyArray<
	readonly [title: string, code: number, quit: (terminal: Terminal) => Promise<void> | void]
> = [
	['q', 0, terminal => pressAction(terminal, 'global', 'quit')],
	[
		'Ctrl-C twice',
		0,
		async terminal => {
			pressAction(terminal, 'always', 'interrupt');
			await terminal.until('again to quit');
			pressAction(terminal, 'always', 'interrupt');
		},
	],
	['SIGTERM', 143, terminal => terminal.kill('SIGTERM')],
	['SIGHUP', 129, terminal => terminal.kill('SIGHUP')],
];

test.each(quits)(
	'the terminal is as it was before, after %s (exit code %d)',
	{tags: 'plain'},
	async (_, code, quit) => {
		await using home = await newHome();
		await using terminal = await openProgram({home});
		await terminal.until(/welcome\s.*offline/);
		expect(terminal.modes()).toMatchObject({
			alternateScreen: true,
			cursorVisible: false,
			autoWrap: false,
			bracketedPaste: true,
		});
		await quit(terminal);
		await expect(terminal.exit).resolves.toMatchObject({code});
		await expect(terminal.leftovers()).resolves.toEqual([]);
	},
);

test('Ctrl-C soon after Esc, which tmux hands on as one key, is Ctrl-C', {tags: 'plain'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await terminal.until(/welcome\s.*offline/);
	terminal.type('\u001B\u0003');
	await terminal.until('again to quit');
	terminal.type('\u001B\u0003');
	await expect(terminal.exit).resolves.toMatchObject({code: 0});
});

test.each(quits)(
	'the terminal is as it was before, after %s from inside a text field (exit code %d)',
	{tags: 'plain'},
	async (title, code, quit) => {
		await using home = await newHome();
		await using terminal = await openProgram({home});
		await startWelcome(terminal);
		await openRepl(terminal);
		terminal.type('half a li');
		await terminal.until('>>> half a li');
		if (title === 'q') {
			// The letter q is text in a field.
			await quit(terminal);
			await terminal.until('>>> half a liq');
			pressAction(terminal, 'repl', 'leave');
			await terminal.until('esc servers');
		} else if (title === 'Ctrl-C twice') {
			// The first press moves the typed line into the history.
			pressAction(terminal, 'always', 'interrupt');
			await terminal.gone('half a li');
		}
		await quit(terminal);
		await expect(terminal.exit).resolves.toMatchObject({code});
		await expect(terminal.leftovers()).resolves.toEqual([]);
	},
);

test('after one Ctrl-C any other key continues', {tags: ['short', 'plain']}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await terminal.until(/welcome\s.*offline/);
	pressAction(terminal, 'always', 'interrupt');
	await terminal.until('again to quit');
	pressAction(terminal, 'servers', 'down');
	await terminal.gone('again to quit');
	// The question is asked again, so the first press no longer counts.
	pressAction(terminal, 'always', 'interrupt');
	await terminal.until('again to quit');
	pressAction(terminal, 'global', 'compute');
	await terminal.until('Price /h');
});

test('Ctrl-C takes a half typed line away, and Up brings it back', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await startWelcome(terminal);
	await openRepl(terminal);
	terminal.type('half a li');
	await terminal.until('>>> half a li');
	pressAction(terminal, 'always', 'interrupt');
	await terminal.gone('half a li');
	expect(terminal.screen()).not.toContain('again to quit');
	pressAction(terminal, 'repl', 'earlier');
	await terminal.until('>>> half a li');
});

test('closing the terminal window ends the program and its service', {tags: 'plain'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await startWelcome(terminal);
	terminal.hangUp();
	await expect(terminal.exit).resolves.toMatchObject({code: 129});
	// Disposing of the home fails if one of its processes is still running.
});

test('Ctrl-C on an open dialog closes the dialog and does not quit', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await terminal.until(/welcome\s.*offline/);
	pressAction(terminal, 'servers', 'create');
	await terminal.until('Rent a server');
	pressAction(terminal, 'always', 'interrupt');
	await terminal.gone('Rent a server');
	expect(terminal.screen()).not.toContain('again to quit');
});

test('retained servers are reported after the program has ended', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await startWelcome(terminal);
	pressAction(terminal, 'global', 'quit');
	await terminal.exit;
	await terminal.until('welcome ends with the local service when its last program exits; files are kept.');
});

test('quitting reports that the servers of a service started by hand keep running, and they do', async () => {
	await using home = await newHome();
	await using served = serveProcess(`${home.folder}/.local/share/svc-tui/service`, {env: home.env});
	await served.url();
	await using terminal = await openProgram({home});
	await startWelcome(terminal);
	pressAction(terminal, 'global', 'quit');
	await terminal.exit;
	await terminal.until(
		/welcome keeps running: the local service was started with svc-tui serve and stops it when it exits or after long inactiv\s*ity; files are kept\./,
	);
	const {stdout} = await runCommand(['servers'], {home});
	expect(stdout).toMatch(/^welcome\s+ready/m);
});

test('cells that wait when the program is left go to the kernel, and the next program shows their output', async () => {
	await using home = await newHome({keeps: true});
	{
		await using terminal = await openProgram({home});
		await startWelcome(terminal);
		await openRepl(terminal);
		const {begun} = await defineHeld(terminal, home);
		runCode(terminal, 'held()');
		await begun();
		runCode(terminal, 'print("second")');
		runCode(terminal, 'print("third")');
		await terminal.until(/, 2 waiting/);
		pressAction(terminal, 'anywhere', 'servers');
		await terminal.until('⏎ open');
		pressAction(terminal, 'global', 'quit');
		await terminal.until('The REPL of welcome keeps running: 3 cells.');
		await expect(terminal.exit).resolves.toMatchObject({code: 0});
	}
	await using again = await openProgram({home});
	await openRepl(again);
	await again.until(/third[^]*waiting in the kernel/);
	expect(again.screen()).not.toContain('was not run');
});
