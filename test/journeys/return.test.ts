// @module-tag long
// The program is killed while a cell runs, and the next one resumes the cell. On both engines of
// the local service.
import {readdirSync} from 'node:fs';
import {basename} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {serviceFolder} from '../support/folders.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, runCommand, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {waitFor} from '../support/wait-for.ts';
import {openRepl, runCode, startWelcome} from './steps.ts';

const missing = findJupyter(process.env) === null;
const SIZE = {columns: 90, rows: 60};

const put = async (home: Home, name: string): Promise<void> => {
	expect(await runCommand(['files', 'put', 'welcome', '-', name], {home, input: 'x'})).toMatchObject({
		code: 0,
	});
};
const numbersOn = (screen: string): readonly number[] =>
	[...screen.matchAll(/^ +line (\d+)$/gm)].map(([, digits]) => Number(digits));
const upTo = (count: number): readonly number[] => Array.from({length: count}, (_, index) => index);

for (const engine of ['pyodide', 'jupyter'] as const)
	describe.skipIf(engine === 'jupyter' && missing)(`a program that is killed, ${engine}`, () => {
		const start = async (home: Home): Promise<Terminal> =>
			openProgram({home, ...SIZE, env: {SVC_ENGINE: engine}});
		const restart = async (home: Home): Promise<Terminal> => {
			const terminal = await start(home);
			await terminal.until(/welcome/);
			pressAction(terminal, 'anywhere', 'repl');
			return terminal;
		};

		test(
			'in the middle of a cell: it continues, and all of it is there, each line once',
			{tags: engine === 'pyodide' ? 'short' : 'long'},
			async () => {
				await using home = await newHome({keeps: true});
				{
					await using terminal = await start(home);
					await startWelcome(terminal);
					await openRepl(terminal);
					await terminal.until(/Python · live/);
					terminal.paste(
						'import os, time\nfor i in range(24):\n    print("line", i, flush=True)\n    while i == 7 and not os.path.exists("go"): time.sleep(0.02)\n    while i == 15 and not os.path.exists("on"): time.sleep(0.02)\ndone = 6 * 7',
					);
					pressAction(terminal, 'repl', 'run');
					await terminal.until(/^ +line 7$/m);
					terminal.kill('SIGKILL');
					await terminal.exit;
				}
				// The cell prints while no program is connected, and again after one has connected.
				await put(home, 'go');
				await using again = await restart(home);
				expect(numbersOn(await again.until(/^ +line 15$/m))).toEqual(upTo(16));
				await put(home, 'on');
				expect(numbersOn(await again.until(/^ +line 23$/m))).toEqual(upTo(24));
				await again.gone(/esc (?:stop waiting|interrupt)/);
				expect(again.screen()).not.toContain('may be missing');
				runCode(again, 'print(done, "once")');
				await again.until(/^ +42 once$/m);
				expect(numbersOn(again.screen())).toEqual(upTo(24));
			},
		);

		test('as soon as its code runs: the cell is there once, and was run once', async () => {
			await using home = await newHome({keeps: true});
			const hasRun = (): boolean =>
				readdirSync(serviceFolder(home), {recursive: true, encoding: 'utf8'}).some(
					name => basename(name) === 'ran',
				);
			{
				await using terminal = await start(home);
				await startWelcome(terminal);
				await openRepl(terminal);
				await terminal.until(/Python · live/);
				terminal.paste('with open("ran", "a") as file: file.write("x")\nprint("kept", open("ran").read())');
				pressAction(terminal, 'repl', 'run');
				await waitFor(() => expect(hasRun()).toBe(true), {interval: 1});
				terminal.kill('SIGKILL');
				await terminal.exit;
			}
			await using again = await restart(home);
			const screen = await again.until(/^ +kept x$/m);
			expect(screen.match(/\[.\] +with open/g)).toHaveLength(1);
			runCode(again, 'print("after", open("ran").read())');
			await again.until(/^ +after x$/m);
		});

		test('while a cell asks for a line: the next one is asked again, and answers', async () => {
			await using home = await newHome({keeps: true});
			{
				await using terminal = await start(home);
				await startWelcome(terminal);
				await openRepl(terminal);
				await terminal.until(/Python · live/);
				runCode(terminal, 'print("got " + input("first? ") + input("second? "))');
				await terminal.until(/^ answer: /m);
				terminal.type('one');
				pressAction(terminal, 'answer', 'answer');
				await terminal.until(/^ +first\? one\n +second\?/m);
				terminal.kill('SIGKILL');
				await terminal.exit;
			}
			await using again = await restart(home);
			await again.until(/^ answer: /m);
			again.type('two');
			pressAction(again, 'answer', 'answer');
			expect(await again.until(/^ +got onetwo$/m)).toMatch(/^ +first\? one\n +second\? two\n +got onetwo$/m);
		});
	});
