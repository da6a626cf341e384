import {readFileSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {keyFile, readInstance} from '../../src/settings/instance.ts';
import {serviceFolder} from '../support/folders.ts';
import {callJupyter, openChannels} from '../support/jupyter-client.ts';
import {pressAction} from '../support/press-action.ts';
import {processesUsing, type ProcessEntry} from '../support/processes.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Measurement} from './measurement.ts';
import {privateMemory, residentMemory} from './process-costs.ts';

const RUNS = 3;
const AFTER_MS = 3000;

const parts = {
	service: (entry: ProcessEntry) => / serve( |$)/.test(entry.command),
	engine: (entry: ProcessEntry) => /engine\.js/.test(entry.command),
};

/** Opens a second session on the server and runs a cell in it. Resolves to the time in ms. */
const runInSecondKernel = async (home: Home): Promise<number> => {
	const folder = serviceFolder(home);
	const listed = await fetch(`${readInstance(folder)?.url}/api/servers`, {
		headers: {apiKey: readFileSync(keyFile(folder), 'utf8')},
	});
	const {servers} = (await listed.json()) as {
		readonly servers: readonly {readonly url: string; readonly token: string}[];
	};
	const [{url, token} = {url: '', token: ''}] = servers;
	const address = {url: url.split('?')[0] ?? '', token};
	const began = performance.now();
	const opened = await callJupyter(address, 'POST', 'api/sessions', {path: 'second.ipynb', type: 'notebook'});
	const {kernel} = (await opened.json()) as {readonly kernel: {readonly id: string}};
	const channels = await openChannels(address, kernel.id);
	const cell = channels.send('execute_request', {code: '1 + 1'});
	while (!channels.reply(cell)) await delay(1);
	const time = performance.now() - began;
	await channels.close();
	return time;
};

/** Memory of the screens, the service and one engine, 3 s after the server is ready. */
export const memory = async (): Promise<readonly Measurement[]> => {
	const values = {
		ui: [] as number[],
		service: [] as number[],
		engine: [] as number[],
		spare: [] as number[],
		second: [] as number[],
		secondPrivate: [] as number[],
		secondTime: [] as number[],
	};
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
		// The largest process belongs to the session. Spare processes and the one for lookups have
		// run no code yet.
		engines.sort((one, other) => other - one);
		values.engine.push(engines[0]!);
		values.spare.push(...engines.slice(1));
		values.secondTime.push(await runInSecondKernel(home));
		await delay(AFTER_MS);
		const second = (await processesUsing(home.folder)).find(
			entry => parts.engine(entry) && !all.some(({pid}) => pid === entry.pid),
		);
		if (!second) throw new Error('no process of a second kernel');
		values.second.push(await residentMemory(second.pid));
		values.secondPrivate.push(await privateMemory(second.pid));
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
		{
			id: 'P11',
			what: 'memory of a second kernel',
			unit: 'MB',
			values: values.second,
			budget: {figure: 'median', atMost: 230},
		},
		{id: 'P11', what: 'of that, private memory', unit: 'MB', values: values.secondPrivate},
		{id: 'P11', what: 'a second kernel and its first result', unit: 'ms', values: values.secondTime},
		...(values.spare.length > 0
			? [{id: 'P11', what: 'memory of a further engine process', unit: 'MB', values: values.spare} as const]
			: []),
	];
};
