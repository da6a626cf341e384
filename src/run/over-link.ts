import type {LiveCell, LiveChange, LiveOutcome, InputRequest} from '../api/client-types.ts';
import {endOf, type RunEnd, type RunListener} from './event.ts';

/**
 * Wait for interrupted code at exit, in ms. Short, because the program has only one second after a
 * signal.
 */
const STOP_MS = 800;

type Unsent = Extract<LiveOutcome, {readonly kind: 'unsent'}>;

/**
 * `interrupted`: aborted to stop the code. `leaving`: aborted to stop the code and wait only
 * briefly for its end.
 */
export type Follow = {
	readonly listen: RunListener;
	readonly interrupted: AbortSignal;
	readonly leaving: AbortSignal;
};

/** Sends code over the link and follows it to its end. */
export const runOverLink = async (
	begin: (onChange: LiveChange) => Promise<LiveCell | null>,
	{listen, interrupted, leaving}: Follow,
): Promise<RunEnd | Unsent> => {
	let cell: LiveCell | null = null;
	let question: InputRequest | null = null;
	let isOver = false;
	let hasChanged = false;
	const ask = (next: InputRequest | null): void => {
		if (next === question) return;
		question = next;
		listen({type: 'asks', question});
	};
	const onChange: LiveChange = what => {
		if (what === 'sent') return listen({type: 'handed-over'});
		if (what === 'began') return listen({type: 'began'});
		hasChanged = true;
		if (cell === null) return;
		listen({type: 'output', cell, what, isLate: isOver});
		if (!isOver) ask(cell.asks());
	};
	const beginning = begin(onChange);
	listen({type: 'sent', way: 'link'});
	const begun = await beginning;
	if (begun === null) return {kind: 'unsent'};
	cell = begun;
	// A resumed cell may have outputs before `cell` is set.
	if (hasChanged) onChange();

	const left = Promise.withResolvers<null>();
	const over = new AbortController();
	const when = (signal: AbortSignal, act: () => void): void => {
		if (signal.aborted) act();
		else signal.addEventListener('abort', act, {once: true, signal: over.signal});
	};
	let timer: NodeJS.Timeout | undefined;
	when(interrupted, () => begun.interrupt());
	when(leaving, () => {
		begun.interrupt();
		timer = setTimeout(() => left.resolve(null), STOP_MS);
	});
	const end = await Promise.race([begun.ended, left.promise]);
	isOver = true;
	clearTimeout(timer);
	over.abort();
	ask(null);
	if (end?.kind === 'unsent') return end;
	if (end?.kind === 'not-run') return {how: 'not-run', why: end.why};
	const result = begun.now();
	if (end?.kind === 'done') return endOf(result, interrupted.aborted || leaving.aborted);
	return end === null || leaving.aborted
		? {how: 'gave-up', result}
		: {how: 'failed', result, failure: end.failure};
};
