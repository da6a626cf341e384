/** Age as text: `3 min ago`, or `just now` for less than a minute. */
export const agoText = (at: number, now: number): string => {
	const minutes = Math.floor(Math.max(0, now - at) / 60_000);
	if (minutes < 1) return 'just now';
	if (minutes < 60) return `${minutes} min ago`;
	const hours = Math.floor(minutes / 60);
	return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
};

/** Age of rows that could not be reloaded: `45 s old`, `4 min old`. */
export const oldText = (at: number, now: number): string => {
	const elapsed = Math.max(0, now - at);
	return elapsed < 60_000 ? `${Math.floor(elapsed / 1000)} s old` : agoText(at, now).replace(/ago$/, 'old');
};

/** Duration in whole seconds: `0 s`, `12 s`. From a minute on, as {@link durationText}. */
export const secondsText = (ms: number): string =>
	ms < 60_000 ? `${Math.floor(ms / 1000)} s` : durationText(ms);

/** Remaining time, rounded up so that a countdown ends when it reaches 0: `22 s`, `2 min 05 s`. */
export const leftText = (at: number, now: number): string => {
	const seconds = Math.max(0, Math.ceil((at - now) / 1000));
	return seconds < 60 ? `${seconds} s` : durationText(seconds * 1000);
};

/**
 * Age in minutes, hours or days, so that an idle program redraws once a minute and not every
 * second. Empty without a time.
 */
export const ageText = (at: number | undefined, now: number): string =>
	at === undefined ? '' : agoText(at, now);

/** Duration as text: `0.3 s`, `12 s` or `2 min 05 s`. */
export const durationText = (elapsed: number): string => {
	// The difference is negative if the clock was set back.
	const ms = Math.max(0, elapsed);
	if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
	if (ms < 60_000) return `${Math.round(ms / 1000)} s`;
	return `${Math.floor(ms / 60_000)} min ${String(Math.floor((ms % 60_000) / 1000)).padStart(2, '0')} s`;
};

/** Local time of day: `14:03:59`. */
export const clockText = (at: number): string => new Date(at).toTimeString().slice(0, 8);
