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

/** Told how much came (bytes or characters), it clears away after every `often` of them, before more is taken. */
export const createClearing = (often = 6 << 20): ((size: number) => void) => {
	let since = 0;
	return size => {
		since += size;
		if (since < often) return;
		since = 0;
		collectNow();
	};
};
