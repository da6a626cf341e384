import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {createKernelSessions} from '../../src/engines/jupyter/kernel-session.ts';
import {hubMissing, startHub} from '../support/hub.ts';
import {untilNoProcessUses} from '../support/processes.ts';
import {newHome, type Home} from '../support/program.ts';
import {startBenchService, type BenchService} from './bench-service.ts';
import type {Measurement} from './measurement.ts';

const RUNS = 200;
const WARM_UP = 20;
/** As many as may be live at once. */
const SERVERS = 4;

const repeat = async (run: () => Promise<unknown>): Promise<readonly number[]> => {
	const values: number[] = [];
	for (let turn = -WARM_UP; turn < RUNS; turn++) {
		const from = performance.now();
		const answer = await run();
		if (turn >= 0) values.push(performance.now() - from);
		if (!JSON.stringify(answer).includes('"2"')) throw new Error(`1+1 gave ${JSON.stringify(answer)}`);
	}
	return values;
};

/** `directKey`: the token of the server itself, where the list tells none. */
const measure = async (name: string, service: BenchService, {readyWithin, directKey}: {readonly readyWithin: number | null; readonly directKey?: string}): Promise<readonly Measurement[]> => {
	const ready: number[] = [];
	for (let server = 0; server < SERVERS; server++) ready.push(await service.createReady(`bench-${server}`));
	const {servers} = await service.call('GET', '/servers') as {readonly servers: readonly {readonly name: string; readonly url: string; readonly token: string | null}[]};
	const item = servers.find(server => server.name === 'bench-0');
	const kernels = createKernelSessions({url: item?.url ?? '', token: directKey ?? item?.token ?? ''});
	try {
		const direct = await repeat(() => kernels.run('1+1', 'python3'));
		const values = await repeat(() => service.call('POST', '/servers/bench-0/run-code', {code: '1+1', kernel_name: 'python3'}));
		return [
			{id: 'P8', what: `1+1 through the service (${name})`, unit: 'ms', values, reference: {what: 'its kernel called directly', values: direct}, budget: {figure: 'ratio', atMost: 2}},
			{id: 'P9', what: `created to ready (${name})`, unit: 'ms', values: ready, ...(readyWithin !== null && {budget: {figure: 'median', atMost: readyWithin}})},
		];
	} finally {
		kernels.close();
	}
};

const onJupyter = async (home: Home): Promise<readonly Measurement[]> => {
	await using service = await startBenchService(home, {args: ['--engine', 'jupyter']});
	return await measure('Jupyter', service, {readyWithin: 1500});
};

const onHub = async (home: Home): Promise<readonly Measurement[]> => {
	await using hub = await startHub();
	const key = await hub.tokenOf('ann@example.com');
	await using service = await startBenchService(home, {args: ['--engine', 'jupyterhub', '--hub', hub.url], key});
	return await measure('JupyterHub', service, {readyWithin: null, directKey: key});
};

/** P8 and P9 for the engines that Debian's packages bring; the embedded one has its own in code.ts and service.ts. */
export const engines = async (): Promise<readonly Measurement[]> => {
	const measured: Measurement[] = [];
	for (const [name, missing, run] of [['Jupyter', findJupyter(process.env) === null, onJupyter], ['JupyterHub', hubMissing !== null, onHub]] as const) {
		if (missing) {
			console.error(`*** NOT MEASURED: ${name} is not installed ***`);
			continue;
		}
		await using home = await newHome();
		measured.push(...await run(home));
		await untilNoProcessUses(home.folder);
	}
	return measured;
};
