import type {LiveCell, LiveRunOptions, InputRequest, LiveRecorder} from '../api/client-types.ts';
import type {Failure} from '../api/failure.ts';
import type {ExecutedCell} from '../contract/cells.ts';
import type {Outcome} from './queue.ts';

/** Route of code: over the live link, or through the service, which responds at the end. */
export type CodeRoute = 'link' | 'service';

/** End of a run. `result`: its outputs. Null if unknown. */
export type RunEnd =
	| {readonly how: 'done' | 'raised' | 'kernel-ended'; readonly result: ExecutedCell}
	/** The code was stopped and runs no more. */
	| {readonly how: 'interrupted'; readonly result: ExecutedCell | null}
	/** The caller stopped waiting. The code may still run. */
	| {readonly how: 'gave-up'; readonly result: ExecutedCell | null}
	/** The request failed. If the connection was lost, the code may have run: see `failure`. */
	| {readonly how: 'failed'; readonly result: ExecutedCell | null; readonly failure: Failure}
	/**
	 * The code has not run. `aborted`: the kernel dropped it, because an earlier cell raised an
	 * error. `kernel-ended`: the kernel ended during an earlier cell. `never-arrived`: lost with a
	 * broken connection. `unsent`: it had to follow cells of a kernel that cannot be reached.
	 */
	| {readonly how: 'not-run'; readonly why: 'aborted' | 'kernel-ended' | 'never-arrived' | 'unsent'};

export type RunEvent =
	/** Emitted at each attempt to send the code. The link may need several attempts. */
	| {readonly type: 'sent'; readonly way: CodeRoute}
	/** The kernel has received the code, or will receive it even if this program ends. */
	| {readonly type: 'handed-over'}
	/** The kernel started the code. Emitted only over the link. */
	| {readonly type: 'began'}
	/** The server responds over the link, but messages of this kernel do not arrive. */
	| {readonly type: 'unheard'}
	/**
	 * The outputs changed. `what`: `value` if the value of the code is among them. `isLate`: the
	 * run had already ended.
	 */
	| {
			readonly type: 'output';
			readonly cell: LiveCell;
			readonly what: 'value' | undefined;
			readonly isLate: boolean;
	  }
	/**
	 * The code waits for a line of input. Each request is a new object. `question`: null once the
	 * code no longer waits.
	 */
	| {readonly type: 'asks'; readonly question: InputRequest | null};

/** Called synchronously, in the order of events. */
export type RunListener = (event: RunEvent) => void;

export type RunHow = LiveRunOptions & {
	/** Called before each attempt to send the code over the link. Creates the record on disk. */
	readonly record?: () => Promise<LiveRecorder | undefined>;
	/** Aborting it stops the code and waits only briefly for its end. */
	readonly signal?: AbortSignal;
};

export type CellRun = {
	/** Never rejects because of the network or the server. */
	readonly ended: Promise<RunEnd>;
	/** The outputs so far, or all of them after the end. Null if none are known. */
	now(): ExecutedCell | null;
	/** Stops the code, even before it is sent, and waits for its end without a limit. */
	interrupt(): void;
	/** Sends a line of input to the code. */
	answer(text: string): void;
};

/** Outcome for a queue. Only a cell that has certainly not run may run again. */
export const outcomeOf = (end: RunEnd): Outcome => {
	if (end.how === 'done') return 'done';
	if (end.how !== 'not-run' || end.why === 'never-arrived') return 'failed';
	return end.why === 'unsent' ? 'unsent' : 'aborted';
};

/** End of a run, judged by its outputs. */
export const endOf = (result: ExecutedCell, wasStopped: boolean): RunEnd => {
	const errors = result.outputs.filter(output => output.output_type === 'error');
	const isNamed = (name: string): boolean => errors.some(({ename}) => ename === name);
	if (errors.length === 0) return {how: 'done', result};
	if (isNamed('KernelDied')) return {how: 'kernel-ended', result};
	return {how: wasStopped && isNamed('KeyboardInterrupt') ? 'interrupted' : 'raised', result};
};
