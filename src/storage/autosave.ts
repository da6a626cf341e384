/** Delay after the last change, and the longest delay while changes continue, in ms. */
const AFTER_LAST = 1000;
const AT_LATEST = 5000;
/** Shortest pause after a save, as a multiple of the save's duration. */
const PAUSE_FACTOR = 20;

/**
 * The same multiple for background saves. It is smaller, because they do not block key presses and
 * unsaved text is at risk.
 */
const BACKGROUND_PAUSE_FACTOR = 5;

/** Calls `save` some time after its data has changed. */
export type Autosave = {
	/** Schedules a save. */
	changed(): void;
	flush(): void;
	/** Stops all later saves. */
	stop(): void;
};

export type AutosaveDelays = {
	readonly after?: number;
	readonly atLatest?: number;
	/** Runs in the background instead of `save` when a save is due. Must never reject. */
	readonly behind?: () => Promise<void>;
};

/** `save` is also called when nothing has changed. */
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
		pauseUntil = now + (now - from) * PAUSE_FACTOR;
	};
	const saveBehind = async (how: () => Promise<void>): Promise<void> => {
		since = undefined;
		isSaving = true;
		const from = performance.now();
		await how();
		const now = performance.now();
		pauseUntil = now + (now - from) * BACKGROUND_PAUSE_FACTOR;
		isSaving = false;
		if (since !== undefined) changed();
	};
	const changed = (): void => {
		if (hasStopped) return;
		const now = performance.now();
		since ??= now;
		clearTimeout(timer);
		// `saveBehind` schedules the next save when it ends.
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
