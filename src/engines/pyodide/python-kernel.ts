import {cellOutput, type CellOutput} from '../../contract/cells.ts';
import {errorOutput, INTERRUPT_LIMIT_MS, LOST} from '../cell-errors.ts';
import {StartError, type FailedCell, type RunResult} from '../engine.ts';
import type {Cell, KernelEvent, OwnKernel} from '../live-kernel.ts';
import type {EngineProcess, StartOptions} from './engine-process.ts';
import {collectOutput, createOutputBuffer} from '../../kernel/output-buffer.ts';
import {packagesToInstall} from './packages/pip-lines.ts';
import type {Requirement} from './packages/requirement.ts';
import type {EngineMessage} from './protocol.ts';
import {messageOf} from '../../text/errors.ts';

const START_ATTEMPTS = 3;
/**
 * Time limits in ms: for completions and inspections, and for expressions, which may sort a table.
 */
const ASSIST_LIMIT_MS = 2000;
const EXPRESSIONS_LIMIT_MS = 30_000;

export type StartProcess = (options: StartOptions) => Promise<EngineProcess>;

/**
 * Downloads packages. Returns the names under which the interpreter can install them.
 * @throws {StartError} with the reason as a sentence.
 */
export type FetchPackages = (
	wanted: readonly Requirement[],
	onProgress: (text: string) => void,
) => Promise<readonly string[]>;

export type PythonKernel = OwnKernel & {
	/** Runs a cell and returns its outputs. */
	collect(cell: Cell, signal?: AbortSignal): Promise<RunResult>;
};

const closedError = (): CellOutput =>
	errorOutput('KernelClosed', 'The server was stopped while the code ran.');

/**
 * Opens a kernel, which restarts its interpreter if it dies. `onFailed` is called for each failed
 * cell.
 * @throws {Error} if the first start fails.
 */
