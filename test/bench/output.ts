import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {openTerminal, type Terminal} from '../support/terminal.ts';
import {startBenchService} from './bench-service.ts';
import type {Measurement} from './measurement.ts';
import {peakMemory, residentMemory} from './process-costs.ts';

const LINES = 100_000;
const RUNS = 5;
const WITHIN_MS = 120_000;

/**
 * Code that one Enter submits at either prompt. The number distinguishes the last line of each run.
 */
const source = (run: number): string =>
	`[print("run", ${run}, "step", i, "loss", 1 / (i + 1)) for i in range(${LINES})] and None`;
const lastLine = (run: number): string => `run ${run} step ${LINES - 1} loss 1e-05`;

/** Milliseconds from Enter to the output that completed the screen. */
const timed = async (terminal: Terminal, press: () => void, isDrawn: () => boolean): Promise<number> => {
	let at = 0;
	const stop = terminal.onOutput((_, moment) => {
		at = moment;
	});
	const from = performance.now();
	press();
	await terminal.untilTrue('the last line', isDrawn, WITHIN_MS);
	stop();
	return at - from;
};

/** A program that runs the code; `run` returns the milliseconds. */
type Prompt = AsyncDisposable & {
	readonly name: string;
	run(run: number): Promise<number>;
	readonly growth: () => Promise<number>;
};

/**
 * The REPL on a server of an engine. `growth`: peak memory of the screens above the initial one, in
 * MB.
 */
const openRepl = async (name: string, engine: string): Promise<Prompt> => {
	await using opening = new AsyncDisposableStack();
	const home = opening.use(await newHome());
	const service = opening.use(await startBenchService(home, {args: ['--engine', engine]}));
	await service.createReady('bench');
	const terminal = opening.use(
		await openProgram({
			home,
			args: ['--base-url', service.url, '--api-key-file', service.keyFile, 'open', 'bench', 'repl'],
		}),
	);
	await terminal.until('>>>');
	const before = await residentMemory(terminal.pid);
	const opened = opening.move();
	return {
		name,
		async run(run) {
			terminal.type(source(run));
			await terminal.until(`"run", ${run},`);
			return timed(
				terminal,
				() => pressAction(terminal, 'repl', 'run'),
				() => terminal.screen().includes(lastLine(run)) && !terminal.screen().includes('[*]'),
			);
		},
		growth: async () => (await peakMemory(terminal.pid)) - before,
		[Symbol.asyncDispose]: async () => opened.disposeAsync(),
	};
};

/** Opens jupyter-console. Null if it is not installed. */
const openConsole = async (): Promise<Prompt | null> => {
	if (spawnSync('jupyter-console', ['--version']).status !== 0) return null;
	const home = await newHome();
	const terminal = await openTerminal({
		command: ['jupyter-console', '--kernel', 'python3'],
		env: {
			...home.env,
			IPYTHONDIR: join(home.folder, 'ipython'),
			JUPYTER_RUNTIME_DIR: join(home.folder, 'run'),
		},
		cwd: home.folder,
	});
	await terminal.until('In [1]:', WITHIN_MS);
	return {
		name: 'jupyter-console',
		async run(run) {
			terminal.type(source(run));
			await terminal.until(`"run", ${run},`);
			return timed(
				terminal,
				() => terminal.press('enter'),
				() => terminal.screen().includes(lastLine(run)) && terminal.screen().includes(`In [${run + 2}]:`),
			);
		},
		growth: async () => 0,
		async [Symbol.asyncDispose]() {
			terminal.type('exit');
			terminal.press('enter');
			await terminal.exit;
			await home[Symbol.asyncDispose]();
		},
	};
};

/**
 * Prints 100,000 lines in a cell and measures from Enter to the drawn result. The programs
 * alternate within each round, so that all of them run under the same load.
 */
export const output = async (): Promise<readonly Measurement[]> => {
	await using console = await openConsole();
	if (console === null)
		process.stderr.write('output: jupyter-console is not installed, so there is nothing to compare with\n');
	await using embedded = await openRepl('embedded', 'embedded');
	await using jupyter = findJupyter(process.env) === null ? null : await openRepl('Jupyter', 'jupyter');
	const repls = [embedded, jupyter].filter(each => each !== null);
	const times = new Map<Prompt, number[]>();
	const first = new Map<Prompt, number>();
	for (let run = 0; run < RUNS; run++) {
		for (const prompt of [console, ...repls]) {
			if (prompt === null) continue;
			times.set(prompt, [...(times.get(prompt) ?? []), await prompt.run(run)]);
			if (run === 0) first.set(prompt, await prompt.growth());
		}
	}
	const measured: Measurement[] = [];
	for (const repl of repls) {
		measured.push(
			{
				id: 'P10',
				what: `${LINES.toLocaleString('en')} printed lines to the drawn result (${repl.name})`,
				unit: 'ms',
				values: times.get(repl) ?? [],
				...(console && {
					reference: {what: 'the same in jupyter-console', values: times.get(console) ?? []},
					budget: {figure: 'ratio', atMost: 1},
				}),
			},
			{
				id: 'P10',
				what: `memory that the screens took for it at most (${repl.name})`,
				unit: 'MB',
				values: [first.get(repl) ?? 0],
			},
			{
				id: 'P10',
				what: `the same, for ${RUNS} of them (${repl.name})`,
				unit: 'MB',
				values: [await repl.growth()],
			},
		);
	}
	return measured;
};
