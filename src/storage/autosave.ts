/** Milliseconds after the last change, and the longest while changes go on. */
const AFTER_LAST = 1000;
const AT_LATEST = 5000;
/** The pause after a save is this many times as long as the save itself at least. */
const SPARING = 20;

/** As above, of what is saved while other work goes on: no key waits for that, and what is typed meanwhile is at stake. */
const SPARING_BEHIND = 5;

/** Calls `save` some time after what it saves has changed. */
export type Autosave = {
	/** Something to save has changed. */
	changed(): void;
	/** Saves now. */
	flush(): void;
	/** Nothing is saved from now on. */
	stop(): void;
};

export type AutosaveDelays = {
	readonly after?: number;
	readonly atLatest?: number;
	/** Saves in place of `save` while other work goes on, where nobody asks for it at once. Never rejects. */
	readonly behind?: () => Promise<void>;
};

/** `save` is called with nothing to save too. */
export const createAutosave = (
	save: () => void,
	{after = AFTER_LAST, atLatest = AT_LATEST, behind}: AutosaveDelays = {},
): Autosave => {
	let since: number | undefined;
	let timer: NodeJS.Timeout | undefined;
	let pauseUntil = -Infinity;
	let hasStopped = false;
	let isSaving = false;
	const flush = (): void => {
		clearTimeout(timer);
		since = undefined;
		const from = performance.now();
		save();
		const now = performance.now();
		pauseUntil = now + (now - from) * SPARING;
	};
	const saveBehind = async (how: () => Promise<void>): Promise<void> => {
		since = undefined;
		isSaving = true;
		const from = performance.now();
		await how();
		const now = performance.now();
		pauseUntil = now + (now - from) * SPARING_BEHIND;
		isSaving = false;
		if (since !== undefined) changed();
	};
	const changed = (): void => {
		if (hasStopped) return;
		const now = performance.now();
		since ??= now;
		clearTimeout(timer);
		// Set again once that is over.
		if (isSaving) return;
		timer = setTimeout(
			behind === undefined ? flush : () => void saveBehind(behind),
			Math.max(0, pauseUntil - now, Math.min(after, since + atLatest - now)),
		).unref();
	};
	return {
		changed,
		flush,
		stop() {
			hasStopped = true;
			clearTimeout(timer);
		},
	};
};
