import {ask, openAssistant, openRepl, runCode, startWelcome} from '../journeys/steps.ts';
import {pressAction} from '../support/press-action.ts';
import {processesUsing} from '../support/processes.ts';
import {newHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import type {Measurement} from './measurement.ts';
import {residentMemory} from './process-costs.ts';

/** Each round contains the actions of a user in half a minute. */
const ROUNDS = 80;

const lookAround = async (terminal: Terminal): Promise<void> => {
	pressAction(terminal, 'anywhere', 'compute');
	await terminal.until(/Compute \d+/);
	for (let page = 0; page < 3; page++) pressAction(terminal, 'compute', 'pageDown');
	pressAction(terminal, 'compute', 'filter');
	await terminal.until('close the filter');
	terminal.type('gpu:h100');
	await terminal.until('gpu:h100');
	pressAction(terminal, 'filter', 'killToStart');
	pressAction(terminal, 'filter', 'leave');
	// Esc followed at once by an Alt key would be interpreted as another key.
	await terminal.gone('close the filter');
	pressAction(terminal, 'anywhere', 'environments');
	await terminal.until(/Environments \d+/);
	pressAction(terminal, 'anywhere', 'servers');
	await terminal.until(/Servers \d+/);
};

const work = async (terminal: Terminal, round: number): Promise<void> => {
	await openRepl(terminal);
	runCode(terminal, `print("\\n".join(f"line {number} of ${round}" for number in range(300)))`);
	await terminal.until(`line 299 of ${round}`);
	await openAssistant(terminal);
	ask(terminal, `What does json.loads do? Question ${round}.`);
	await terminal.until(`Question ${round}.`);
	await terminal.until('stop the answer');
	await terminal.gone('stop the answer', 30_000);
};

/**
 * Memory over two hours of use, replayed in a few minutes. It must not grow with the number of
 * actions.
 */
export const hour = async (): Promise<readonly Measurement[]> => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 150, rows: 45});
	await startWelcome(terminal);
	const service = (await processesUsing(home.folder)).find(({command}) => / serve( |$)/.test(command));
	if (!service) throw new Error('no service runs');
	const screens: number[] = [];
	const services: number[] = [];
	for (let round = 1; round <= ROUNDS; round++) {
		await lookAround(terminal);
		await work(terminal, round);
		screens.push(await residentMemory(terminal.pid));
		services.push(await residentMemory(service.pid));
	}
	const quarter = (values: readonly number[], index: number): readonly number[] => [
		Math.max(...values.slice((index * ROUNDS) / 4, ((index + 1) * ROUNDS) / 4)),
	];
	return (
		[
			['screens', screens],
			['service', services],
		] as const
	).map(([name, values]) => ({
		id: 'P11',
		what: `peak of the ${name} in the last quarter of an hour's use`,
		unit: 'MB',
		values: quarter(values, 3),
		reference: {what: 'the second quarter', values: quarter(values, 1)},
		budget: {figure: 'ratio', atMost: 1.1},
	}));
};
