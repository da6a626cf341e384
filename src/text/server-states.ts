// Likely meaning of a server's state. Does not use zod, because the first frame needs this module.

/**
 * The service's API defines only `ready` and `offline`. The other meanings are guessed from words
 * that such services use. They decide how long to wait and which action to offer first, but never
 * prevent an action. `coming`: starting. `up`: running. `ending`: stopping. `over`: stopped or
 * failed.
 */
export type StateMeaning = 'ready' | 'offline' | 'coming' | 'up' | 'ending' | 'over' | 'unknown';

const WORDS = {
	coming:
		'starting startup spinning pending spawning queued queueing scheduled scheduling provisioning allocating creating building booting launching initializing initialising loading preparing pulling deploying restarting resuming warming waking waiting',
	up: 'ready running active available online up idle busy healthy alive started live connected inservice',
	ending:
		'stopping spinningdown shutting suspending hibernating pausing terminating deleting removing cancelling canceling culling draining',
	over: 'offline stopped failed failure error errored crashed exited terminated ended dead down deleted removed suspended hibernated paused sleeping asleep inactive shutdown cancelled canceled expired evicted culled lost killed aborted halted deallocated',
} as const;

const MEANINGS: ReadonlyMap<string, StateMeaning> = new Map(
	(['coming', 'up', 'ending', 'over'] as const).flatMap(meaning =>
		WORDS[meaning].split(' ').map(word => [word, meaning] as const),
	),
);

/**
 * Meaning of a state text. Looks up the whole text, then its first word: `Starting up`, `error: no
 * quota`.
 */
export const meaningOf = (status: string): StateMeaning => {
	if (status === 'ready' || status === 'offline') return status;
	const words = status
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter(word => word !== '');
	const whole = MEANINGS.get(words.join(''));
	if (whole !== undefined) return whole;
	const first = MEANINGS.get(words[0] ?? '');
	// States that start with a word for running, such as `up for deletion`, need not mean that the
	// server runs.
	return first === undefined || first === 'up' ? 'unknown' : first;
};

/** True if the server has stopped or failed, so that the user may start it again. */
export const isOver = (status: string): boolean => ['offline', 'over'].includes(meaningOf(status));

/** True if the server is running according to the service. */
export const isUp = (status: string): boolean => ['ready', 'up'].includes(meaningOf(status));

/** True if a start makes no sense, because the server is running or starting. */
export const isStartedState = (status: string): boolean => isUp(status) || meaningOf(status) === 'coming';
