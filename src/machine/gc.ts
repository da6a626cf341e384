// V8 lets a heap of short-lived megabytes grow to several times what is alive before it looks: a flood of output is cleared away as it comes.
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

let collect: (() => void) | undefined;

/** Clears away what is not used any more. Takes tens of milliseconds. */
const collectNow = (): void => {
	if (collect === undefined) {
		setFlagsFromString('--expose-gc');
		collect = runInNewContext('gc') as () => void;
	}
	collect();
};

/** Bytes of a process that takes little: to clear away costs more than it gives there. */
const LITTLE = 125e6;

/** Given how much came (bytes or characters), it clears away after every `often` of them, before more is taken. */
export const createGcTrigger = (often = 6 << 20): ((size: number) => void) => {
	let since = 0;
	return size => {
		since += size;
		if (since < often) return;
		since = 0;
		if (process.memoryUsage.rss() > LITTLE) collectNow();
	};
};

/** Milliseconds between two looks, and bytes of the process by which it may grow between two clearings. */
const LOOK_EVERY = 2000;
const GROWN = 12 << 20;

/** Clears away what hours of use leave behind, which V8 does at three times the memory. The program may end meanwhile. */
export const collectWhenLarge = (): void => {
	let cleared = process.memoryUsage.rss();
	setInterval(() => {
		if (process.memoryUsage.rss() < Math.max(LITTLE, cleared + GROWN)) return;
		collectNow();
		cleared = process.memoryUsage.rss();
	}, LOOK_EVERY).unref();
};
