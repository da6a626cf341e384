import {setTimeout as delay} from 'node:timers/promises';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {pressAction} from '../support/press-action.ts';
import {untilNoProcessUses} from '../support/processes.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {startBenchService, type BenchService} from './bench-service.ts';
import type {Measurement} from './measurement.ts';
import {cpuTime} from './process-costs.ts';
import {replTimes} from './repl.ts';

const LINES = 100;
const WARM_UP = 10;
const RUNS = 60;
const HIDDEN_MS = 20_000;
const SETTLE_MS = 2000;

/**
 * Prints lines that contain their time of printing, at irregular times, so that they do not
 * coincide with frames.
 */
const CLOCK = `import time
for i in range(${WARM_UP + LINES}):
    print("line", i, "of", time.time() * 1000, "end", flush=True)
    time.sleep(0.1 + i * 7 % 33 / 1000)
print("all " + "printed")
`;
/** Twenty lines a second, until stopped. */
const ENDLESS = `import time
for i in range(10**9):
    print("step", i, "loss", 1 / (i + 1), flush=True)
    time.sleep(0.05)
`;

const send = (terminal: Terminal, code: string): void => {
	terminal.paste(code);
	pressAction(terminal, 'repl', 'run');
};

/** Times from each print until its line is on screen, in ms. */
const printTimes = async (terminal: Terminal): Promise<readonly number[]> => {
	const values: number[] = [];
	let at = 0;
	const stop = terminal.onOutput((_, moment) => {
		at = moment;
	});
	send(terminal, CLOCK);
	for (let line = 0; line < WARM_UP + LINES; line++) {
		const drawn = (): string | undefined =>
			new RegExp(`^ line ${line} of ([\\d.]+) end$`, 'm').exec(terminal.screen())?.[1];
		await terminal.untilTrue(`line ${line}`, () => drawn() !== undefined);
		values.push(performance.timeOrigin + at - Number(drawn()));
	}
	stop();
	await terminal.until(/^ +all printed$/m);
	return values.slice(WARM_UP);
};

/** Share of a core that the screens use while a hidden cell prints, in percent. */
const hiddenShare = async (terminal: Terminal): Promise<number> => {
	send(terminal, ENDLESS);
	await terminal.until(/^ +step \d+ loss/m);
	pressAction(terminal, 'anywhere', 'servers');
	await terminal.gone(/^ +step \d+ loss/m);
	await delay(SETTLE_MS);
	const before = await cpuTime(terminal.pid);
	await delay(HIDDEN_MS);
	return (((await cpuTime(terminal.pid)) - before) / HIDDEN_MS) * 100;
};

type Engine = {readonly name: string; readonly printed: number; readonly value: number};

const measure = async (
	home: Home,
	service: BenchService,
	{name, printed, value}: Engine,
): Promise<readonly Measurement[]> => {
	const {keyFile} = service;
	await service.createReady('bench-0');
	const values = await replTimes(home, service, {server: 'bench-0', keyFile, times: RUNS, warmUp: WARM_UP});
	await using terminal = await openProgram({
		home,
		// Room for a single pane.
		columns: 90,
		rows: 40,
		args: ['--base-url', service.url, '--api-key-file', keyFile, 'open', 'bench-0', 'repl'],
	});
	await terminal.until(/Python · live/);
	const prints = await printTimes(terminal);
	return [
		{
			id: 'P8',
			what: `1+1 in the REPL to the drawn result (${name})`,
			unit: 'ms',
			values,
			budget: {figure: 'median', atMost: value},
		},
		{
			id: 'P13',
			what: `a line that a cell prints, to the screen (${name})`,
			unit: 'ms',
			values: prints,
			budget: {figure: 'p95', atMost: printed},
		},
		{
			id: 'P13',
			what: `a cell that prints 20 lines a second, not on screen (${name})`,
			unit: '% of a core',
			values: [await hiddenShare(terminal)],
			budget: {figure: 'median', atMost: 2},
		},
	];
};

/**
 * Live output and REPL round trips on the engines with a live link. The bench `output` measures
 * floods of output over the link.
 */
export const live = async (): Promise<readonly Measurement[]> => {
	const measured: Measurement[] = [];
	for (const engine of [
		{name: 'embedded', printed: 25, value: 8},
		{name: 'Jupyter', printed: 40, value: 12},
	]) {
		if (engine.name === 'Jupyter' && findJupyter(process.env) === null) {
			console.error(`*** NOT MEASURED: ${engine.name} is not installed ***`);
			continue;
		}
		await using home = await newHome();
		{
			await using service = await startBenchService(home, {args: ['--engine', engine.name.toLowerCase()]});
			measured.push(...(await measure(home, service, engine)));
		}
		await untilNoProcessUses(home.folder);
	}
	return measured;
};
