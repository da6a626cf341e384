import {setTimeout as delay} from 'node:timers/promises';
import {pressAction} from '../support/press-action.ts';
import {processesUsing, type ProcessEntry} from '../support/processes.ts';
import {newHome, openProgram} from '../support/program.ts';
import type {Measurement} from './measurement.ts';
import {residentMemory} from './process-costs.ts';

const RUNS = 3;
const AFTER_MS = 3000;

const parts = {
	service: (entry: ProcessEntry) => / serve( |$)/.test(entry.command),
	engine: (entry: ProcessEntry) => /engine\.js/.test(entry.command),
};

/** Memory of the screens, the service and one engine, 3 s after the server is ready. */
export const memory = async (): Promise<readonly Measurement[]> => {
	const values = {ui: [] as number[], service: [] as number[], engine: [] as number[], spare: [] as number[]};
	for (let run = 0; run < RUNS; run++) {
		await using home = await newHome();
		await using terminal = await openProgram({home});
		await terminal.until(/welcome\s.*offline/);
		pressAction(terminal, 'servers', 'start');
		await terminal.until('Start welcome?');
		pressAction(terminal, 'confirm', 'yes');
		await terminal.until(/welcome\s.*ready/);
		await delay(AFTER_MS);
		const all = await processesUsing(home.folder);
		values.ui.push(await residentMemory(terminal.pid));
		const service = all.find(parts.service);
		if (!service) throw new Error(`no service among:\n${all.map(entry => entry.command).join('\n')}`);
		values.service.push(await residentMemory(service.pid));
		const engines = await Promise.all(all.filter(parts.engine).map(async ({pid}) => residentMemory(pid)));
		if (engines.length === 0)
			throw new Error(`no engine among:\n${all.map(entry => entry.command).join('\n')}`);
		// The largest process is the session's: a spare or a lookup process has run nothing yet.
		engines.sort((one, other) => other - one);
		values.engine.push(engines[0]!);
		values.spare.push(...engines.slice(1));
	}
	return [
		{
			id: 'P11',
			what: 'memory of the screens',
			unit: 'MB',
			values: values.ui,
			budget: {figure: 'median', atMost: 110},
		},
		{
			id: 'P11',
			what: 'memory of the service',
			unit: 'MB',
			values: values.service,
			budget: {figure: 'median', atMost: 80},
		},
		{
			id: 'P11',
			what: 'memory of the engine',
			unit: 'MB',
			values: values.engine,
			budget: {figure: 'median', atMost: 230},
		},
		...(values.spare.length > 0
			? [{id: 'P11', what: 'memory of a further engine process', unit: 'MB', values: values.spare} as const]
			: []),
	];
};
