// V8 lets a heap of short-lived megabytes grow to several times its live size. These functions
// collect garbage earlier, for example during a flood of output.
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

let collect: (() => void) | undefined;

/** Collects garbage. Takes tens of milliseconds. */
const collectNow = (): void => {
	if (collect === undefined) {
		setFlagsFromString('--expose-gc');
		collect = runInNewContext('gc') as () => void;
	}
	collect();
};

/** Process size in bytes below which a collection costs more than it frees. */
const SMALL_PROCESS_BYTES = 125e6;

/** Returns a function that is given the size of new data. Collects garbage every `often` bytes. */
export const createGcTrigger = (often = 6 << 20): ((size: number) => void) => {
	let since = 0;
	return size => {
		since += size;
		if (since < often) return;
		since = 0;
		if (process.memoryUsage.rss() > SMALL_PROCESS_BYTES) collectNow();
	};
};

/** Interval of checks in ms, and growth in bytes before a collection. */
const CHECK_INTERVAL_MS = 2000;
const GROWTH_BYTES = 12 << 20;

/** Collects garbage when memory has grown; V8 alone waits until it has tripled. */
export const collectWhenLarge = (): void => {
	let cleared = process.memoryUsage.rss();
	setInterval(() => {
		if (process.memoryUsage.rss() < Math.max(SMALL_PROCESS_BYTES, cleared + GROWTH_BYTES)) return;
		collectNow();
		cleared = process.memoryUsage.rss();
	}, CHECK_INTERVAL_MS).unref();
};
