// @module-tag long
// What a server uses is shown while a cell runs there, and what each kernel uses, on both engines of the local service.
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {defineHeld, openRepl, runCode, startWelcome} from './steps.ts';

const missing = findJupyter(process.env) === null;

for (const engine of ['embedded', 'jupyter'])
	describe.skipIf((engine === 'jupyter' && missing) || process.platform !== 'linux')(engine, () => {
		test('memory and CPU stand beside the name as long as the cell runs; :kernels has the memory of each', async () => {
			await using home = await newHome();
			await using terminal = await openProgram({home, columns: 90, rows: 40, env: {SVC_ENGINE: engine}});
			await startWelcome(terminal);
			await openRepl(terminal);
			await terminal.until(/REPL · welcome · Python, live/);
			const held = await defineHeld(terminal, home);
			await terminal.gone('In [*]');
			runCode(terminal, 'held()');
			await held.begun();
			const shown = await terminal.until(/Python, live · \d+\.\d [MG], \d+ % CPU/);
			const [, amount, unit] = /live · (\d+\.\d) ([MG])/.exec(shown) ?? [];
			// No Python is smaller, and no machine of ours so large.
			expect(Number(amount) * (unit === 'G' ? 1000 : 1)).toSatisfy(
				(megabytes: number) => megabytes > 20 && megabytes < 8000,
			);
			pressAction(terminal, 'anywhere', 'commandLine');
			await terminal.until('Command');
			terminal.type('kernels');
			await terminal.until(': kernels');
			terminal.press('\r');
			await terminal.until(/MEMORY[^]*▸ python3 +busy +this REPL[^\n]* \d+\.\d [MG]/);
			held.letGo();
			await terminal.until(/▸ python3 +idle/);
			pressAction(terminal, 'kernels', 'close');
			await terminal.until(/Python, live$/m);
		});
	});
