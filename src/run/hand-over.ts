import type {LiveRecorder} from '../api/client-types.ts';
import type {RunEnd} from './event.ts';
import type {DocumentKernel} from './open-kernel.ts';

/** Cell for a kernel that runs it without this program. */
export type HandedCell = {
	readonly source: string;
	readonly record: LiveRecorder;
	/** True if an error in the cell does not stop the cells after it. */
	readonly mayRaise: boolean;
};

/**
 * Sends all cells to the kernel, which runs them in order. Resolves to false if the kernel does not
 * take them. Once a cell has failed, the others are neither sent nor run.
 * @throws {Error} if the kernel cannot be reached over the live link.
 */
export const handOver = async (kernel: DocumentKernel, cells: readonly HandedCell[]): Promise<boolean> => {
	const ends: Promise<void>[] = [];
	let hasFailed = false;
	const send = async ({source, record, mayRaise}: HandedCell, follows: boolean): Promise<boolean> => {
		const handedOver = Promise.withResolvers<boolean>();
		const run = kernel.run(
			source,
			{answers: false, stopOnError: !mayRaise, follows, record: async () => record},
			({type}) => {
				if (type === 'handed-over') handedOver.resolve(true);
			},
		);
		const end = (ended: RunEnd): void => {
			const isUnsent = ended.how === 'not-run' && ended.why === 'unsent';
			hasFailed ||= !isUnsent && ended.how !== 'done' && !(ended.how === 'raised' && mayRaise);
			handedOver.resolve(!isUnsent);
		};
		const ended = run.ended.then(end);
		ended.catch(handedOver.reject);
		ends.push(ended);
		return handedOver.promise;
	};
	for (const [index, cell] of cells.entries()) {
		if (hasFailed) break;
		if (await send(cell, index > 0)) continue;
		// The cell was not sent, because it had to follow others. Once they have all ended, it is
		// sent without this condition.
		await Promise.all(ends);
		if (!hasFailed && !(await send(cell, false))) return false;
	}
	return true;
};
