// @module-tag long
// Memory and processor use, of a server while a cell runs there and of each kernel, on both engines
// of the local service.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {defineHeld, openRepl, runCode, startWelcome} from './steps.ts';

const missing = findJupyter(process.env) === null;

for (const engine of ['embedded', 'jupyter'])
	describe.skipIf((engine === 'jupyter' && missing) || process.platform !== 'linux')(engine, () => {
		test('memory and CPU are shown beside the name while the cell runs; :kernels has the memory of each', async () => {
			await using home = await newHome();
			await using terminal = await openProgram({home, columns: 90, rows: 40, env: {SVC_ENGINE: engine}});
			await startWelcome(terminal);
			await openRepl(terminal);
			await terminal.until(/REPL · welcome · Python · live/);
			const held = await defineHeld(terminal, home);
			await terminal.gone('[*]');
			runCode(terminal, 'held()');
			await held.begun();
			const shown = await terminal.until(/Python · live · \d+\.\d [MG], \d+ % CPU/);
			const [, amount, unit] = /live · (\d+\.\d) ([MG])/.exec(shown) ?? [];
			// Checks a plausible range: Python needs at least this much, and our machines have
			// less.
			expect(Number(amount) * (unit === 'G' ? 1000 : 1)).toSatisfy(
				(megabytes: number) => megabytes > 20 && megabytes < 8000,
			);
			pressAction(terminal, 'anywhere', 'commandLine');
			await terminal.until('Command');
			terminal.type('kernels');
			await terminal.until(': kernels');
			terminal.press('\r');
			await terminal.until(/Memory[^]*▸ python3 +busy +this REPL[^\n]* \d+\.\d [MG]/);
			held.letGo();
			await terminal.until(/▸ python3 +idle/);
			pressAction(terminal, 'kernels', 'close');
			await terminal.until(/Python · live ─+ \d+ cells? ─$/m);
			// A cell of a notebook; its use is in the notebook's title.
			const cell = {cell_type: 'code', id: 'a', metadata: {}, execution_count: null, outputs: []};
			const source = `import os, time\nwhile not os.path.exists("on"): time.sleep(0.01)`;
			writeFileSync(
				join(held.folder, 'waits.ipynb'),
				JSON.stringify({
					cells: [{...cell, source}],
					metadata: {kernelspec: {name: 'python3', display_name: 'Python 3'}},
					nbformat: 4,
					nbformat_minor: 5,
				}),
			);
			pressAction(terminal, 'anywhere', 'files');
			await terminal.until('waits.ipynb');
			pressAction(terminal, 'anywhere', 'commandLine');
			await terminal.until('Command');
			terminal.type('file waits.ipynb');
			await terminal.until(': file waits.ipynb');
			terminal.press('\r');
			await terminal.until(/\[ \] +import os/);
			pressAction(terminal, 'viewer', 'work');
			await terminal.until('cell 1 of 1');
			pressAction(terminal, 'notebook', 'run');
			await terminal.until(/waits\.ipynb[^\n]* running \d+\.\d [MG], \d+ % CPU +saved · python3/);
			writeFileSync(join(held.folder, 'on'), '');
			expect(await terminal.until(/\[\d+\] +import os/)).toMatch(/waits\.ipynb ─+ not saved · python3/);
		});
	});
