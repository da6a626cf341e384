/**
 * Interval between two frames of arriving text, in ms. 30 frames per second look smooth and cost
 * half as much as 60.
 */
const FRAME = 32;

/**
 * Passes added items to `flush` at most once per frame: the first item at once, the following ones
 * together at the end of the frame. The store is then updated once per frame, even by a fast
 * stream.
 */
export const oncePerFrame = <T>(flush: (batch: readonly T[]) => void) => {
	let waiting: T[] = [];
	let timer: NodeJS.Timeout | undefined;
	const send = (): void => {
		const batch = waiting;
		waiting = [];
		timer = undefined;
		if (batch.length === 0) return;
		timer = setTimeout(send, FRAME);
		flush(batch);
	};
	return {
		add(item: T): void {
			waiting.push(item);
			if (timer === undefined) send();
		},
		/** Passes the waiting items on at once. */
		end(): void {
			clearTimeout(timer);
			timer = undefined;
			const batch = waiting;
			waiting = [];
			if (batch.length > 0) flush(batch);
		},
	};
};

/**
 * Maximum number of UTF-16 units that are passed on per frame, so that formatting them does not
 * delay keys.
 */
const MOST = 131_072;

/**
 * Passes arriving text to `flush`: at most once per frame, and at most `MOST` units at a time. A
 * longer fragment is split.
 */
export const textPerFrame = (flush: (text: string) => void) => {
	let waiting = '';
	let timer: NodeJS.Timeout | undefined;
	let drained = (): void => {};
	const send = (): void => {
		const end =
			waiting.length <= MOST
				? waiting.length
				: /[\uD800-\uDBFF]/.test(waiting.charAt(MOST - 1))
					? MOST - 1
					: MOST;
		const text = waiting.slice(0, end);
		waiting = waiting.slice(end);
		timer = undefined;
		if (text === '') return drained();
		timer = setTimeout(send, FRAME);
		flush(text);
	};
	const sendAll = (): void => {
		clearTimeout(timer);
		timer = undefined;
		const text = waiting;
		waiting = '';
		if (text !== '') flush(text);
		drained();
	};
	return {
		add(text: string): void {
			waiting += text;
			if (timer === undefined) send();
		},
		/**
		 * Resolves when all text has been passed on: after some frames, or at once if the signal is
		 * aborted.
		 */
		async end(signal: AbortSignal): Promise<void> {
			if (signal.aborted || waiting.length <= MOST) return sendAll();
			await new Promise<void>(resolve => {
				drained = resolve;
				signal.addEventListener('abort', sendAll, {once: true});
			});
		},
	};
};
