// @module-tag long
// After kill -9 inside a real tmux, the pane still has the program's modes. The next start works
// with them and resets them for the shell.
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {TERMINALS} from '../support/pictures.ts';
import {processesUsing} from '../support/processes.ts';
import {newHome, PROGRAM} from '../support/program.ts';
import {hasTmux, openInTmux} from '../support/tmux.ts';
import {openRepl, startWelcome} from './steps.ts';

/** Modes of the pane in tmux: the alternate screen, mouse reports, the cursor. */
const MODES = '#{alternate_on} #{mouse_any_flag} #{cursor_flag}';

test.skipIf(!hasTmux)(
	'after kill -9 in tmux the next start is whole, and the terminal is clean after it',
	async () => {
		await using home = await newHome({keeps: true});
		await using inTmux = await openInTmux({
			home,
			settings: 'set -g escape-time 0\nset -g status off',
			replies: TERMINALS.kitty,
			command: `PS1='ready> ' bash --norc --noprofile -i`,
			columns: 100,
			rows: 40,
		});
		const {terminal} = inTmux;
		const modes = (): string =>
			execFileSync('tmux', ['-S', join(home.folder, 'tmux'), 'display', '-p', MODES], {
				encoding: 'utf8',
			}).trim();
		const inShell = (line: string): void => {
			terminal.type(line);
			terminal.press('enter');
		};
		await terminal.until('ready>');
		const before = modes();
		expect(before).toBe('0 0 1');
		inShell(PROGRAM);
		await startWelcome(terminal);
		await openRepl(terminal);
		// Code has run, so the service continues after the program is killed.
		terminal.type('kept = 1');
		terminal.press('enter');
		await terminal.until(/\[1\] +kept = 1/);
		terminal.type('left = 1');
		await terminal.until('>>> left = 1');
		const screens = (await processesUsing(home.folder)).filter(
			({command}) => /boot\.js/.test(command) && !/boot\.js serve/.test(command),
		);
		expect(screens.length).toBe(1);
		process.kill(screens[0]?.pid ?? Number.NaN, 'SIGKILL');
		await terminal.until('Killed');
		expect(modes()).not.toBe(before);
		inShell(`${PROGRAM} --fresh`);
		// Waits for a row of the list, because the killed program's header is still on the screen.
		await terminal.until(/▸ welcome +\S ready/);
		await openRepl(terminal);
		terminal.type('y = 2');
		await terminal.until(/>>> .*y = 2/);
		terminal.press('ctrl+c');
		await terminal.gone('y = 2');
		terminal.press('ctrl+c', 'ctrl+c');
		await terminal.until(/stays until[^]*ready> *$/m);
		inShell('stty -a; echo IT IS $((40 + 2))');
		const ended = await terminal.until('IT IS 42');
		expect(ended).toMatch(/[^-]icanon/);
		expect(ended).toMatch(/[^-]echo /);
		expect(modes()).toBe(before);
	},
);
