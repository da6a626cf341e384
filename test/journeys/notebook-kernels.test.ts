// @module-tag long
// Notebooks on Debian's Jupyter Server: each has its own kernel, outputs appear as they are
// printed, and `input()` asks below the cell.
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {hasNbformat, nbformatSays} from '../support/nbformat.ts';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, runCommand, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {openRepl, runCode, startWelcome} from './steps.ts';

const missing = findJupyter(process.env) === null;
if (missing)
	console.warn(
		'\n*** SKIPPED: no notebooks on Jupyter: jupyter-server and ipykernel are not installed ***\n',
	);

const pathIn = (home: Home, name: string): string => join(serverFolder(serviceFolder(home)), name);
const PYTHON = {kernelspec: {display_name: 'Python 3', language: 'python', name: 'python3'}};
const notebook = (title: string, ...sources: readonly string[]): string =>
	notebookIn(PYTHON, title, ...sources);
const notebookIn = (metadata: object, title: string, ...sources: readonly string[]): string =>
	`${JSON.stringify(
		{
			cells: [
				{cell_type: 'markdown', id: 'title', metadata: {}, source: [title]},
				...sources.map((source, index) => ({
					cell_type: 'code',
					execution_count: null,
					id: `cell-${index}`,
					metadata: {},
					outputs: [],
					source: source.match(/[^\n]*\n|[^\n]+$/g),
				})),
			],
			metadata,
			nbformat: 4,
			nbformat_minor: 5,
		},
		null,
		1,
	)}\n`;

const work = async (terminal: Terminal, name: string, title: string, kernel = 'python3'): Promise<void> => {
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until('Tab complete');
	terminal.type(`file ${name}`);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(new RegExp(`work in it[^]*${title}`));
	pressAction(terminal, 'viewer', 'work');
	await terminal.until(new RegExp(`${name} ─+ saved · ${kernel} · cell 1 of `));
};

test.skipIf(missing)(
	'two notebooks have two kernels, and output is under its cell before the cell ends',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 100, rows: 40, env: {SVC_ENGINE: 'jupyter'}});
		await startWelcome(terminal);
		mkdirSync(dirname(pathIn(home, 'one.ipynb')), {recursive: true});
		writeFileSync(
			pathIn(home, 'one.ipynb'),
			notebook(
				'First one',
				'mine = "own " + "name"\nimport os, time\nprint("be" + "gun", flush=True)\nwhile not os.path.exists("go"): time.sleep(0.02)\nprint("en" + "ded")',
				'print(input("who? ") + "!")',
			),
		);
		writeFileSync(pathIn(home, 'two.ipynb'), notebook('Second one', 'print("mine" in globals())'));
		pressAction(terminal, 'anywhere', 'files');
		await terminal.until('two.ipynb');
		pressAction(terminal, 'global', 'zoom');
		await terminal.gone('── 6 Assistant');
		await work(terminal, 'one.ipynb', 'First one');
		pressAction(terminal, 'notebook', 'runAll');
		const during = await terminal.until(/^ +begun$/m);
		expect(during).toMatch(/\[\*\] +mine/);
		expect(during).not.toMatch(/^ +ended$/m);
		expect(await runCommand(['files', 'put', 'welcome', '-', 'go'], {home, input: 'x'})).toMatchObject({
			code: 0,
		});
		await terminal.until(/^ +ended$/m);
		await terminal.until(/answer:/);
		terminal.type('Ada');
		await terminal.until(/answer: Ada/);
		pressAction(terminal, 'notebookAnswer', 'answer');
		await terminal.until(/Ada!$/m);
		await terminal.until(/\[2\] +print\(input/);
		pressAction(terminal, 'notebook', 'save');
		await terminal.until(/one\.ipynb is saved/);
		const cells = (JSON.parse(readFileSync(pathIn(home, 'one.ipynb'), 'utf8')) as {readonly cells: unknown[]})
			.cells;
		expect(cells[1]).toMatchObject({
			execution_count: 1,
			outputs: [{name: 'stdout', output_type: 'stream', text: ['begun\n', 'ended\n']}],
		});
		await work(terminal, 'two.ipynb', 'Second one');
		pressAction(terminal, 'notebook', 'runAll');
		await terminal.until(/^ +False$/m);
	},
);

