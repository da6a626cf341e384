import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {pressAction} from '../support/press-action.ts';
import {newHome, type Home} from '../support/program.ts';
import {openTerminal, type Terminal} from '../support/terminal.ts';
import {startBenchService} from './bench-service.ts';
import {keyToFrame} from './key-to-frame.ts';
import type {Measurement} from './measurement.ts';
import {openFile, openOnService, withCurl} from './open-files.ts';
import {cpuTime, peakMemory} from './process-costs.ts';

const LINE = 80;
const SIZES_MB = [1, 10, 100] as const;
const OPENINGS = 5;
const PAGES = 500;
const KEYS = 120;
const FEW_LINES = 300;
const CODE_LINES = 200_000;
const IDLE_MS = 3000;
const MANY_LINES = 10_000;

const textOf = (name: string, lines: number): string =>
	Array.from({length: lines}, (_, at) => `${name} ${at} `.padEnd(LINE - 1, '.')).join('\n');

const toFirstLines = async (terminal: Terminal, name: string): Promise<number> =>
	openFile(terminal, name, new RegExp(` 1 +${name} 0 `));

/** Baseline: time in ms in which `cat` echoes a key in the same kind of terminal. */
const echoes = async (home: Home): Promise<readonly number[]> => {
	await using terminal = await openTerminal({
		command: ['sh', '-c', 'stty raw -echo; echo begin; exec cat'],
		env: home.env,
		cwd: home.folder,
	});
	await terminal.until('begin');
	const values: number[] = [];
	for (let key = 0; key < KEYS; key++) {
		values.push(
			await new Promise<number>(resolve => {
				const stop = terminal.onOutput((_, at) => {
					stop();
					resolve(at - from);
				});
				const from = performance.now();
				terminal.type('x');
			}),
		);
		await delay(50);
	}
	return values;
};

/** Milliseconds from each of `count` keys in an open file to its frame. */
const inViewer = async (
	terminal: Terminal,
	action: 'down' | 'pageDown',
	count: number,
): Promise<readonly number[]> => {
	const values: number[] = [];
	for (let key = 0; key < count; key++)
		values.push(await keyToFrame(terminal, () => pressAction(terminal, 'viewer', action)));
	return values;
};

/**
 * Opens text files in the screens, compared with curl for the same GET. Also measures growth with
 * size, and keys in a file of 10,000 lines.
 */
export const files = async (): Promise<readonly Measurement[]> => {
	await using home = await newHome();
	await using service = await startBenchService(home);
	const {terminal: screens, folder} = await openOnService(home, service);
	await using terminal = screens;
	for (const size of SIZES_MB)
		await writeFile(join(folder, `${size}.txt`), textOf(`${size}.txt`, (size * 1e6) / LINE));
	await writeFile(join(folder, 'code.py'), textOf('code.py', CODE_LINES));
	for (const lines of [FEW_LINES, MANY_LINES])
		await writeFile(join(folder, `${lines}.txt`), textOf(`${lines}.txt`, lines));
	pressAction(terminal, 'global', 'files');
	await terminal.until('listed by the service');
	const opened: Measurement[] = [];
	for (const size of SIZES_MB) {
		const name = `${size}.txt`;
		const [screens, curl]: number[][] = [[], []];
		for (let time = -1; time < OPENINGS; time++) {
			const by = await withCurl(home, service, name);
			const here = await toFirstLines(terminal, name);
			if (time >= 0) {
				curl!.push(by);
				screens!.push(here);
			}
			await toFirstLines(terminal, `${FEW_LINES}.txt`);
		}
		opened.push({
			id: size === 100 ? 'P7' : 'P12',
			what: `text file of ${size} MB: Enter to its first lines`,
			unit: 'ms',
			values: screens!,
			reference: {what: 'curl of the same GET', values: curl!},
			...(size === 100 && {budget: {figure: 'ratio', atMost: 3}}),
		});
	}
	const few = await inViewer(terminal, 'down', KEYS);
	await toFirstLines(terminal, `${MANY_LINES}.txt`);
	const many = await inViewer(terminal, 'down', KEYS);
	const manyPages = await inViewer(terminal, 'pageDown', KEYS);
	await toFirstLines(terminal, 'code.py');
	pressAction(terminal, 'viewer', 'last');
	await terminal.until(`code.py ${CODE_LINES - 1} `);
	await delay(IDLE_MS / 2);
	const atRest = await cpuTime(terminal.pid);
	await delay(IDLE_MS);
	const idle = (((await cpuTime(terminal.pid)) - atRest) / IDLE_MS) * 100;
	await toFirstLines(terminal, '100.txt');
	const before = await cpuTime(terminal.pid);
	const pages = await inViewer(terminal, 'pageDown', PAGES);
	const cpu = ((await cpuTime(terminal.pid)) - before) / PAGES;
	const echo = await echoes(home);
	return [
		...opened,
		{
			id: 'P7',
			what: `${PAGES} page-downs in the file of 100 MB`,
			unit: 'ms',
			values: pages,
			reference: {what: 'a key echoed by cat', values: echo},
			budget: {figure: 'p95', atMost: 16},
		},
		{
			id: 'P12',
			what: 'the same, against 10,000 lines',
			unit: 'ms',
			values: pages,
			reference: {what: 'page-down in 10,000 lines', values: manyPages},
			budget: {figure: 'ratio', atMost: 1.3},
		},
		{id: 'P7', what: 'processor time of one of them', unit: 'ms', values: [cpu]},
		{id: 'P7', what: 'the machine at that moment: a key echoed by cat', unit: 'ms', values: echo},
		{
			id: 'P7',
			what: 'peak memory of the screens, 100 MB opened six times',
			unit: 'MB',
			values: [await peakMemory(terminal.pid)],
		},
		{
			id: 'P5',
			what: `at rest at the end of ${CODE_LINES} lines of Python`,
			unit: '% of a core',
			values: [idle],
			budget: {figure: 'median', atMost: 1},
		},
		{
			id: 'P2',
			what: `key to frame in a file of ${MANY_LINES} lines`,
			unit: 'ms',
			values: many,
			budget: {figure: 'p95', atMost: 16},
		},
		{
			id: 'P2',
			what: `the same, against ${FEW_LINES} lines`,
			unit: 'ms',
			values: many,
			reference: {what: `${FEW_LINES} lines`, values: few},
			budget: {figure: 'ratio', atMost: 1.3},
		},
	];
};
