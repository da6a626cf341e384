import {useEffect, useState} from 'react';
import {isAwaited, type Remote} from './store/remote.ts';

/**
 * Current time in ms since the epoch, updated every `every` ms. By default, ages on screen cause
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
 * Interval for `useNow` on the screen of a list, in ms: a second while the first response or the
 * next try after a failure is awaited. Undefined for the default.
 */
export const listRhythm = (remote: Remote<unknown>): number | undefined =>
	remote.failure !== undefined || isAwaited(remote) ? SECOND : undefined;
