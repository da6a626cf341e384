// @module-tag long
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {readInstance} from '../../src/settings/instance.ts';
import {CLOCK} from '../support/clock.ts';
import {serviceFolder} from '../support/folders.ts';
import {pressAction} from '../support/press-action.ts';
import {processesUsing} from '../support/processes.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {waitFor} from '../support/wait-for.ts';
import {openRepl, readCells, runCode, startWelcome} from './steps.ts';

const SIZE = {columns: 110, rows: 30};
const STAYS = new RegExp(`welcome stays until ${CLOCK}\\. To stop it now: \\S*svc-tui\\s+local\\s+stop`);

/** Runs a cell and moves the focus to where letters are keys. */
const runSum = async (terminal: Terminal, code: string, shown: string): Promise<void> => {
	runCode(terminal, code);
	await terminal.until(shown);
	await readCells(terminal);
};
const settings = (home: Home, text: string): void => {
	const folder = join(home.folder, '.config/svc-tui');
	mkdirSync(folder, {recursive: true});
	writeFileSync(join(folder, 'settings.json'), text);
};

test('variables are there when the program is opened again, and retained servers are reported', async () => {
	await using home = await newHome({keeps: true});
	{
		await using terminal = await openProgram({home, ...SIZE});
		await startWelcome(terminal);
		await openRepl(terminal);
		await runSum(terminal, 'x = 40; print("made", x + 2)', 'made 42');
		pressAction(terminal, 'global', 'quit');
		await expect(terminal.exit).resolves.toMatchObject({code: 0});
		await terminal.until(STAYS);
	}
	await using again = await openProgram({home, ...SIZE});
	await again.until('>>>');
	await again.until(/welcome \S ready/);
	await runSum(again, 'print("still", x)', 'still 40');
	expect(again.screen()).not.toMatch(/new kernel/);
	pressAction(again, 'global', 'quit');
	await again.until(STAYS);
});

test('when the time ends unobserved, the server gives the reason why it is offline', async () => {
	await using home = await newHome({keeps: true});
	// The machine sleeps, and its clock is far ahead when it wakes up.
	const clock = fileURLToPath(new URL('../support/move-clock.ts', import.meta.url));
	const env = {NODE_OPTIONS: `--import=${clock}`, MOVE: String(2 * 3_600_000)};
	{
		await using terminal = await openProgram({home, ...SIZE, env});
		await startWelcome(terminal);
		await openRepl(terminal);
		await runSum(terminal, 'x = 40; print("made", x + 2)', 'made 42');
		pressAction(terminal, 'global', 'quit');
		await terminal.until(STAYS);
		await terminal.exit;
	}
	process.kill(readInstance(serviceFolder(home))?.pid ?? 0, 'SIGUSR2');
	await waitFor(async () => expect(await processesUsing(home.folder)).toEqual([]), {interval: 200});
	await using again = await openProgram({home, ...SIZE, args: ['--fresh']});
	await again.until(/welcome +\S offline/);
	pressAction(again, 'servers', 'detail');
	await again.until('kept for 30 minutes after the last program');
});

test('"ask" asks on quitting: Esc returns, one key retains, the other ends', async () => {
	await using home = await newHome({keeps: true});
	settings(home, '{"keepKernels": "ask"}');
	{
		await using terminal = await openProgram({home, ...SIZE});
		await startWelcome(terminal);
		await openRepl(terminal);
		await runSum(terminal, 'x = 40; print("made", x + 2)', 'made 42');
		pressAction(terminal, 'global', 'quit');
		await terminal.until('Keep kernel variables for 30 minutes?');
		pressAction(terminal, 'keep', 'close');
		await terminal.gone('Keep kernel variables for 30 minutes?');
		pressAction(terminal, 'global', 'quit');
		await terminal.until('Keep kernel variables for 30 minutes?');
		pressAction(terminal, 'keep', 'keep');
		await terminal.until(STAYS);
		await expect(terminal.exit).resolves.toMatchObject({code: 0});
	}
	await using again = await openProgram({home, ...SIZE});
	await again.until('>>>');
	await again.until(/welcome \S ready/);
	await runSum(again, 'print("still", x)', 'still 40');
	pressAction(again, 'global', 'quit');
	await again.until('Keep kernel variables for 30 minutes?');
	pressAction(again, 'keep', 'end');
	await again.until('welcome ends with the local service');
	await expect(again.exit).resolves.toMatchObject({code: 0});
	await waitFor(async () => expect(await processesUsing(home.folder)).toEqual([]), {interval: 100});
});

test('"ask" asks nothing where no code has run', async () => {
	await using home = await newHome({keeps: true});
	settings(home, '{"keepKernels": "ask"}');
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	pressAction(terminal, 'global', 'quit');
	await terminal.until('welcome ends with the local service when its last program exits; files are kept.');
});
