// Likely meaning of a server's state. No zod: the first frame needs this module.

/**
 * The service's API defines only `ready` and `offline`. The other meanings are guesses from words
 * that such services use. They decide how long to wait and what to offer first; they never block an
 * action. `coming`: being started. `up`: running. `ending`: being stopped. `over`: stopped or
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

/** Meaning of the whole state, else of its first word: `Starting up`, `error: no quota`. */
export const meaningOf = (status: string): StateMeaning => {
	if (status === 'ready' || status === 'offline') return status;
	const words = status
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter(word => word !== '');
	const whole = MEANINGS.get(words.join(''));
	if (whole !== undefined) return whole;
	const first = MEANINGS.get(words[0] ?? '');
	// `up for deletion` or `ready to start` do not mean that it runs.
	return first === undefined || first === 'up' ? 'unknown' : first;
};

/** True if the server has stopped or failed: a start may bring it back. */
export const isOver = (status: string): boolean => ['offline', 'over'].includes(meaningOf(status));

/** True if the server runs, in the service's own word. */
export const isUp = (status: string): boolean => ['ready', 'up'].includes(meaningOf(status));

/** True if a start makes no sense now: the server runs already, or is being started. */
export const isStartedState = (status: string): boolean => isUp(status) || meaningOf(status) === 'coming';