test.skipIf(missing)('the running cell is stopped, and the waiting ones are not run', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 100, rows: 40, env: {SVC_ENGINE: 'jupyter'}});
	await startWelcome(terminal);
	writeFileSync(
		pathIn(home, 'one.ipynb'),
		notebook(
			'First one',
			'import time\nprint("on", flush=True)\nwhile True: time.sleep(0.05)',
			'print("ne" + "ver")',
		),
	);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('one.ipynb');
	pressAction(terminal, 'global', 'zoom');
	await terminal.gone('── 6 Assistant');
	await work(terminal, 'one.ipynb', 'First one');
	pressAction(terminal, 'notebook', 'runAll');
	await terminal.until(/^ +on$/m);
	pressAction(terminal, 'notebook', 'stop');
	await terminal.until('KeyboardInterrupt');
	await terminal.until('was not run');
	expect(terminal.screen()).not.toMatch(/^ +never$/m);
});

const metadataIn = (text: string): unknown => (JSON.parse(text) as {readonly metadata: unknown}).metadata;

test.skipIf(missing)(
	'a kernel is chosen where the notebook names none, another one later; the choice is written when it is saved',
	async () => {
		await using home = await newHome();
		const kernels = join(home.folder, 'share');
		mkdirSync(join(kernels, 'kernels/second'), {recursive: true});
		writeFileSync(
			join(kernels, 'kernels/second/kernel.json'),
			JSON.stringify({
				argv: ['/usr/bin/python3', '-m', 'ipykernel_launcher', '-f', '{connection_file}'],
				display_name: 'Second Python',
				language: 'python',
				env: {WHICH: 'second'},
			}),
		);
		await using terminal = await openProgram({
			home,
			columns: 100,
			rows: 40,
			env: {SVC_ENGINE: 'jupyter', JUPYTER_PATH: kernels},
		});
		await startWelcome(terminal);
		const source = 'import os\nprint("runs in", os.environ.get("WHICH", "first"))';
		const [none, two] = [notebookIn({}, 'Kernelless', source), notebook('Other one', source)];
		mkdirSync(dirname(pathIn(home, 'none.ipynb')), {recursive: true});
		writeFileSync(pathIn(home, 'none.ipynb'), none);
		writeFileSync(pathIn(home, 'two.ipynb'), two);
		const stored = (name: string): string => readFileSync(pathIn(home, name), 'utf8');
		pressAction(terminal, 'anywhere', 'files');
		await terminal.until('two.ipynb');
		pressAction(terminal, 'global', 'zoom');
		await terminal.gone('── 6 Assistant');

		await work(terminal, 'none.ipynb', 'Kernelless', 'no kernel yet');
		pressAction(terminal, 'notebook', 'runAll');
		await terminal.until(/Kernel of none\.ipynb[^]*names no kernel[^]*Python 3[^]*Second Python +second/);
		terminal.type('Second');
		await terminal.gone(/Python 3 +python3/);
		pressAction(terminal, 'chooser', 'accept');
		await terminal.until(/^ +runs in second$/m);
		await terminal.until(/none\.ipynb ─+ not saved · second · cell 1/);
		expect(stored('none.ipynb')).toBe(none);
		pressAction(terminal, 'notebook', 'save');
		await terminal.until(/none\.ipynb ─+ saved · second · cell 1/);
		expect(metadataIn(stored('none.ipynb'))).toEqual({
			kernelspec: {display_name: 'Second Python', language: 'python', name: 'second'},
		});

		await work(terminal, 'two.ipynb', 'Other one');
		pressAction(terminal, 'notebook', 'runAll');
		// The end of a cell brings back outputs that were cleared before.
		await terminal.until(/\[1\][^]*^ +runs in first$/m);
		pressAction(terminal, 'notebook', 'clearAll');
		await terminal.gone(/^ +runs in first$/m);
		pressAction(terminal, 'notebook', 'save');
		await terminal.until(/two\.ipynb ─+ saved · python3 · cell 1/);
		expect(stored('two.ipynb')).toBe(two);

		pressAction(terminal, 'notebook', 'kernel');
		await terminal.until(/Kernel of two\.ipynb[^]*python3, as now/);
		terminal.type('Second');
		await terminal.gone('python3, as now');
		pressAction(terminal, 'chooser', 'accept');
		await terminal.until(/two\.ipynb ─+ not saved · second · cell 1/);
		expect(stored('two.ipynb')).toBe(two);
		pressAction(terminal, 'notebook', 'save');
		await terminal.until(/two\.ipynb ─+ saved · second · cell 1/);
		pressAction(terminal, 'notebook', 'runAll');
		await terminal.until(/^ +runs in second$/m);
		expect(metadataIn(stored('two.ipynb'))).toEqual({
			kernelspec: {display_name: 'Second Python', language: 'python', name: 'second'},
		});
		if (hasNbformat) expect(nbformatSays([stored('none.ipynb'), stored('two.ipynb')])).toBe('valid');
	},
);

