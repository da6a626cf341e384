// @module-tag long
// Restarts of a server's kernel over the live link, on both engines of the local service.
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {pressAction} from '../support/press-action.ts';
import {processesUsing} from '../support/processes.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {waitFor} from '../support/wait-for.ts';
import {openRepl, runCode, startWelcome} from './steps.ts';

const SIZE = {columns: 90, rows: 40};
const missing = findJupyter(process.env) === null;
const NEW = 'new kernel: variables above are gone';

const liveRepl = async (home: Home, engine: string, args: readonly string[] = []): Promise<Terminal> => {
	const terminal = await openProgram({home, ...SIZE, args, env: {SVC_ENGINE: engine}});
	await startWelcome(terminal);
	await openRepl(terminal);
	await terminal.until(/REPL · welcome · Python · live/);
	return terminal;
};
const command = async (terminal: Terminal, line: string): Promise<void> => {
	pressAction(terminal, 'anywhere', 'commandLine');
	await terminal.until('Command');
	terminal.type(line);
	await terminal.until(`: ${line}`);
	terminal.press('\r');
};
const restart = async (terminal: Terminal): Promise<void> => {
	await command(terminal, 'restart');
	await terminal.until('Restart the kernel of the REPL?');
	pressAction(terminal, 'confirm', 'yes');
};

for (const engine of ['embedded', 'jupyter'])
	describe.skipIf(engine === 'jupyter' && missing)(engine, () => {
		test('a restart asks, deletes the variables, and is shown between the cells; also in the next program', async () => {
			await using home = await newHome();
			{
				await using terminal = await liveRepl(home, engine);
				runCode(terminal, 'x = 41; print(x)');
				await terminal.until(/^ +41$/m);
				await restart(terminal);
				await terminal.until(NEW);
				runCode(terminal, 'x');
				expect(await terminal.until('NameError')).toMatch(/41\n[^]*new kernel[^]*\[.][^]*NameError/);
				await terminal.gone('[*]');
				// Running and waiting cells end with the kernel.
				runCode(terminal, 'print("be" + "gun", flush=True)\nwhile True: pass\n');
				pressAction(terminal, 'repl', 'run');
				await terminal.until(/^ +begun$/m);
				await restart(terminal);
				// Jupyter interrupts a kernel before it ends it, so the cell may end with either
				// error.
				await terminal.until(/begun\n[^]*(?:KernelDied|KeyboardInterrupt)[^]*new kernel/);
				runCode(terminal, '6 * 7');
				expect(await terminal.until(/\[\d+\] [^]*→ +42$/m)).toMatch(
					/begun[^]*new kernel: variables above are gone[^]*6 \* 7/,
				);
				await terminal.gone('[*]');
				// A slow kernel responds through the service, which does not identify the sender of
				// the cell; this cell is known to be ours.
				runCode(terminal, 'print("li" + "ve")');
				await terminal.until(/^ +live$/m);
				await terminal.gone('[*]');
				pressAction(terminal, 'anywhere', 'quit');
				await terminal.exit;
			}
			await waitFor(async () => expect(await processesUsing(home.folder)).toEqual([]));
			await using again = await liveRepl(home, engine, ['--fresh']);
			const shown = await again.until(/\[\d+\] [^]*→ +42\n[^]*^ +live$/m);
			expect(shown.split(NEW).length - 1).toBe(2);
			// This is the kernel of a restarted server.
			runCode(again, '5 * 5');
			await again.until(/another kernel: variables above are not in it[^]*\[\d+\] [^]*→ +25$/m);
		});
	});
