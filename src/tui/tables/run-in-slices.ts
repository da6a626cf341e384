import type {Work} from '../../text/table/arrange.ts';

/** Duration of a slice of work, in ms: keys are handled between two slices. */
const SLICE = 8;
/** Interval between two progress reports, in ms. */
const TELL_EVERY = 100;

export const nextTurn = async (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** Does work in slices, and handles keys in between. Null if the result is no longer wanted. */
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
