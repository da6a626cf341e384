import {setTimeout as sleep} from 'node:timers/promises';
import {explainFailure, type Failure, type FailureKind, type Reply} from '../api/failure.ts';
import {failed} from './command-error.ts';
import type {Context} from './context.ts';
import {printNotice} from './print.ts';

/** What goes away by itself. */
const PASSING: ReadonlySet<FailureKind> = new Set([
	'timeout',
	'unreachable',
	'connection-lost',
	'rate-limited',
	'server',
]);
/** What a proxy answers while the service behind it restarts: tolerated for a while, once the service itself was seen. */
const FROM_PROXY: ReadonlySet<FailureKind> = new Set(['not-found', 'not-http', 'off-contract', 'redirect']);
const PROXY_MAY_TAKE = 120_000;
/** How long the last poll may last beyond the limit, so that a service that is only slow still counts. */
const SHORTEST_POLL = 3000;

export const spanText = (ms: number): string =>
	ms < 120_000 ? `${Number((ms / 1000).toFixed(1))} s` : `${Math.round(ms / 60_000)} minutes`;

type Options = {
	/** Milliseconds; infinite where the user gave none. */
	readonly limit: number;
	/** The first failure in a row that is not tolerated. */
	readonly maxFailures?: number;
	/** Before something is written to standard error. */
	readonly beforeNote?: () => Promise<void>;
};

export type Poller = {
	readonly elapsed: number;
	/** The limit has passed. */
	readonly isOver: boolean;
	/** An answer has come before. */
	readonly hasSeen: boolean;
	/** Why the service does not answer at present, as a sentence, and for how many ms it has not. */
	readonly outage: {readonly why: string; readonly lasted: number} | undefined;
	/** What the service answers; undefined while it gives no answer, which is said once. @throws {CommandError} for what does not go away by itself. */
	poll<T>(ask: (signal: AbortSignal) => Promise<Reply<T>>): Promise<T | undefined>;
	/** Until the next poll: this pause, or as long as the service asks for, but not beyond the limit. */
	pause(ms: number): Promise<void>;
};

/** Polls a list within a limit, also while the service is away. */
export const createPoller = (
	context: Context,
	{limit, maxFailures = Infinity, beforeNote = async () => {}}: Options,
): Poller => {
	const {signal} = context;
	const began = Date.now();
	let hasSeen = false;
	let failures = 0;
	let last: {readonly failure: Failure; readonly since: number} | undefined;
	const left = (): number => began + limit - Date.now();
	const note = async (text: string): Promise<void> => {
		await beforeNote();
		await printNotice(context, text);
	};
	return {
		get elapsed() {
			return Date.now() - began;
		},
		get isOver() {
			return left() <= 0;
		},
		get hasSeen() {
			return hasSeen;
		},
		get outage() {
			return last && {why: explainFailure(last.failure).what, lasted: Date.now() - last.since};
		},
		async poll(ask) {
			const longest = Math.max(left(), SHORTEST_POLL);
			const since = Date.now();
			const reply = await ask(
				Number.isFinite(longest) ? AbortSignal.any([signal, AbortSignal.timeout(longest)]) : signal,
			);
			if (reply.ok) {
				if (last !== undefined) await note('The service answers again.');
				hasSeen = true;
				failures = 0;
				last = undefined;
				return reply.value;
			}
			const {failure} = reply;
			const isTimeUp = failure.kind === 'cancelled' && !signal.aborted;
			const passes =
				isTimeUp ||
				PASSING.has(failure.kind) ||
				(hasSeen && FROM_PROXY.has(failure.kind) && Date.now() - (last?.since ?? since) < PROXY_MAY_TAKE);
			if (!passes || ++failures >= maxFailures) throw failed(failure);
			const isFirst = last === undefined;
			last = {
				failure: isTimeUp ? {...failure, message: 'The service gave no answer.'} : failure,
				since: last?.since ?? since,
			};
			if (isFirst && left() > 0)
				await note(
					`${explainFailure(last.failure).what} Still asking${Number.isFinite(limit) ? `, for ${spanText(limit)} in all` : ''}.`,
				);
			return undefined;
		},
		async pause(ms) {
			const asked = last === undefined ? 0 : (last.failure.retryAfter ?? 0) * 1000;
			await sleep(Math.min(Math.max(ms, asked), Math.max(0, left()) + 1), undefined, {signal});
		},
	};
};
