import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {createKernelSessions} from '../../src/engines/jupyter/kernel-session.ts';
import {createPyodideEngine} from '../../src/engines/pyodide/pyodide-engine.ts';
import {hubMissing, startHub, type TestHub} from '../support/hub.ts';
import {untilNoProcessUses} from '../support/processes.ts';
import {newHome, type Home} from '../support/program.ts';
import {sessionOptions} from '../support/session-options.ts';
import {startBenchService, type BenchService} from './bench-service.ts';
import type {Budget, Measurement} from './measurement.ts';
import {replTimes} from './repl.ts';

const RUNS = 200;
const REPL_RUNS = 60;
const WARM_UP = 20;
/** Maximum number of servers that may run at once. */
const SERVERS = 4;
const LOOK_EVERY_MS = 4;

type Runner = AsyncDisposable & {run(): Promise<unknown>};

type EngineBench = {
	readonly name: string;
	readonly service: BenchService;
	readonly home: Home;
	readonly keyFile: string;
	/** Runs code on the engine itself, without the service. */
	direct(): Promise<Runner>;
	/** Creates a server without the service. Returns the milliseconds until it is ready. */
	readonly createDirectly?: (name: string) => Promise<number>;
	readonly budgets: {readonly service?: Budget; readonly repl?: Budget; readonly ready?: Budget};
};

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

const measure = async ({
	name,
	service,
	home,
	keyFile,
	direct,
	createDirectly,
	budgets,
}: EngineBench): Promise<readonly Measurement[]> => {
	const ready: number[] = [];
	const readyDirectly: number[] = [];
	for (let server = 0; server < SERVERS; server++) {
		ready.push(await service.createReady(`bench-${server}`));
		if (createDirectly) readyDirectly.push(await createDirectly(`direct-${server}`));
	}
	const own: number[] = [];
	{
		await using runner = await direct();
		own.push(...(await repeat(runner.run)));
	}
	const reference = {what: 'the engine called directly', values: own};
	const values = await repeat(() =>
		service.call('POST', '/servers/bench-0/run-code', {code: '1+1', kernel_name: 'python3'}),
	);
	const drawn = await replTimes(home, service, {
		server: 'bench-0',
		keyFile,
		times: REPL_RUNS,
		warmUp: WARM_UP,
	});
	return [
		{
			id: 'P8',
			what: `1+1 through the service (${name})`,
			unit: 'ms',
			values,
			reference,
			...(budgets.service && {budget: budgets.service}),
		},
		{
			id: 'P8',
			what: `1+1 in the REPL to the drawn result (${name})`,
			unit: 'ms',
			values: drawn,
			reference,
			...(budgets.repl && {budget: budgets.repl}),
		},
		{
			id: 'P9',
			what: `created to ready (${name})`,
			unit: 'ms',
			values: ready,
			...(createDirectly && {reference: {what: 'created at the hub itself', values: readyDirectly}}),
			...(budgets.ready && {budget: budgets.ready}),
		},
	];
};

const kernelOf = (url: string, token: string): Runner => {
	const kernels = createKernelSessions({url, token});
	return {run: () => kernels.run('1+1', 'python3'), [Symbol.asyncDispose]: async () => kernels.close()};
};

const onEmbedded = async (home: Home): Promise<readonly Measurement[]> => {
	await using service = await startBenchService(home, {args: ['--engine', 'embedded']});
	return await measure({
		name: 'embedded',
		service,
		home,
		keyFile: service.keyFile,
		async direct() {
			const root = join(home.folder, 'direct');
			await mkdir(root);
			const engine = createPyodideEngine();
			const session = await engine.open(sessionOptions(root));
			return {
				run: () => session.run('1+1', {kernel: 'python3'}),
				async [Symbol.asyncDispose]() {
					await session.close();
					await engine.close();
				},
			};
		},
		budgets: {
			service: {figure: 'median', atMost: 3},
			repl: {figure: 'median', atMost: 10},
			ready: {figure: 'median', atMost: 500},
		},
	});
};

const onJupyter = async (home: Home): Promise<readonly Measurement[]> => {
	await using service = await startBenchService(home, {args: ['--engine', 'jupyter']});
	return await measure({
		name: 'Jupyter',
		service,
		home,
		keyFile: service.keyFile,
		async direct() {
			const {servers} = (await service.call('GET', '/servers')) as {
				readonly servers: readonly {readonly name: string; readonly url: string; readonly token: string}[];
			};
			const {url, token} = servers.find(server => server.name === 'bench-0')!;
			// The link without the token, which only browsers need.
			return kernelOf(new URL('./', url).href, token);
		},
		budgets: {
			service: {figure: 'ratio', atMost: 2},
			repl: {figure: 'median', atMost: 12},
			ready: {figure: 'median', atMost: 1500},
		},
	});
};

/** Creates a server at the hub itself. Returns the milliseconds until it is ready. */
export const createAtHub = async (hub: TestHub, user: string, key: string, name: string): Promise<number> => {
	const ask = (method: string, path: string): Promise<Response> =>
		fetch(`${hub.url}/hub/api/${path}`, {method, headers: {authorization: `token ${key}`}});
	const from = performance.now();
	const {status} = await ask('POST', `users/${encodeURIComponent(user)}/servers/${name}`);
	if (status !== 201 && status !== 202) throw new Error(`the hub answered ${status}`);
	for (;;) {
		const {servers} = (await (await ask('GET', 'user')).json()) as {
			readonly servers: Readonly<Record<string, {readonly ready: boolean}>>;
		};
		if (servers[name]?.ready === true) return performance.now() - from;
		await delay(LOOK_EVERY_MS);
	}
};

const onHub = async (home: Home): Promise<readonly Measurement[]> => {
	await using hub = await startHub();
	const user = 'ann@example.com';
	const key = await hub.tokenOf(user);
	const keyFile = join(home.folder, 'hub-key');
	await writeFile(keyFile, key, {mode: 0o600});
	await using service = await startBenchService(home, {
		args: ['--engine', 'jupyterhub', '--hub', hub.url],
		key,
	});
	return await measure({
		name: 'JupyterHub',
		service,
		home,
		keyFile,
		direct: async () => kernelOf(`${hub.url}/user/${user}/bench-0/`, key),
		createDirectly: name => createAtHub(hub, user, key, name),
		budgets: {},
	});
};

/** Server start and one cell, on the three engines. */
export const engines = async (): Promise<readonly Measurement[]> => {
	const measured: Measurement[] = [];
	for (const [name, missing, run] of [
		['embedded', false, onEmbedded],
		['Jupyter', findJupyter(process.env) === null, onJupyter],
		['JupyterHub', hubMissing !== null, onHub],
	] as const) {
		if (missing) {
			console.error(`*** NOT MEASURED: ${name} is not installed ***`);
			continue;
		}
		await using home = await newHome();
		measured.push(...(await run(home)));
		await untilNoProcessUses(home.folder);
	}
	return measured;
};
