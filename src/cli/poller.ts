import {setTimeout as sleep} from 'node:timers/promises';
import {explainFailure, type Failure, type FailureKind, type Reply} from '../api/failure.ts';
import {failed} from './command-error.ts';
import type {Context} from './context.ts';
import {printNotice} from './print.ts';

/** Failures after which a retry may succeed. */
const PASSING: ReadonlySet<FailureKind> = new Set([
	'timeout',
	'unreachable',
	'connection-lost',
	'rate-limited',
	'server',
]);
/**
 * Responses of a proxy while the service behind it restarts. Tolerated for a while, once the
 * service itself has responded.
 */
const FROM_PROXY: ReadonlySet<FailureKind> = new Set(['not-found', 'not-http', 'off-contract', 'redirect']);
const PROXY_MAY_TAKE = 120_000;
/**
 * Shortest time limit of a poll, in ms. The last poll may exceed the overall limit by this time, so
 * that a slow response still counts.
 */
const SHORTEST_POLL = 3000;

export const spanText = (ms: number): string =>
	ms < 120_000 ? `${Number((ms / 1000).toFixed(1))} s` : `${Math.round(ms / 60_000)} minutes`;

type Options = {
	/** Time limit in ms. Infinity if the user gave none. */
	readonly limit: number;
	/** Number of consecutive failures after which the command ends. */
	readonly maxFailures?: number;
	/** Called before a notice is written to standard error. */
	readonly beforeNote?: () => Promise<void>;
};

export type Poller = {
	readonly elapsed: number;
	/** True once the limit has passed. */
	readonly isOver: boolean;
	/** True after the first response of the service. */
	readonly hasSeen: boolean;
	/**
	 * Current failure. `why`: reason, as a sentence. `lasted`: in ms. Undefined while the service
	 * responds.
	 */
	readonly outage: {readonly why: string; readonly lasted: number} | undefined;
	/**
	 * Response of the service, or undefined after a temporary failure, which is reported once.
	 * @throws {CommandError} if the failure is permanent.
	 */
	poll<T>(ask: (signal: AbortSignal) => Promise<Reply<T>>): Promise<T | undefined>;
	/**
	 * Waits before the next poll, at least as long as the service has requested, but not beyond the
	 * limit.
	 */
	pause(ms: number): Promise<void>;
};

/** Polls within a limit, also while the service is unavailable. */
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
				if (last !== undefined) await note('The service responds again.');
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
				failure: isTimeUp ? {...failure, message: 'The service did not respond.'} : failure,
				since: last?.since ?? since,
			};
			if (isFirst && left() > 0)
				await note(
					`${explainFailure(last.failure).what} Still trying${Number.isFinite(limit) ? `, for ${spanText(limit)} in all` : ''}.`,
				);
			return undefined;
		},
		async pause(ms) {
			const asked = last === undefined ? 0 : (last.failure.retryAfter ?? 0) * 1000;
			await sleep(Math.min(Math.max(ms, asked), Math.max(0, left()) + 1), undefined, {signal});
		},
	};
};
