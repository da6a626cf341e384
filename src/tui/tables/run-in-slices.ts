import type {Work} from '../../text/table/arrange.ts';

/** Duration of one slice of work, in ms. Keys are handled between two slices. */
const SLICE = 8;
/** Interval between two progress reports, in ms. */
const TELL_EVERY = 100;

export const nextTurn = async (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/**
 * Runs a computation in slices, so that keys are handled in between. Resolves to null if `isWanted`
 * has returned false.
 */
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
