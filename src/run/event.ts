import type {LiveCell, LiveRunOptions, InputRequest, LiveRecorder} from '../api/client-types.ts';
import type {Failure} from '../api/failure.ts';
import type {ExecutedCell} from '../contract/cells.ts';

/** How code goes to a server: over its own Jupyter interface, or over the service, which answers at the end. */
export type Way = 'link' | 'service';

/** How a run ended. `result`: its outputs; null: none are known. */
export type RunEnd =
	| {readonly how: 'done' | 'raised' | 'kernel-ended'; readonly result: ExecutedCell}
	/** The code was stopped and runs no more. */
	| {readonly how: 'interrupted'; readonly result: ExecutedCell | null}
	/** The caller stopped waiting. The code may still run. */
	| {readonly how: 'gave-up'; readonly result: ExecutedCell | null}
	/** The request failed. If the connection was lost, the code may have run: see `failure`. */
	| {readonly how: 'failed'; readonly result: ExecutedCell | null; readonly failure: Failure}
	/** The code was not sent: the kernel that ran the cells before it has ended. */
	| {readonly how: 'not-run'};

export type RunEvent =
	/** The code is sent. If the link could not send it, this event comes again with the next attempt. */
	| {readonly type: 'sent'; readonly way: Way}
	/** The server answers over the link, but messages of this kernel do not arrive. */
	| {readonly type: 'unheard'}
	/** The outputs changed. `value`: the value of the code is among them. `isLate`: the run had ended. */
	| {
			readonly type: 'output';
			readonly cell: LiveCell;
			readonly what: 'value' | undefined;
			readonly isLate: boolean;
	  }
	/** The code asks for a line of input, one object per question. Null: the question is settled. */
	| {readonly type: 'asks'; readonly question: InputRequest | null};

/** Called synchronously, in the order of events. */
export type RunListener = (event: RunEvent) => void;

export type RunHow = LiveRunOptions & {
	/** Makes the record on disk before each attempt to send the code over the link. */
	readonly record?: () => Promise<LiveRecorder | undefined>;
	/** Stops the code and waits only briefly for its end. */
	readonly signal?: AbortSignal;
};

/** A running piece of code. */
export type CellRun = {
	/** Never rejects because of the network or the server. */
	readonly ended: Promise<RunEnd>;
	/** The outputs so far, or all of them after the end. Null if none are known. */
	now(): ExecutedCell | null;
	/** Stops the code, even before it is sent, and waits for its end without a limit. */
	interrupt(): void;
	/** Answers the code's question with a line of input. */
	answer(text: string): void;
};

/** How a run ended, judged by its outputs. */
export const endOf = (result: ExecutedCell, wasStopped: boolean): RunEnd => {
	const errors = result.outputs.filter(output => output.output_type === 'error');
	const isNamed = (name: string): boolean => errors.some(({ename}) => ename === name);
	if (errors.length === 0) return {how: 'done', result};
	if (isNamed('KernelDied')) return {how: 'kernel-ended', result};
	return {how: wasStopped && isNamed('KeyboardInterrupt') ? 'interrupted' : 'raised', result};
};
