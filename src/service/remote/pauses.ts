// Pauses between two checks of the servers of a host, in ms.
import type {Watched} from './watched.ts';

export const SLOW_MS = 15_000;
const FIRST_RETRY_MS = 250;
/** While a process starts: short for the first seconds. */
const STARTING_MS = {first: 500, then: 2000, until: 10_000} as const;
/** Pauses after a submission grow with the time that has passed: sites block eager users. */
const QUEUE_MS = {least: 1000, part: 3, running: 2000} as const;

/** Pause after some failures in a row, at random, so that many clients do not return together. */
export const backoff = (failures: number): number =>
	Math.min(FIRST_RETRY_MS * 2 ** failures, SLOW_MS) * (0.5 + Math.random());

/** Pause until the next check of a server. `wayFailures`: failures in a row to reach a node. */
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