test('a kernel that is not on the server is asked about before anything runs', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 100, rows: 40});
	await startWelcome(terminal);
	const text = notebookIn(
		{kernelspec: {display_name: 'R', language: 'R', name: 'ir'}},
		'Of R',
		'print("r" + "an")',
	);
	writeFileSync(pathIn(home, 'r.ipynb'), text);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('prices.ipynb');
	pressAction(terminal, 'global', 'zoom');
	await terminal.gone('── 6 Assistant');
	await work(terminal, 'r.ipynb', 'Of R', 'ir');
	pressAction(terminal, 'notebook', 'runAll');
	await terminal.until(/Kernel of r\.ipynb[^]*Its kernel ir is not on welcome[^]*python3/);
	pressAction(terminal, 'chooser', 'close');
	await terminal.gone('esc close');
	await terminal.until(/r\.ipynb ─+ saved · ir · cell 1 of 2/);
	expect(terminal.screen()).not.toMatch(/waits|\[\*\]/);
	pressAction(terminal, 'notebook', 'runAll');
	await terminal.until('Its kernel ir is not on welcome');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/^ +ran$/m);
	await terminal.until(/r\.ipynb ─+ not saved · python3/);
	expect(readFileSync(pathIn(home, 'r.ipynb'), 'utf8')).toBe(text);
});

test.skipIf(missing)(
	'a run that stops leads to its cell, and a restart there leaves the variables of the REPL',
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 98, rows: 40, env: {SVC_ENGINE: 'jupyter'}});
		await startWelcome(terminal);
		await openRepl(terminal);
		runCode(terminal, 'x = 40 + 1; print("se" + "t")');
		await terminal.until(/^ +set$/m);
		mkdirSync(dirname(pathIn(home, 'n.ipynb')), {recursive: true});
		writeFileSync(
			pathIn(home, 'n.ipynb'),
			notebook('Stops', 'print("x" in globals(), "y" in globals())', 'y = 1', '1/0', 'print("never")'),
		);
		pressAction(terminal, 'anywhere', 'files');
		await terminal.until('n.ipynb');
		pressAction(terminal, 'global', 'zoom');
		await work(terminal, 'n.ipynb', 'Stops');
		pressAction(terminal, 'notebook', 'runAll');
		await terminal.until(
			/n\.ipynb stopped at cell 4 \(\S+ \S+ goes there\): ZeroDivisionError: division by zero\. One cell di/,
		);
		await terminal.until(/^ +False False$/m);
		pressAction(terminal, 'anywhere', 'follow');
		await terminal.until(/n\.ipynb ─+ not saved · python3 · cell 4 of 5/);

		pressAction(terminal, 'notebook', 'restartRunAll');
		await terminal.until('Restart the kernel of n.ipynb, and run all cells?');
		await terminal.until('The kernel is python3 on welcome.');
		pressAction(terminal, 'confirm', 'yes');
		await terminal.until('The kernel of n.ipynb was restarted');
		await terminal.until(/^ +False False$/m);
		await terminal.until(/n\.ipynb stopped at cell 4/);

		pressAction(terminal, 'anywhere', 'repl');
		await terminal.until('REPL · welcome');
		runCode(terminal, 'print(x + 1)');
		await terminal.until(/^ +42$/m);
	},
);
