import {useEffect, useState} from 'react';
import {isAwaited, type Remote} from './store/remote.ts';

/**
 * The time in ms since the epoch, updated once a minute (or every `every` ms): ages on screen cost
 * one frame a minute.
 */
export const useNow = (every = 60_000): number => {
	const [now, setNow] = useState(() => Date.now());
	useEffect(() => {
		setNow(Date.now());
		const timer = setInterval(() => setNow(Date.now()), every);
		return () => clearInterval(timer);
	}, [every]);
	// The clock jumps when the computer wakes up or the user sets the time.
	const clock = Date.now();
	return clock < now || clock > now + 2 * every ? clock : now;
};

const SECOND = 1000;

/**
 * Interval of the times shown about a list, in ms. Seconds count only while its first response is
 * awaited, or the next try after a failure.
 */
export const listRhythm = (remote: Remote<unknown>): number | undefined =>
	remote.failure !== undefined || isAwaited(remote) ? SECOND : undefined;
