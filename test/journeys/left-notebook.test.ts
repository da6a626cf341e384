// @module-tag long
// A signal or the user ends the program while cells of a notebook run.
import {writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {waitFor} from '../support/wait-for.ts';
import {notebookOf} from '../support/notebook-of.ts';
import {openFile, outputsIn, outs, pathIn, ranIn, runAll, save, sourcesOf, upTo} from './notebook-steps.ts';
import {startWelcome} from './steps.ts';

const SIZE = {columns: 100, rows: 60};
/** More cells than are sent to a kernel at a time. The others wait in the program until it ends. */
const CELLS = 205;

const quit = async (terminal: Terminal): Promise<void> => {
	pressAction(terminal, 'anywhere', 'servers');
	await terminal.until('⏎ open');
	pressAction(terminal, 'global', 'quit');
	await terminal.until(`quit.ipynb keeps running: ${CELLS} cells.`);
};

test.for(findJupyter(process.env) === null ? ['pyodide'] : ['pyodide', 'jupyter'])(
	'%s: after SIGTERM, SIGHUP and quitting the kernel runs all cells once, and the next start has each output',
	async engine => {
		await using home = await newHome({keeps: true});
		const start = async (): Promise<Terminal> => openProgram({home, ...SIZE, env: {SVC_ENGINE: engine}});
		const ways: readonly (readonly [string, number, (terminal: Terminal) => void | Promise<void>])[] = [
			['term', 143, terminal => terminal.kill('SIGTERM')],
			['hup', 129, terminal => terminal.kill('SIGHUP')],
			['quit', 0, quit],
		];
		let last: string | null = null;
		const takenUp = async (terminal: Terminal, name: string): Promise<void> => {
			await openFile(terminal, `${name}.ipynb`, `go-${name}`);
			await terminal.until(new RegExp(`${name}\\.ipynb .* not saved `));
			await terminal.gone(/ running/);
			await save(terminal);
			expect(outputsIn(home, `${name}.ipynb`)).toEqual(outs(CELLS));
			expect(ranIn(home)).toEqual(upTo(CELLS));
		};
		for (const [name, code, end] of ways) {
			await using terminal = await start();
			if (last === null) await startWelcome(terminal);
			else {
				await terminal.until(/welcome/);
				await takenUp(terminal, last);
			}
			const wait = `while not os.path.exists('go-${name}'): time.sleep(0.02)`;
			writeFileSync(pathIn(home, `${name}.ipynb`), notebookOf(...sourcesOf(CELLS, wait)));
			writeFileSync(pathIn(home, 'ran'), '');
			await runAll(terminal, `${name}.ipynb`, `go-${name}`);
			await terminal.until(new RegExp(`running, ${CELLS - 1} waiting`));
			await waitFor(() => expect(ranIn(home)).toEqual([0]));
			await end(terminal);
			await expect(terminal.exit).resolves.toMatchObject({code});
			writeFileSync(pathIn(home, `go-${name}`), '');
			await waitFor(() => expect(ranIn(home)).toEqual(upTo(CELLS)));
			last = name;
		}
		await using terminal = await start();
		await terminal.until(/welcome/);
		await takenUp(terminal, 'quit');
	},
);
