// @module-tag long
// The kernels of a server in `:kernels`, on both engines of the local service.
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {callJupyter, type JupyterAddress} from '../support/jupyter-client.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, runCommand, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {defineHeld, openRepl, runCode, startWelcome} from './steps.ts';

const missing = findJupyter(process.env) === null;

const liveRepl = async (home: Home, engine: string): Promise<Terminal> => {
	const terminal = await openProgram({home, columns: 90, rows: 40, env: {SVC_ENGINE: engine}});
	await startWelcome(terminal);
	await openRepl(terminal);
	await terminal.until(/REPL · welcome · Python · live/);
	return terminal;
};
const openKernels = async (terminal: Terminal): Promise<void> => {
	pressAction(terminal, 'anywhere', 'commandLine');
	await terminal.until('Command');
	terminal.type('kernels');
	await terminal.until(': kernels');
	terminal.press('\r');
	await terminal.until('Kernels of welcome');
};
const close = async (terminal: Terminal): Promise<void> => {
	pressAction(terminal, 'kernels', 'close');
	await terminal.gone('Kernels of welcome');
};

for (const engine of ['embedded', 'jupyter'])
	describe.skipIf(engine === 'jupyter' && missing)(engine, () => {
		test(
			'they are listed with their activity, which follows the cell; one is interrupted, restarted and shut down',
			engine === 'embedded' ? {tags: 'short'} : {},
			async () => {
				await using home = await newHome();
				await using terminal = await liveRepl(home, engine);
				const held = await defineHeld(terminal, home);
				await terminal.gone('[*]');
				await openKernels(terminal);
				await terminal.until(/▸ python3 +idle +this REPL +just now +\d/);
				await close(terminal);
				runCode(terminal, 'held()');
				await held.begun();
				await openKernels(terminal);
				await terminal.until(/▸ python3 +busy +this REPL/);
				held.letGo();
				await terminal.until(/▸ python3 +idle +this REPL/);
				await close(terminal);
				runCode(terminal, 'x = 41; print("be" + "gun", flush=True)\nwhile True: pass\n');
				pressAction(terminal, 'repl', 'run');
				await terminal.until(/^ +begun$/m);
				await openKernels(terminal);
				await terminal.until(/▸ python3 +busy/);
				pressAction(terminal, 'kernels', 'interrupt');
				await terminal.until(/▸ python3 +idle/);
				await close(terminal);
				await terminal.until('KeyboardInterrupt');
				runCode(terminal, 'x');
				await terminal.until(/\[\d+\] [^]*→ +41$/m);
				await openKernels(terminal);
				await terminal.until(/▸ python3 +idle/);
				pressAction(terminal, 'kernels', 'restart');
				await terminal.until(/Restart python3 \(this REPL\)\?/);
				pressAction(terminal, 'confirm', 'yes');
				await terminal.until(/python3 \(this REPL\) was restarted/);
				await close(terminal);
				runCode(terminal, 'x');
				expect(await terminal.until('NameError')).toMatch(/41\n[^]*new kernel: variables above are gone/);
				await terminal.gone('[*]');
				await openKernels(terminal);
				await terminal.until(/▸ python3 +idle/);
				pressAction(terminal, 'kernels', 'shutDown');
				await terminal.until(/Shut down python3 \(this REPL\)\?/);
				pressAction(terminal, 'confirm', 'yes');
				await terminal.until('No kernel runs');
				await close(terminal);
				runCode(terminal, '6 * 7');
				expect(await terminal.until(/\[\d+\] [^]*→ +42$/m)).toMatch(
					/NameError[^]*new kernel: variables above are gone/,
				);
			},
		);
	});

test.skipIf(missing)('the REPL goes to another kernel and back: each has its own names', async () => {
	await using home = await newHome();
	await using terminal = await liveRepl(home, 'jupyter');
	runCode(terminal, 'x = 41; print("fi" + "rst")');
	await terminal.until(/^ +first$/m);
	const {stdout} = await runCommand(['servers', '--json'], {home});
	const [{url, token}] = JSON.parse(stdout) as [JupyterAddress];
	const address = {url: url.replace(/\?.*/, ''), token};
	const made = await callJupyter(address, 'POST', 'api/kernels', {name: 'python3'});
	expect(made.status).toBe(201);
	await openKernels(terminal);
	await terminal.until(/▸ python3 [^\n]*this REPL[^]* python3 +(?:\?|idle|starting) +no session/);
	pressAction(terminal, 'kernels', 'down');
	await terminal.until(/▸ python3 [^\n]*no session/);
	pressAction(terminal, 'kernels', 'use');
	await terminal.until(/▸ python3 [^\n]*this REPL/);
	await close(terminal);
	runCode(terminal, 'x');
	expect(await terminal.until('NameError')).toMatch(
		/first\n[^]*another kernel: variables above are not in it/,
	);
	await terminal.gone('[*]');
	pressAction(terminal, 'anywhere', 'commandLine');
	await terminal.until('Command');
	terminal.type('kernel python3');
	await terminal.until(': kernel python3');
	terminal.press('\r');
	await terminal.until(/The next cells of welcome run in python3/);
	runCode(terminal, 'x + 1');
	await terminal.until(/NameError[^]*another kernel: variables above are not in it[^]*\[\d+\] [^]*→ +42$/m);
});
