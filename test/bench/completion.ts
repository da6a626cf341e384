import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {pressAction} from '../support/press-action.ts';
import {untilNoProcessUses} from '../support/processes.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {startBenchService, type BenchService} from './bench-service.ts';
import type {Measurement} from './measurement.ts';

const RUNS = 60;
const WARM_UP = 10;

/** Time at which the output arrived that completed this text on screen. */
const shownAt = async (
	terminal: Terminal,
	press: () => void,
	holds: (screen: string) => boolean,
): Promise<number> => {
	let at = 0;
	const stop = terminal.onOutput((_, moment) => {
		at = moment;
	});
	const from = performance.now();
	press();
	await terminal.untilTrue('the menu', () => holds(terminal.screen()));
	stop();
	return at - from;
};

/** Times from Tab until the menu is on screen, in ms. */
const menuTimes = async (terminal: Terminal): Promise<readonly number[]> => {
	const values: number[] = [];
	for (let run = -WARM_UP; run < RUNS; run++) {
		const code = `os.path.s`;
		terminal.type(code);
		await terminal.until(`>>> ${code}`);
		const time = await shownAt(
			terminal,
			() => pressAction(terminal, 'repl', 'complete'),
			screen => /── 1\/\d+ ─/.test(screen),
		);
		if (run >= 0) values.push(time);
		pressAction(terminal, 'completions', 'close');
		await terminal.gone(/── 1\/\d+ ─/);
		pressAction(terminal, 'repl', 'killToStart');
		await terminal.until(/^ >>> *(?:│|$)/m);
	}
	return values;
};

const measure = async (
	home: Home,
	service: BenchService,
	name: string,
	atMost: number,
): Promise<readonly Measurement[]> => {
	await service.createReady('bench-0');
	await using terminal = await openProgram({
		home,
		args: ['--base-url', service.url, '--api-key-file', service.keyFile, 'open', 'bench-0', 'repl'],
	});
	await terminal.until(/Python · live/);
	terminal.type('import os');
	await terminal.until('>>> import os');
	pressAction(terminal, 'repl', 'run');
	await terminal.until('[1]');
	return [
		{
			id: 'P14',
			what: `Tab in the REPL to the menu (${name})`,
			unit: 'ms',
			values: await menuTimes(terminal),
			budget: {figure: 'p95', atMost},
		},
	];
};

/** Completion on the engines that have a live link. */
export const completion = async (): Promise<readonly Measurement[]> => {
	const measured: Measurement[] = [];
	for (const [engine, name, atMost] of [
		['embedded', 'embedded', 60],
		['jupyter', 'Jupyter', 80],
	] as const) {
		if (engine === 'jupyter' && findJupyter(process.env) === null) {
			console.error(`*** NOT MEASURED: ${name} is not installed ***`);
			continue;
		}
		await using home = await newHome();
		{
			await using service = await startBenchService(home, {args: ['--engine', engine]});
			measured.push(...(await measure(home, service, name, atMost)));
		}
		await untilNoProcessUses(home.folder);
	}
	return measured;
};
