import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {createPyodideEngine} from '../../src/engines/pyodide/pyodide-engine.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import {startBenchService, type BenchService} from './bench-service.ts';
import type {Measurement} from './measurement.ts';
import {sessionOptions} from '../support/session-options.ts';

const RUNS = 200;
const REPL_RUNS = 60;
const WARM_UP = 20;

const timed = async (act: () => Promise<unknown>): Promise<number> => {
	const from = performance.now();
	await act();
	return performance.now() - from;
};

const repeat = async (times: number, act: () => Promise<number>): Promise<readonly number[]> => {
	const values: number[] = [];
	for (let run = -WARM_UP; run < times; run++) {
		const ms = await act();
		if (run >= 0) values.push(ms);
	}
	return values;
};

const direct = async (home: Home): Promise<readonly number[]> => {
	const root = join(home.folder, 'direct');
	await mkdir(root);
	const engine = createPyodideEngine();
	try {
		const session = await engine.open(sessionOptions(root));
		const values = await repeat(RUNS, async () => timed(async () => {
			const {outputs} = await session.run('1+1', {kernel: 'python3'});
			if (!JSON.stringify(outputs).includes('"2"')) throw new Error(`1+1 gave ${JSON.stringify(outputs)}`);
		}));
		await session.close();
		return values;
	} finally {
		await engine.close();
	}
};

const throughService = async (service: BenchService): Promise<readonly number[]> =>
	repeat(RUNS, async () => timed(async () => service.call('POST', '/servers/bench/run-code', {code: '1+1', kernel_name: 'python3'})));

const throughRepl = async (home: Home, service: BenchService): Promise<readonly number[]> => {
	await using terminal = await openProgram({home, args: ['--base-url', service.url, '--api-key-file', service.keyFile]});
	await terminal.until(/bench.*ready/);
	for (let tries = 0; tries < 5 && !/^ ?▸ ?bench/m.test(terminal.screen()); tries++) {
		const before = terminal.screen();
		pressAction(terminal, 'servers', 'down');
		await terminal.untilTrue('the cursor to move', () => terminal.screen() !== before);
	}
	pressAction(terminal, 'global', 'repl');
	// The editor's prompt.
	await terminal.until('>>>');
	let cell = 0;
	return await repeat(REPL_RUNS, async () => {
		// The comment tells this cell from the ones above it.
		const source = `1+1 # ${++cell}.`;
		terminal.type(source);
		await terminal.until(source);
		const known = new Set(terminal.screen().match(/Out\[\d+\]/g));
		let at = 0;
		const stop = terminal.onOutput((_, moment) => {
			at = moment;
		});
		const from = performance.now();
		pressAction(terminal, 'repl', 'run');
		await terminal.untilTrue('the next result', () => [...terminal.screen().matchAll(/Out\[\d+\]/g)].some(([out]) => !known.has(out)));
		stop();
		return at - from;
	});
};

/** P8: `1+1` by the engine alone, through the service, and from Enter in the REPL to the drawn result. */
export const code = async (): Promise<readonly Measurement[]> => {
	await using home = await newHome();
	const engine = {what: 'the engine called directly', values: await direct(home)};
	await using service = await startBenchService(home);
	await service.createReady('bench');
	return [
		{id: 'P8', what: '1+1 through the service (embedded)', unit: 'ms', values: await throughService(service), reference: engine, budget: {figure: 'median', atMost: 3}},
		{id: 'P8', what: '1+1 in the REPL to the drawn result (embedded)', unit: 'ms', values: await throughRepl(home, service), reference: engine, budget: {figure: 'median', atMost: 10}},
	];
};
