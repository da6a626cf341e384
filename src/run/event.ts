import type {LiveCell, LiveHow, LiveQuestion, LiveRecord} from '../api/client-types.ts';
import type {Failure} from '../api/failure.ts';
import type {ExecutedCell} from '../contract/cells.ts';

/** How code goes to a server: over its own Jupyter interface, or over the service, which answers at the end. */
export type Way = 'link' | 'service';

/** How a run ended. `result`: its outputs; null: none are known. */
export type RunEnd =
	| {readonly how: 'done' | 'raised' | 'kernel-ended'; readonly result: ExecutedCell}
	/** It was stopped, and is known to be over. */
	| {readonly how: 'interrupted'; readonly result: ExecutedCell | null}
	/** Nobody waits for it any more; it may go on. */
	| {readonly how: 'gave-up'; readonly result: ExecutedCell | null}
	/** It may have run where the connection was lost: `failure` says so. */
	| {readonly how: 'failed'; readonly result: ExecutedCell | null; readonly failure: Failure}
	/** Nothing was sent: the kernel that ran the cells before it is gone. */
	| {readonly how: 'not-run'};

export type RunEvent =
	/** It is handed over. The link may give it back unsent: then it is handed over once more. */
	| {readonly type: 'sent'; readonly way: Way}
	/** The server answers over the link and has the kernel, which is not heard there. */
	| {readonly type: 'unheard'}
	/** Its outputs have changed; `isLate`: after its end. `value`: the one that it was run for is among them. */
	| {
			readonly type: 'output';
			readonly cell: LiveCell;
			readonly what: 'value' | undefined;
			readonly isLate: boolean;
	  }
	/** It waits for a line, one object per question; null: it waits for none any more. */
	| {readonly type: 'asks'; readonly question: LiveQuestion | null};

/** Called at once, in the order of what happened. */
export type RunListener = (event: RunEvent) => void;

export type RunHow = LiveHow & {
	/** Asked for before each time that it is sent over the link. */
	readonly record?: () => Promise<LiveRecord | undefined>;
	/** Stops it, and waits for its end only briefly. */
	readonly signal?: AbortSignal;
};

/** Code that runs. */
export type CellRun = {
	/** Never rejects for what the network or the server does. */
	readonly ended: Promise<RunEnd>;
	/** Its outputs so far, after its end too; null: none are known. */
	now(): ExecutedCell | null;
	/** Stops it, before it is sent too, and waits for its end as long as that takes. */
	interrupt(): void;
	/** Gives it the line that it waits for. */
	answer(text: string): void;
};

/** What an output of a run says of its end. */
export const endOf = (result: ExecutedCell, wasStopped: boolean): RunEnd => {
	const errors = result.outputs.filter(output => output.output_type === 'error');
	const isNamed = (name: string): boolean => errors.some(({ename}) => ename === name);
	if (errors.length === 0) return {how: 'done', result};
	if (isNamed('KernelDied')) return {how: 'kernel-ended', result};
	return {how: wasStopped && isNamed('KeyboardInterrupt') ? 'interrupted' : 'raised', result};
};
