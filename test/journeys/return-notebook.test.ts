// @module-tag long
// The program with a notebook is killed or quits while cells run. The kernel continues, and the
// next program puts each output into its cell, once. On both engines of the local service.
import {appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import {createRandom, newSeed} from '../support/random.ts';
import type {Terminal} from '../support/terminal.ts';
import {waitFor} from '../support/wait-for.ts';
import {notebookOf} from '../support/notebook-of.ts';
import {openFile, outputsIn, outs, pathIn, ranIn, runAll, save, sourcesOf, upTo} from './notebook-steps.ts';
import {openRepl, runCode, startWelcome} from './steps.ts';

const missing = findJupyter(process.env) === null;
const SIZE = {columns: 100, rows: 60};
/** Number of kills; more of them with `npm run soak -- notebook-kills`. */
const KILLS = process.env['SVC_SOAK'] ? 100 : 5;
const CELLS = 50;

/** Content of the run logs. */
const runLogs = (home: Home): string => {
	const folder = join(home.folder, '.local/state/svc-tui/runs');
	return readdirSync(folder, {recursive: true, withFileTypes: true})
		.filter(entry => entry.isFile())
		.map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
		.join('');
};
for (const engine of ['pyodide', 'jupyter'] as const)
	describe.skipIf(engine === 'jupyter' && missing)(`a notebook without its program, ${engine}`, () => {
		const start = async (home: Home): Promise<Terminal> =>
			openProgram({home, ...SIZE, env: {SVC_ENGINE: engine}});

		test('killed while it runs: the kernel runs all cells once, and each output is in its cell', async () => {
			await using home = await newHome({keeps: true});
			const wait = "while not os.path.exists('go'): time.sleep(0.02)";
			{
				await using terminal = await start(home);
				await startWelcome(terminal);
				writeFileSync(pathIn(home, 'train.ipynb'), notebookOf(...sourcesOf(12, wait)));
				await runAll(terminal, 'train.ipynb');
				await terminal.until(/running, 11 waiting/);
				await terminal.until('waiting in the kernel');
				await waitFor(() => expect(runLogs(home)).toContain('"sent":12'));
				await waitFor(() => expect(ranIn(home)).toEqual([0]));
				terminal.kill('SIGKILL');
				await terminal.exit;
			}
			writeFileSync(pathIn(home, 'go'), '');
			// The cells ran while no program was open.
			await waitFor(() => expect(ranIn(home)).toEqual(upTo(12)));
			await using again = await start(home);
			await again.until(/welcome/);
			await openFile(again, 'train.ipynb');
			await again.until(/not saved .*cell/);
			await again.until(/ out 1\./);
			await again.gone(/running/);
			expect(again.screen()).not.toContain('may be missing');
			await save(again);
			expect(outputsIn(home, 'train.ipynb')).toEqual(outs(12));
			expect(ranIn(home)).toEqual(upTo(12));
		});

		test('left with a queue in the REPL: what waits runs in the kernel, and the next program shows it', async () => {
			await using home = await newHome({keeps: true});
			{
				await using terminal = await start(home);
				await startWelcome(terminal);
				await openRepl(terminal);
				await terminal.until(/Python · live/);
				terminal.paste(
					"import os, time\nopen('begun', 'w').close()\nwhile not os.path.exists('go'): time.sleep(0.02)\nprint('first')",
				);
				pressAction(terminal, 'repl', 'run');
				// Cells can be sent once the kernel is ready.
				await waitFor(() => expect(existsSync(pathIn(home, 'begun'))).toBe(true));
				runCode(terminal, "open('ran', 'a').write('1 '); print('second')");
				runCode(terminal, "open('ran', 'a').write('2 '); print('third')");
				await terminal.until(/, 2 waiting/);
				pressAction(terminal, 'anywhere', 'servers');
				await terminal.until('⏎ open');
				pressAction(terminal, 'global', 'quit');
				await terminal.until('The REPL of welcome keeps running: 3 cells.');
				await expect(terminal.exit).resolves.toMatchObject({code: 0});
			}
			appendFileSync(pathIn(home, 'go'), '');
			await waitFor(() => expect(ranIn(home)).toEqual([1, 2]));
			await using again = await start(home);
			await again.until(/welcome/);
			pressAction(again, 'anywhere', 'repl');
			const screen = await again.until(/^.? +third$/m);
			expect(screen.match(/^.? +second$/gm)).toHaveLength(1);
			expect(screen).not.toContain('was not run');
			expect(ranIn(home)).toEqual([1, 2]);
		});
	});

describe.skipIf(missing)('a notebook of 50 cells, killed at any moment', () => {
	test('no cell runs twice, and no output is lost or doubled', async () => {
		const random = createRandom(newSeed());
		await using home = await newHome({keeps: true});
		const start = async (): Promise<Terminal> => openProgram({home, ...SIZE, env: {SVC_ENGINE: 'jupyter'}});
		const source = (index: number): string =>
			`import os, time\nwith open('ran', 'a') as file: file.write('${index} ')\ntime.sleep(0.02)\nprint('out ${index}.' + open('round').read())`;
		{
			await using first = await start();
			await startWelcome(first);
			writeFileSync(pathIn(home, 'train.ipynb'), notebookOf(...upTo(CELLS).map(source)));
			writeFileSync(pathIn(home, 'ran'), '');
			writeFileSync(pathIn(home, 'round'), '0');
			await runAll(first, 'train.ipynb');
			await waitFor(() => expect(ranIn(home)).not.toEqual([]));
			first.kill('SIGKILL');
			await first.exit;
		}
		let before: readonly string[] = upTo(CELLS).map(() => '');
		for (let round = 0; round < KILLS; round++) {
			const where = `seed ${random.seed}, round ${round}`;
			await using terminal = await start();
			await terminal.until(/welcome/);
			await openFile(terminal, 'train.ipynb');
			expect(await terminal.until(/not saved/)).not.toContain('has no key');
			// The notebook resumes its cells a moment after it was opened.
			before = await waitFor(async () => {
				await terminal.gone(/ running/);
				await save(terminal);
				const ran = ranIn(home);
				expect(ran, where).toEqual(upTo(ran.length));
				const now = outputsIn(home, 'train.ipynb');
				expect(now, where).toEqual(
					before.map((text, index) => (index < ran.length ? `out ${index}.${round}\n` : text)),
				);
				return now;
			});
			// The program knows of the save, too; otherwise the next one would find a file that
			// someone else has changed.
			await terminal.until(/(?<!not) saved · python3/);
			writeFileSync(pathIn(home, 'ran'), '');
			writeFileSync(pathIn(home, 'round'), String(round + 1));
			pressAction(terminal, 'notebook', 'runAll');
			await waitFor(() => expect(ranIn(home)).not.toEqual([]), {interval: 5});
			await random.pause(1200);
			terminal.kill('SIGKILL');
			await terminal.exit;
		}
	}, 600_000);
});
