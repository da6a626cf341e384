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
