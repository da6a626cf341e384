import {cellOutput, type CellOutput} from '../../contract/cells.ts';
import {DEFAULT_KERNEL} from '../../contract/names.ts';
import {errorOutput, INTERRUPT_LIMIT_MS, LOST} from '../cell-errors.ts';
import {UnknownKernelError, type Lookup, type RunResult, type Session} from '../engine.ts';
import type {EngineProcess, StartOptions} from './engine-process.ts';
import {createOutputCollector} from '../output-collector.ts';
import type {Answer} from './protocol.ts';

const START_ATTEMPTS = 3;

export type StartProcess = (options: StartOptions) => Promise<EngineProcess>;

/** A session whose interpreter is started again whenever it dies. @throws {Error} when it cannot be started the first time. */
export const openSession = async (start: StartProcess, lookup: Lookup): Promise<Session> => {
	const collector = createOutputCollector();
	const ended = Promise.withResolvers<string>();
	const life = new AbortController();
	let endedBecause: string | null = null;
	let running = false;
	let executionCount = 0;
	let requests = 0;

	const onAnswer = (answer: Answer): void => {
		if (answer.type === 'stream') collector.addText(answer.name, answer.text);
		else if (answer.type === 'output') collector.add(cellOutput.parse(answer.output));
	};

	const startProcess = (): Promise<EngineProcess> => start({signal: life.signal, onAnswer});
	const keepAlive = async (process: EngineProcess): Promise<void> => {
		const reason = await process.exited;
		if (life.signal.aborted) return;
		if (!running)
			collector.addText('stderr', `The Python kernel died (${reason}) and was started again: ${LOST}.\n`);
		executionCount = 0;
		current = restart();
	};
	/** Null when the session is over. */
	const restart = async (): Promise<EngineProcess | null> => {
		let failure = '';
		for (let attempt = 0; attempt < START_ATTEMPTS && !life.signal.aborted; attempt++) {
			try {
				const process = await startProcess();
				void keepAlive(process);
				return process;
			} catch (error) {
				failure = error instanceof Error ? error.message : String(error);
			}
		}
		if (!life.signal.aborted) {
			endedBecause = `Python cannot be started any more (${failure}).`;
			ended.resolve(endedBecause);
		}
		return null;
	};

	const first = await startProcess();
	let current: Promise<EngineProcess | null> = Promise.resolve(first);
	void keepAlive(first);

	const result = (...more: CellOutput[]): RunResult => ({
		execution_count: executionCount,
		outputs: [...collector.take(), ...more],
	});

	const runIn = async (
		process: EngineProcess,
		code: string,
		signal: AbortSignal | undefined,
	): Promise<RunResult> => {
		const id = ++requests;
		let stubborn = false;
		let timer: NodeJS.Timeout | undefined;
		const interrupt = (): void => {
			process.interrupt(id);
			timer = setTimeout(() => {
				stubborn = true;
				void process.kill();
			}, INTERRUPT_LIMIT_MS);
		};
		signal?.addEventListener('abort', interrupt, {once: true});
		const count = executionCount + 1;
		try {
			const outcome = await process.request({id, type: 'run', code});
			if (outcome.type === 'done') executionCount = outcome.executionCount;
			return result();
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			const outputs = collector.take();
			if (life.signal.aborted)
				return {
					execution_count: count,
					outputs: [...outputs, errorOutput('KernelClosed', 'The server was stopped while the code ran.')],
				};
			await process.exited;
			const again = (await current) !== null;
			const after = again ? `was started again: ${LOST}` : `could not be started again: ${LOST}`;
			const last = stubborn
				? errorOutput(
						'KernelRestarted',
						`The code did not stop within ${INTERRUPT_LIMIT_MS / 1000} s of the interrupt, so the Python kernel was ended and ${after}.`,
					)
				: errorOutput('KernelDied', `The Python kernel died (${reason}) and ${after}.`);
			return {execution_count: count, outputs: [...outputs, last]};
		} finally {
			clearTimeout(timer);
			signal?.removeEventListener('abort', interrupt);
		}
	};

	return {
		lookup,
		ended: ended.promise,
		async run(code, {kernel, signal}) {
			if (kernel !== DEFAULT_KERNEL)
				throw new UnknownKernelError(
					`There is no kernel "${kernel}" here. The embedded engine has one: ${DEFAULT_KERNEL}.`,
				);
			if (life.signal.aborted) throw new Error('This session is closed.');
			if (running) throw new Error('This session runs one cell at a time, and one is running.');
			running = true;
			try {
				const process = await current;
				if (process === null)
					return result(
						errorOutput('KernelDied', endedBecause ?? 'The server was stopped before the code ran.'),
					);
				if (signal?.aborted)
					return result(errorOutput('KeyboardInterrupt', 'The code was interrupted before it began.'));
				return await runIn(process, code, signal);
			} finally {
				running = false;
			}
		},
		async close() {
			life.abort();
			await (
				await current
			)?.exited;
		},
	};
};
