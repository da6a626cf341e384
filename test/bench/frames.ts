// A data frame of a million rows, and a kernel with 10,000 variables.
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {hasPandas, startPython} from '../support/python-objects.ts';
import type {Measurement} from './measurement.ts';

const ROWS = 1_000_000;
const NAMES = 10_000;
const OPENINGS = 8;
const PAGES = 60;

const FRAME = `import numpy, pandas
numbers = numpy.arange(${ROWS})
frame = pandas.DataFrame({"id": numbers, "share": numbers % 1000 / 7, "place": (numbers % 13).astype("U"), "day": pandas.Timestamp("2026-01-01") + pandas.to_timedelta(numbers, unit="s"), "whole": numbers * 7919 % ${ROWS}})
del numbers
`;
const VARIABLES = `globals().update({f"name_{n:05}": list(range(n % 50)) for n in range(${NAMES})})\n`;

/** Time of the kernel alone in ms: the same requests to a Python without Jupyter. */
const kernelTimes = async (): Promise<{
	readonly open: readonly number[];
	readonly list: readonly number[];
}> => {
	await using python = startPython();
	await python.run(FRAME);
	const open: number[] = [];
	const list: number[] = [];
	const time = async (values: number[], request: Parameters<typeof python.request>[0]): Promise<void> => {
		const started = performance.now();
		await python.request(request);
		values.push(performance.now() - started);
	};
	for (let opening = 0; opening < OPENINGS; opening++)
		await time(open, {op: 'open', target: {name: 'frame'}, count: 200});
	await python.run(VARIABLES);
	for (let listing = 0; listing < OPENINGS; listing++) await time(list, {op: 'variables'});
	return {open, list};
};

const middle = (values: readonly number[]): number =>
	values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

/** Times on Jupyter's kernel, from the key to the rows on screen. */
export const frames = async (): Promise<readonly Measurement[]> => {
	if (!hasPandas || findJupyter(process.env) === null) {
		console.warn('\n*** SKIPPED: P19, since Jupyter Server, pandas or numpy is not installed ***\n');
		return [];
	}
	const kernel = await kernelTimes();
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 120, rows: 40, env: {SVC_ENGINE: 'jupyter'}});
	await terminal.until(/welcome\s.*offline/);
	pressAction(terminal, 'servers', 'start');
	await terminal.until('Start welcome?');
	pressAction(terminal, 'confirm', 'yes');
	await terminal.until(/welcome \S ready/);
	pressAction(terminal, 'anywhere', 'repl');
	await terminal.until(/REPL · welcome · Python · live/);
	const run = async (code: string, word: string): Promise<void> => {
		terminal.paste(`${code}print("${word}" + "ed")`);
		pressAction(terminal, 'repl', 'run');
		await terminal.until(`${word}ed`);
	};
	await run(FRAME, 'fram');
	pressAction(terminal, 'repl', 'variables');
	await terminal.until(/frame +DataFrame/);
	const opened: number[] = [];
	for (let opening = 0; opening < OPENINGS; opening++) {
		const pressed = performance.now();
		pressAction(terminal, 'variables', 'open');
		await terminal.until(/1\/1,000,000[^]*▸ *0 +0 /);
		opened.push(performance.now() - pressed - middle(kernel.open));
		if (opening === OPENINGS - 1) break;
		pressAction(terminal, 'tableRows', 'close');
		await terminal.until('Variables of the REPL');
	}
	const pages: number[] = [];
	/** Row that the cursor is on, once the title and the rows agree on it. */
	const row = (): number => {
		const [, position = '', index = ''] =
			/ ([\d,]+)\/1,000,000[^]*▸ *(\d+) +\d+ /.exec(terminal.screen()) ?? [];
		return Number(position.replaceAll(',', '')) - 1 === Number(index) ? Number(index) : -1;
	};
	for (let page = 0; page < PAGES; page++) {
		const before = row();
		const pressed = performance.now();
		pressAction(terminal, 'tableRows', 'pageDown');
		await terminal.untilTrue('the rows of the next page', () => row() > before);
		pages.push(performance.now() - pressed);
	}
	pressAction(terminal, 'tableRows', 'close');
	await terminal.until('Variables of the REPL');
	pressAction(terminal, 'variables', 'close');
	await terminal.until('>>>');
	await run(VARIABLES, 'nam');
	const listed: number[] = [];
	for (let listing = 0; listing < OPENINGS; listing++) {
		const pressed = performance.now();
		pressAction(terminal, 'repl', 'variables');
		await terminal.until(/10,001 variables/);
		listed.push(performance.now() - pressed - middle(kernel.list));
		pressAction(terminal, 'variables', 'close');
		await terminal.until('>>>');
	}
	return [
		{
			id: 'P19',
			what: 'frame of a million rows: Enter to its first page, beyond the kernel',
			unit: 'ms',
			values: opened,
			budget: {figure: 'median', atMost: 200},
		},
		{
			id: 'P19',
			what: `${PAGES} page-downs in it`,
			unit: 'ms',
			values: pages,
			budget: {figure: 'p95', atMost: 40},
		},
		{
			id: 'P19',
			what: 'variables of a kernel with 10,000 names, beyond the kernel',
			unit: 'ms',
			values: listed,
			budget: {figure: 'median', atMost: 100},
		},
		{id: 'P19', what: 'the kernel alone: open the frame', unit: 'ms', values: kernel.open},
		{id: 'P19', what: 'the kernel alone: list the variables', unit: 'ms', values: kernel.list},
	];
};
