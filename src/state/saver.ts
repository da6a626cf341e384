/** Milliseconds after the last change, and the longest while changes go on. */
const AFTER_LAST = 1000;
const AT_LATEST = 5000;
/** The pause after a save is this many times as long as the save itself at least. */
const SPARING = 20;

/** Calls `save` some time after what it saves has changed. */
export type Saver = {
	/** Something to save has changed. */
	changed(): void;
	/** Saves now. */
	flush(): void;
	/** Nothing is saved from now on. */
	stop(): void;
};

/** `save` is called with nothing to save too. */
export const createSaver = (
	save: () => void,
	{after = AFTER_LAST, atLatest = AT_LATEST}: {readonly after?: number; readonly atLatest?: number} = {},
): Saver => {
	let since: number | undefined;
	let timer: NodeJS.Timeout | undefined;
	let pauseUntil = -Infinity;
	let hasStopped = false;
	const flush = (): void => {
		clearTimeout(timer);
		since = undefined;
		const from = performance.now();
		save();
		const now = performance.now();
		pauseUntil = now + (now - from) * SPARING;
	};
	return {
		changed() {
			if (hasStopped) return;
			const now = performance.now();
			since ??= now;
			clearTimeout(timer);
			timer = setTimeout(
				flush,
				Math.max(0, pauseUntil - now, Math.min(after, since + atLatest - now)),
			).unref();
		},
		flush,
		stop() {
			hasStopped = true;
			clearTimeout(timer);
		},
	};
};
