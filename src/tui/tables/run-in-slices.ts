import type {Work} from '../../text/table/arrange.ts';

/** Milliseconds of work between two looks at the keys. */
const SLICE = 8;
/** Milliseconds between two times that it tells how far it is. */
const TELL_EVERY = 100;

export const nextTurn = async (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** Does work with room for keys in between; null when it is not wanted any more. */
export const runInSlices = async <T>(
	work: Work<T>,
	isWanted: () => boolean,
	tell: (share: number) => void,
): Promise<T | null> => {
	let reportedAt = performance.now();
	for (;;) {
		if (!isWanted()) return null;
		const from = performance.now();
		let share = 0;
		do {
			const step = work.next();
			if (step.done === true) return step.value;
			share = step.value;
		} while (performance.now() - from < SLICE);
		if (performance.now() - reportedAt > TELL_EVERY) {
			reportedAt = performance.now();
			tell(share);
		}
		await nextTurn();
	}
};
