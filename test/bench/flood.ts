import {pressAction} from '../support/press-action.ts';
import {processesUsing} from '../support/processes.ts';
import {newHome, openProgram} from '../support/program.ts';
import type {Measurement} from './measurement.ts';
import {cpuTime, peakMemory} from './process-costs.ts';

const WITHIN_MS = 120_000;

/** Cells that print 200 MB. A single Enter submits each of them. */
const FLOODS = [
	['200 lines of 1 MB', '[print("x" * 999_990, i) for i in range(200)] and None'],
	['2 million lines', '[print("step", i, "loss", 0.123456789, "x" * 68) for i in range(2_000_000)] and None'],
] as const;

/**
 * Runs a cell that prints 200 MB on the embedded engine, and measures peak memory and processor
 * time of the screens and the service.
 */
export const flood = async (): Promise<readonly Measurement[]> => {
	const measured: Measurement[] = [];
	for (const [name, source] of FLOODS) {
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 120, rows: 40});
		await terminal.until(/welcome\s.*offline/);
		pressAction(terminal, 'servers', 'start');
		await terminal.until('Start welcome?');
		pressAction(terminal, 'confirm', 'yes');
		await terminal.until(/welcome\s.*ready/);
		pressAction(terminal, 'anywhere', 'repl');
		await terminal.until('>>>');
		await terminal.until(/Python · live/);
		const service = (await processesUsing(home.folder)).find(({command}) => / serve( |$)/.test(command));
		if (service === undefined) throw new Error('no service');
		const pids = {screens: terminal.pid, service: service.pid};
		const before = {screens: await cpuTime(pids.screens), service: await cpuTime(pids.service)};
		terminal.type(source);
		await terminal.until(source.slice(0, 30));
		pressAction(terminal, 'repl', 'run');
		// The screens report dropped output while the cell runs. Code submitted during that time
		// runs next.
		await terminal.until(/left out|dropped|hidden|step 1999999 |x 199\b/, WITHIN_MS);
		terminal.type('6 * 7');
		await terminal.until('>>> 6 * 7', WITHIN_MS);
		pressAction(terminal, 'repl', 'run');
		await terminal.until(/\[2\] [^]*→ +42/, WITHIN_MS);
		for (const [part, atMost] of [
			['screens', 150],
			['service', 160],
		] as const) {
			measured.push(
				{
					id: 'P13',
					what: `memory of the ${part} at most, ${name}`,
					unit: 'MB',
					values: [await peakMemory(pids[part])],
					budget: {figure: 'median', atMost},
				},
				{
					id: 'P13',
					what: `processor time of the ${part}, ${name}`,
					unit: 'ms',
					values: [(await cpuTime(pids[part])) - before[part]],
				},
			);
		}
	}
	return measured;
};
