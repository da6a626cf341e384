// Pauses between two checks of the servers of a host, in ms.
import type {Watched} from './watched.ts';

export const SLOW_MS = 15_000;
const FIRST_RETRY_MS = 250;
/** Pauses while a process starts. They are short in the first seconds. */
const STARTING_MS = {first: 500, then: 2000, until: 10_000} as const;
/**
 * Pauses while a job is in the queue. They grow with the time since the submission, because sites
 * block users who poll too often.
 */
const QUEUE_MS = {least: 1000, part: 3, running: 2000} as const;

/**
 * Pause after consecutive failures. Randomised, so that many clients do not reconnect at the same
 * time.
 */
export const backoff = (failures: number): number =>
	Math.min(FIRST_RETRY_MS * 2 ** failures, SLOW_MS) * (0.5 + Math.random());

/**
 * Pause before the next check of a server. `wayFailures`: number of consecutive failures to reach a
 * job's node.
 */
export const pauseAfter = (
	{state, since, isQueued, near, record: {job, mute_since: muteSince}}: Watched,
	wayFailures: number,
): number => {
	const age = Date.now() - since;
	if (state === 'unreachable' && muteSince !== null)
		return Math.min(Math.max(QUEUE_MS.least, (Date.now() - muteSince) / QUEUE_MS.part), SLOW_MS);
	if (state === 'starting' && (isQueued || job !== null))
		return Math.min(Math.max(QUEUE_MS.least, age / QUEUE_MS.part), isQueued ? SLOW_MS : QUEUE_MS.running);
	if (state === 'starting') return age < STARTING_MS.until ? STARTING_MS.first : STARTING_MS.then;
	return state === 'unreachable' && near === null && wayFailures > 0 ? backoff(wayFailures) : SLOW_MS;
};
