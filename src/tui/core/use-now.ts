import {useEffect, useState} from 'react';

/** The time in ms since the epoch, renewed once a minute (or every `every` ms): ages on screen cost one frame a minute. */
export const useNow = (every = 60_000): number => {
	const [now, setNow] = useState(() => Date.now());
	useEffect(() => {
		setNow(Date.now());
		const timer = setInterval(() => setNow(Date.now()), every);
		return () => clearInterval(timer);
	}, [every]);
	// After a sleep the clock is further on than the timer knows, or it was set.
	const clock = Date.now();
	return clock < now || clock > now + 2 * every ? clock : now;
};

/** How often a screen looks at the time for the age of its list: one that cannot be renewed is seen to grow old. */
export const ageRhythm = (isFailing: boolean): number | undefined => (isFailing ? 5000 : undefined);
