import {useEffect, useState} from 'react';

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

/**
 * Interval of age updates of a list, in ms. The age of a list that cannot be renewed must visibly
 * grow.
 */
export const ageRhythm = (isFailing: boolean): number | undefined => (isFailing ? 5000 : undefined);
