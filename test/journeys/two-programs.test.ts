// @module-tag long
// Two programs and a command use one kernel, on both engines of the local service. Each receives
// the outputs of its own cells.
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {newHome, openProgram, runCommand, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {defineHeld, openRepl, runCode, startWelcome} from './steps.ts';

const missing = findJupyter(process.env) === null;
const SIZE = {columns: 90, rows: 60};

for (const engine of ['pyodide', 'jupyter'] as const)
	describe.skipIf(engine === 'jupyter' && missing)(`two programs in one kernel, ${engine}`, () => {
		const start = async (home: Home): Promise<Terminal> =>
			openProgram({home, ...SIZE, env: {SVC_ENGINE: engine}});
		const displays = engine === 'jupyter' ? 'from IPython.display import display, update_display; ' : '';

		test('each shows the results of its own cells, and that others ran in between', async () => {
			await using home = await newHome();
			await using first = await start(home);
			await startWelcome(first);
			await openRepl(first);
			await first.until(/Python · live/);
			await using second = await start(home);
			await second.until(/welcome \S ready/);
			await openRepl(second);
			await second.until(/Python · live/);
			const {begun, letGo} = await defineHeld(first, home);
			runCode(second, 'print("second", "listens")');
			await second.until(/^ +second listens$/m);

			runCode(first, 'held(); print("of", "first")');
			await begun();
			runCode(second, 'print("of", "second")');
			const run = runCommand(['run', 'welcome', '-c', 'print("of", "run")'], {home});
			letGo();
			expect(await run).toMatchObject({code: 0, stdout: 'of run\n'});
			expect(await first.until(/^ +of first$/m)).not.toMatch(/^ +of (?:second|run)$/m);
			expect(await second.until(/^ +of second$/m)).not.toMatch(/^ +of (?:first|run)$/m);
			expect(first.screen()).toMatch(
				/ another program or notebook ran a cell in this kernel ─+\n\n \[.+\] +held\(\); print\("of", "first"\)/,
			);
			expect(second.screen()).toMatch(/ another program or notebook ran /);

			// A display changes in place when another program updates it.
			runCode(first, `${displays}shown = display("before", display_id="d")`);
			expect(await first.until(/^ +'before'$/m)).toMatch(
				/ another program or notebook ran 2 cells in this kernel ─/,
			);
			runCode(second, `${displays}update_display("after", display_id="d")`);
			expect(await first.until(/^ +'after'$/m)).not.toMatch(/^ +'before'$/m);
			await second.gone(/\[\*]/);
			expect(second.screen()).not.toMatch(/^ +'after'$/m);
		});
	});