export const openPythonKernel = async (
	start: StartProcess,
	onFailed: (failed: FailedCell) => void,
	fetchPackages: FetchPackages,
): Promise<PythonKernel> => {
	const buffer = createOutputBuffer();
	const ended = Promise.withResolvers<string>();
	const life = new AbortController();
	const watchers = new Set<(news: KernelEvent) => void>();
	let endedBecause: string | null = null;
	let pid: number | null = null;
	let running: {readonly process: EngineProcess; readonly id: number} | null = null;
	/** Last task in the queue of cells and requests. */
	let turns: Promise<unknown> = Promise.resolve();
	let lastCell: Cell | null = null;
	let asked: {readonly process: EngineProcess; readonly number: number} | null = null;
	let restarting = false;
	let executionCount = 0;
	let requests = 0;

	const notify = (news: KernelEvent): void => {
		for (const watcher of watchers) watcher(news);
	};
	const isFailure = (output: CellOutput | undefined): output is CellOutput =>
		output?.output_type === 'error' && output['ename'] !== 'KeyboardInterrupt';
	const show = (output: CellOutput): void => {
		collectOutput(buffer, output);
		// Called immediately, because the user may ask the assistant about an error before the cell
		// has ended.
		if (isFailure(output) && lastCell) onFailed({code: lastCell.code, error: output});
		notify({type: 'output', cell: lastCell, output});
	};
	const onMessage = (process: () => EngineProcess, answer: EngineMessage): void => {
		if (answer.type === 'stream') show({output_type: 'stream', name: answer.name, text: answer.text});
		else if (answer.type === 'output') show(cellOutput.parse(answer.output));
		else if (answer.type === 'input') {
			if (!running || !lastCell) return;
			asked = {process: process(), number: answer.number};
			notify({type: 'input', cell: lastCell, prompt: answer.prompt, password: answer.password});
		}
	};

	const startProcess = async (): Promise<EngineProcess> => {
		const process: EngineProcess = await start({
			signal: life.signal,
			onMessage: answer => onMessage(() => process, answer),
		});
		pid = process.pid ?? null;
		return process;
	};
	const keepAlive = async (process: EngineProcess): Promise<void> => {
		const reason = await process.exited;
		pid = null;
		if (life.signal.aborted) return;
		if (!running && !restarting)
			buffer.addText('stderr', `The Python kernel died (${reason}) and was restarted: ${LOST}.\n`);
		executionCount = 0;
		notify({type: 'restarting'});
		current = restart();
	};
	/** Restarts the interpreter. Null if the session has ended. */
	const restart = async (): Promise<EngineProcess | null> => {
		let failure = '';
		for (let attempt = 0; attempt < START_ATTEMPTS && !life.signal.aborted; attempt++) {
			try {
				const process = await startProcess();
				void keepAlive(process);
				notify({type: 'started'});
				return process;
			} catch (error) {
				failure = messageOf(error);
			}
		}
		if (!life.signal.aborted) {
			endedBecause = `Python can no longer be started (${failure}).`;
			ended.resolve(endedBecause);
		}
		return null;
	};

	const first = await startProcess();
	let current: Promise<EngineProcess | null> = Promise.resolve(first);
	void keepAlive(first);

	const result = (count: number, last?: CellOutput): RunResult => {
		if (last) notify({type: 'output', cell: lastCell, output: last});
		return {execution_count: count, outputs: [...buffer.take(), ...(last ? [last] : [])]};
	};

	const runIn = async (
		process: EngineProcess,
		cell: Cell,
		packages: readonly string[],
		signal?: AbortSignal,
	): Promise<RunResult> => {
		const id = ++requests;
		let isKilled = false;
		let timer: NodeJS.Timeout | undefined;
		const interrupt = (): void => {
			process.interrupt(id);
			timer = setTimeout(() => {
				isKilled = true;
				void process.kill();
			}, INTERRUPT_LIMIT_MS);
		};
		signal?.addEventListener('abort', interrupt, {once: true});
		const count = executionCount + 1;
		running = {process, id};
		try {
			const outcome = await process.request({
				id,
				type: 'run',
				code: cell.code,
				...(cell.stdin === true && {stdin: true}),
				...(cell.uncounted === true && {uncounted: true}),
				...(cell.silent === true && {silent: true}),
				...(packages.length > 0 && {packages}),
			});
			if (outcome.type === 'done') executionCount = outcome.executionCount;
			return result(executionCount);
		} catch (error) {
			const reason = messageOf(error);
			if (life.signal.aborted) return result(count, closedError());
			await process.exited;
			const again = (await current) !== null;
			const after = again ? `was restarted: ${LOST}` : `could not be restarted: ${LOST}`;
			const last = isKilled
				? errorOutput(
						'KernelRestarted',
						`The code did not stop within ${INTERRUPT_LIMIT_MS / 1000} s of the interrupt, so the Python kernel was killed and ${after}.`,
					)
				: restarting
					? errorOutput('KernelRestarted', `The Python kernel was shut down on request and ${after}.`)
					: errorOutput('KernelDied', `The Python kernel died (${reason}) and ${after}.`);
			return result(count, last);
		} finally {
			clearTimeout(timer);
			signal?.removeEventListener('abort', interrupt);
			running = null;
			asked = null;
		}
	};

	/**
	 * Downloads the packages that a cell installs. A string result is a sentence about the reason
	 * of a failure.
	 */
	const wantedBy = async ({code}: Cell): Promise<readonly string[] | string> => {
		let last = '';
		try {
			const names = packagesToInstall(code);
			if (names.length === 0) return [];
			const packages = await fetchPackages(names, text => {
				last = text;
			});
			if (last !== '') show({output_type: 'stream', name: 'stdout', text: `${last}\n`});
			return packages;
		} catch (error) {
			if (error instanceof StartError) return error.message;
			throw error;
		}
	};

	const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
		if (life.signal.aborted) throw new Error('This session is closed.');
		const turn = turns.then(work);
		turns = turn.catch(() => undefined);
		return turn;
	};
	const runCell = async (cell: Cell, signal?: AbortSignal): Promise<RunResult> => {
		const process = await current;
		lastCell = cell;
		notify({type: 'begin', cell, execution_count: executionCount + (cell.uncounted === true ? 0 : 1)});
		const run = async (): Promise<RunResult> => {
			if (life.signal.aborted) return result(executionCount + 1, closedError());
			const notRun = (name: string, why: string): RunResult => result(executionCount, errorOutput(name, why));
			if (process === null)
				return notRun('KernelDied', endedBecause ?? 'The server was stopped before the code ran.');
			if (signal?.aborted) return notRun('KeyboardInterrupt', 'The code was interrupted before it started.');
			const packages = await wantedBy(cell);
			return typeof packages === 'string'
				? notRun('InstallError', packages)
				: runIn(process, cell, packages, signal);
		};
		const found = await run();
		const error = found.outputs.findLast(({output_type: type}) => type === 'error');
		if (isFailure(error) && signal?.aborted !== true) onFailed({code: cell.code, error});
		notify({type: 'end', cell, end: {execution_count: found.execution_count, error}});
		return found;
	};

	return {
		python: first.python,
		pid: () => pid,
		watch(listener) {
			watchers.add(listener);
			return () => watchers.delete(listener);
		},
		run: async (cell, signal) =>
			inTurn(async () => {
				const {execution_count, outputs} = await runCell(cell, signal);
				return {execution_count, error: outputs.findLast(({output_type: type}) => type === 'error')};
			}),
		ask: async (question, argument) =>
			inTurn(async () => {
				const process = await current;
				if (process === null) return null;
				const id = ++requests;
				const limit = setTimeout(
					() => process.interrupt(id),
					question === 'expressions' ? EXPRESSIONS_LIMIT_MS : ASSIST_LIMIT_MS,
				);
				running = {process, id};
				try {
					const outcome = await process.request({
						id,
						type: 'assist',
						question,
						argument: JSON.stringify(argument),
					});
					return outcome.type === 'answer' ? (JSON.parse(outcome.json) as unknown) : null;
				} catch {
					return null;
				} finally {
					clearTimeout(limit);
					running = null;
				}
			}),
		input(text) {
			asked?.process.input(asked.number, text);
			asked = null;
		},
		interrupt() {
			running?.process.interrupt(running.id);
		},
		async restart() {
			restarting = true;
			try {
				const process = await current;
				await process?.kill();
				await current;
			} finally {
				restarting = false;
			}
		},
		ended: ended.promise,
		collect: async (cell, signal) => inTurn(() => runCell(cell, signal)),
		async close() {
			life.abort();
			await (
				await current
			)?.exited;
		},
	};
};
