// @module-tag long
// The kernel of a server, restarted over the live link, on both engines of the local service.
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
	await terminal.until(/REPL · welcome · Python, live/);
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
	await terminal.until('Restart the kernel of welcome?');
	pressAction(terminal, 'confirm', 'yes');
};

for (const engine of ['embedded', 'jupyter'])
	describe.skipIf(engine === 'jupyter' && missing)(engine, () => {
		test('a restart asks, ends the names, and is said between the cells; also in the next program', async () => {
			await using home = await newHome();
			{
				await using terminal = await liveRepl(home, engine);
				runCode(terminal, 'x = 41; print(x)');
				await terminal.until(/^ 41$/m);
				await restart(terminal);
				await terminal.until(NEW);
				runCode(terminal, 'x');
				expect(await terminal.until('NameError')).toMatch(/41\n[^]*new kernel[^]*In \[.][^]*NameError/);
				await terminal.gone('In [*]');
				// What runs and what waits ends with it.
				runCode(terminal, 'print("be" + "gun", flush=True)\nwhile True: pass\n');
				pressAction(terminal, 'repl', 'run');
				await terminal.until(/^ begun$/m);
				await restart(terminal);
				// Jupyter interrupts a kernel before it ends it: which of both the cell tells is left to them.
				await terminal.until(/begun\n[^]*(?:KernelDied|KeyboardInterrupt)[^]*new kernel/);
				runCode(terminal, '6 * 7');
				expect(await terminal.until(/Out\[\d+] +42$/m)).toMatch(
					/begun[^]*new kernel: variables above are gone[^]*6 \* 7/,
				);
				await terminal.gone('In [*]');
				// A kernel that starts for long answers over the service, which does not tell who ran the cell: this one it is known of.
				runCode(terminal, 'print("li" + "ve")');
				await terminal.until(/^ live$/m);
				await terminal.gone('In [*]');
				pressAction(terminal, 'anywhere', 'quit');
				await terminal.exit;
			}
			await waitFor(async () => expect(await processesUsing(home.folder)).toEqual([]));
			await using again = await liveRepl(home, engine, ['--fresh']);
			const shown = await again.until(/Out\[\d+] +42\n[^]*^ live$/m);
			expect(shown.split(NEW).length - 1).toBe(2);
			// The kernel of a server that was started anew.
			runCode(again, '5 * 5');
			await again.until(/another kernel: variables above are not in it[^]*Out\[\d+] +25$/m);
		});
	});
