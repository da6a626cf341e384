import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {largeNotebook} from '../support/large-notebook.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome} from '../support/program.ts';
import {startBenchService} from './bench-service.ts';
import {keyToFrame} from './key-to-frame.ts';
import type {Measurement} from './measurement.ts';
import {openFile, openOnService, withCurl} from './open-files.ts';
import {cpuTime} from './process-costs.ts';

const CELLS = 1000;
const FEW = 10;
const OPENINGS = 7;
const KEYS = 120;
/**
 * Number of times that the user types without a pause. Each time, the draft is written at least
 * once.
 */
const STRETCHES = 5;

const timed = async (act: () => Promise<unknown>): Promise<number> => {
	const from = performance.now();
	await act();
	return performance.now() - from;
};

/**
 * Opens and saves a notebook of a thousand cells and 20 MB. Compared with a notebook of ten cells,
 * and with the same GET and PUT by curl.
 */
export const notebooks = async (): Promise<readonly Measurement[]> => {
	await using home = await newHome();
	await using service = await startBenchService(home);
	const {terminal: screens, folder} = await openOnService(home, service);
	await using terminal = screens;
	await writeFile(join(folder, 'many.ipynb'), largeNotebook(CELLS));
	await writeFile(join(folder, 'few.ipynb'), largeNotebook(FEW));
	await writeFile(join(folder, 'other.txt'), 'another file\n');
	pressAction(terminal, 'global', 'files');
	await terminal.until('listed by the service');
	pressAction(terminal, 'global', 'zoom');
	const body = join(home.folder, 'body.json');
	await writeFile(body, JSON.stringify({content: largeNotebook(CELLS), format: 'text', type: 'file'}));
	const put = ['-X', 'PUT', '-H', 'Content-Type: application/json', '--data-binary', `@${body}`];
	const [got, sent, few, many, worked, saved, cpu]: [
		number[],
		number[],
		number[],
		number[],
		number[],
		number[],
		number[],
	] = [[], [], [], [], [], [], []];
	for (let time = -1; time < OPENINGS; time++) {
		const measured = [
			await withCurl(home, service, 'many.ipynb'),
			await withCurl(home, service, 'copy.ipynb', ...put),
			await openFile(terminal, 'few.ipynb', /few\.ipynb ─[^]*\[1\] +part = 1$/m),
		];
		await openFile(terminal, 'other.txt', /another file/);
		const before = await cpuTime(terminal.pid);
		measured.push(await openFile(terminal, 'many.ipynb', /many\.ipynb ─[^]*\[1\] +part = 1$/m));
		const after = await cpuTime(terminal.pid);
		await openFile(terminal, 'other.txt', /another file/);
		if (time < 0) continue;
		for (const [index, list] of [got, sent, few, many].entries()) list.push(measured[index] ?? 0);
		cpu.push(after - before);
	}
	await openFile(terminal, 'many.ipynb', /many\.ipynb ─[^]*\[1\] +part = 1$/m);
	worked.push(
		await timed(async () => {
			pressAction(terminal, 'viewer', 'work');
			await terminal.until(/saved · python3 · cell 1 of 1000/, 60_000);
		}),
	);
	const moves: number[] = [];
	const pages: number[] = [];
	const typed: number[] = [];
	for (let press = 0; press < KEYS; press++)
		moves.push(await keyToFrame(terminal, () => pressAction(terminal, 'notebook', 'down')));
	for (let press = 0; press < KEYS; press++)
		pages.push(await keyToFrame(terminal, () => pressAction(terminal, 'notebook', 'pageDown')));
	pressAction(terminal, 'notebook', 'last');
	await terminal.until(/cell 1000\/1000/);
	for (let time = 0; time < OPENINGS; time++) {
		pressAction(terminal, 'notebook', 'edit');
		await terminal.until('esc done');
		for (let press = 0; press < KEYS / 4; press++)
			typed.push(await keyToFrame(terminal, () => terminal.type('x')));
		pressAction(terminal, 'notebookEdit', 'leave');
		await terminal.gone('esc done');
		await terminal.until(/not saved · python3/);
		pressAction(terminal, 'notebook', 'save');
		await terminal.until('Save all outputs?');
		saved.push(
			await timed(async () => {
				pressAction(terminal, 'confirm', 'yes');
				await terminal.until(/─ saved · python3/, 60_000);
			}),
		);
	}
	const few13 = few.map(value => value * 1.3);
	const limit = got.map((value, index) => value + (few13[index] ?? 0));
	pressAction(terminal, 'notebook', 'edit');
	await terminal.until('esc done');
	const [drafted, slowest]: [number[], number[]] = [[], []];
	for (let stretch = 0; stretch < STRETCHES; stretch++) {
		const stretched: number[] = [];
		for (let press = 0; press < KEYS; press++)
			stretched.push(await keyToFrame(terminal, () => terminal.type('x')));
		drafted.push(...stretched);
		slowest.push(Math.max(...stretched));
	}
	return [
		{
			id: 'P15',
			what: `notebook of ${CELLS} cells: Enter to its first cells`,
			unit: 'ms',
			values: many,
			reference: {what: `curl of the same GET, and 1.3x one of ${FEW} cells`, values: limit},
			budget: {figure: 'ratio', atMost: 1},
		},
		{id: 'P15', what: 'processor time of that', unit: 'ms', values: cpu},
		{id: 'P15', what: 'curl of the GET', unit: 'ms', values: got},
		{id: 'P15', what: `notebook of ${FEW} cells: Enter to its first cells`, unit: 'ms', values: few},
		{id: 'P15', what: 'Enter again, to work in it', unit: 'ms', values: worked},
		{
			id: 'P15',
			what: 'cell down in it, key to frame',
			unit: 'ms',
			values: moves,
			budget: {figure: 'p95', atMost: 16},
		},
		{
			id: 'P15',
			what: 'page down in it, key to frame',
			unit: 'ms',
			values: pages,
			budget: {figure: 'p95', atMost: 16},
		},
		{
			id: 'P15',
			what: 'a letter typed in it, key to frame',
			unit: 'ms',
			values: typed,
			budget: {figure: 'p95', atMost: 16},
		},
		{
			id: 'P15',
			what: 'a letter typed in it while its draft is written',
			unit: 'ms',
			values: drafted,
			budget: {figure: 'p95', atMost: 16},
		},
		{
			id: 'P15',
			what: `the slowest of ${KEYS} such letters`,
			unit: 'ms',
			values: slowest,
			budget: {figure: 'median', atMost: 50},
		},
		{
			id: 'P15',
			what: 'a save of it',
			unit: 'ms',
			values: saved,
			reference: {what: 'curl of a GET and a PUT', values: got.map((value, at) => value + (sent[at] ?? 0))},
			budget: {figure: 'ratio', atMost: 2},
		},
	];
};
