// @module-tag long
// Notebooks on Debian's Jupyter Server: each has a kernel of its own, outputs come as they are printed, input() asks under the cell.
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, runCommand, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {startWelcome} from './steps.ts';

const missing = findJupyter(process.env) === null;
if (missing)
	console.warn(
		'\n*** SKIPPED: no notebooks on Jupyter: jupyter-server and ipykernel are not installed ***\n',
	);

const pathIn = (home: Home, name: string): string => join(serverFolder(serviceFolder(home)), name);
const notebook = (title: string, ...sources: readonly string[]): string =>
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
			metadata: {kernelspec: {display_name: 'Python 3', language: 'python', name: 'python3'}},
			nbformat: 4,
			nbformat_minor: 5,
		},
		null,
		1,
	)}\n`;

const work = async (terminal: Terminal, name: string, title: string): Promise<void> => {
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until('Tab complete');
	terminal.type(`file ${name}`);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(new RegExp(`work in it[^]*${title}`));
	pressAction(terminal, 'viewer', 'work');
	await terminal.until(new RegExp(`${name} ─+ saved +python3 +cell 1/`));
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
		await terminal.gone('Assistant · welcome');
		await work(terminal, 'one.ipynb', 'First one');
		pressAction(terminal, 'notebook', 'runAll');
		const during = await terminal.until(/^ begun$/m);
		expect(during).toMatch(/In \[\*\] +mine/);
		expect(during).not.toMatch(/^ ended$/m);
		expect(await runCommand(['files', 'put', 'welcome', '-', 'go'], {home, input: 'x'})).toMatchObject({
			code: 0,
		});
		await terminal.until(/^ ended$/m);
		await terminal.until(/answer:/);
		terminal.type('Ada');
		await terminal.until(/answer: Ada/);
		pressAction(terminal, 'notebookAnswer', 'answer');
		await terminal.until(/Ada!$/m);
		await terminal.until(/In \[2\] +print\(input/);
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
		await terminal.until(/^ False$/m);
	},
);

test.skipIf(missing)('what runs is stopped, and what waits behind it is not run', async () => {
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
	await terminal.gone('Assistant · welcome');
	await work(terminal, 'one.ipynb', 'First one');
	pressAction(terminal, 'notebook', 'runAll');
	await terminal.until(/^ on$/m);
	pressAction(terminal, 'notebook', 'stop');
	await terminal.until('KeyboardInterrupt');
	await terminal.until('was not run');
	expect(terminal.screen()).not.toMatch(/^ never$/m);
});
