/** ms between two frames of a text that arrives: 30 a second read as flowing, and cost half of what 60 do. */
const FRAME = 32;

/**
 * Hands what was added to `flush` at most once a frame: the first addition at once, what follows within the frame together.
 * A stream of fragments then costs one update of the store per frame, however fast it comes.
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
		/** Hands over the rest now. */
		end(): void {
			clearTimeout(timer);
			timer = undefined;
			const batch = waiting;
			waiting = [];
			if (batch.length > 0) flush(batch);
		},
	};
};

/** UTF-16 units of a text that are handed over in a frame: what laying it out leaves time for keys. */
const MOST = 131_072;

/** Hands a text that arrives to `flush`, at most once a frame and so much of it; a fragment of megabytes comes in parts. */
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
		/** Resolves when all has been handed over: soon, or at once when the signal says so. */
		async end(signal: AbortSignal): Promise<void> {
			if (signal.aborted || waiting.length <= MOST) return sendAll();
			await new Promise<void>(resolve => {
				drained = resolve;
				signal.addEventListener('abort', sendAll, {once: true});
			});
		},
	};
};
